#include "cli/command.h"
#include "io/limits.h"

#ifdef WARDBENCH_GUI
#include "shell/windowmain.h"

#include <QApplication>
#include <QLoggingCategory>
#endif

#include <QCoreApplication>

#include <clocale>
#include <iostream>
#include <memory>
#include <string_view>

namespace {

/// Under the name `mb` the program is that command: others' scripts start it so.
QStringList argumentsOf(int argc, char **argv)
{
    QStringList arguments;
    const std::string_view program = argc > 0 ? argv[0] : "";
    if (program.substr(program.rfind('/') + 1) == "mb")
        arguments << QStringLiteral("mb");
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    return arguments;
}

/// Commands need no Gui; `export` draws, always on Qt's offscreen platform: no display is asked for, and the picture
/// is the same with one and without.
std::unique_ptr<QCoreApplication> makeApplication([[maybe_unused]] const QStringList &arguments, int &argc, char **argv)
{
#ifdef WARDBENCH_GUI
    if (arguments.value(0) == QLatin1String("export")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        QLoggingCategory::setFilterRules(
            QStringLiteral("default.warning=false")); // remarks on a session it does not need
        return std::make_unique<QApplication>(argc, argv);
    }
#endif
    return std::make_unique<QCoreApplication>(argc, argv);
}

} // namespace

// One executable: without a command it is the window, with one it needs no display. The choice comes before any
// application object, so that `--help` and `run` work where there is no screen.
int main(int argc, char **argv)
{
    wardbench::io::raiseDescriptorLimit(); // a mock under load holds thousands of connections
    const QStringList arguments = argumentsOf(argc, argv);
#ifdef WARDBENCH_GUI
    if (!wardbench::cli::isCommandLine(arguments))
        return wardbench::runWindow(argc, argv);
#endif
    qputenv("QT_NO_GLIB", "1");
    const auto application = makeApplication(arguments, argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // QCoreApplication took the user's: numbers in files keep their point
    QCoreApplication::setApplicationName(QStringLiteral("wardbench"));
    QCoreApplication::setApplicationVersion(QStringLiteral(WARDBENCH_VERSION));
    return wardbench::cli::runCommandLine(arguments, {std::cout, std::cerr, std::cin});
}
