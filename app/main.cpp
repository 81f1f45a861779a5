#include "cli/command.h"

#ifdef WARDBENCH_GUI
#include "shell/windowmain.h"
#endif

#include <QCoreApplication>

#include <clocale>
#include <iostream>

namespace {

QStringList argumentsOf(int argc, char **argv)
{
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    return arguments;
}

} // namespace

// One executable: without a command it is the window, with one it needs no display. The choice comes before any
// application object, so that `--help` and `run` work where there is no screen.
int main(int argc, char **argv)
{
    const QStringList arguments = argumentsOf(argc, argv);
#ifdef WARDBENCH_GUI
    if (!wardbench::cli::isCommandLine(arguments))
        return wardbench::runWindow(argc, argv);
#endif
    qputenv("QT_NO_GLIB", "1");
    QCoreApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // QCoreApplication took the user's: numbers in files keep their point
    QCoreApplication::setApplicationName(QStringLiteral("wardbench"));
    QCoreApplication::setApplicationVersion(QStringLiteral(WARDBENCH_VERSION));
    return wardbench::cli::runCommandLine(arguments, {std::cout, std::cerr, std::cin});
}
