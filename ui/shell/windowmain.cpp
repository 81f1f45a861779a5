#include "shell/windowmain.h"

#include "shell/mainwindow.h"
#include "shell/settings.h"
#include "shell/theme.h"

#include <QApplication>
#include <QFileInfo>

#include <clocale>

// The icons are in a static library: nothing else would pull them in. The macro needs the global namespace.
static void initResources()
{
    Q_INIT_RESOURCE(icons);
}

namespace wardbench {

int runWindow(int argc, char **argv)
{
    QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // QApplication took the user's: numbers in files keep their point
    initResources();
    QCoreApplication::setApplicationName(QStringLiteral("wardbench"));
    QCoreApplication::setApplicationVersion(QStringLiteral(WARDBENCH_VERSION));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Wardbench"));
    QGuiApplication::setDesktopFileName(QStringLiteral("wardbench"));
    Theme::instance().install(application);
    Theme::instance().setMode(Settings().theme());
    MainWindow window;
    const QStringList arguments = QCoreApplication::arguments().mid(1);
    for (const QString &argument : arguments) {
        if (argument == u"--demo")
            window.tryDemo();
        if (!argument.startsWith(u'-')) {
            window.openFile(argument);
            break;
        }
    }
    window.show();
    return QApplication::exec();
}

} // namespace wardbench
