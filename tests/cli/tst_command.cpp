#include "cli/command.h"
#include "invocation.h"

#include <QtTest>

using namespace wardbench;
using test::contains;
using test::Invocation;

class CommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void overview()
    {
        for (const char *argument : {"--help", "-h", "help"}) {
            const Invocation help({QString::fromLatin1(argument)});
            QCOMPARE(help.code, 0);
            QVERIFY(help.err.empty());
            for (const char *command : {"serve", "run", "check", "new", "export"})
                QVERIFY2(contains(help.out, std::string("\n  ") + command + " "), command);
        }
    }

    void version()
    {
        const Invocation version({QStringLiteral("--version")});
        QCOMPARE(version.code, 0);
        QCOMPARE(version.out, std::string("wardbench " WARDBENCH_VERSION "\n"));
    }

    void helpOfEachCommand_data()
    {
        QTest::addColumn<QString>("command");
        for (const char *command : {"serve", "run", "check", "new", "export"})
            QTest::newRow(command) << QString::fromLatin1(command);
    }
    void helpOfEachCommand()
    {
        QFETCH(QString, command);
        const Invocation byHelp({QStringLiteral("help"), command});
        const Invocation byOption({command, QStringLiteral("--help")});
        QCOMPARE(byHelp.code, 0);
        QCOMPARE(byOption.code, 0);
        QCOMPARE(byOption.out, byHelp.out);
        QVERIFY(byHelp.err.empty());
        const std::string start = "Usage: wardbench " + command.toStdString() + " [options]";
        QCOMPARE(byHelp.out.substr(0, start.size()), start);
        QVERIFY(contains(byHelp.out, "Exit code: 0"));
        for (const QByteArray &line : QByteArray::fromStdString(byHelp.out).split('\n'))
            QVERIFY2(line.size() <= 120, line.constData());
    }

    void wrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char *arguments, const char *message) {
            QTest::newRow(arguments) << QString::fromLatin1(arguments).split(u' ', Qt::SkipEmptyParts)
                                     << QByteArray(message);
        };
        row("", "this build has no window; give a command");
        row("demo.wardbench", "this build has no window; give a command");
        row("chekc", "there is no command \"chekc\"; did you mean \"check\"?");
        row("xyzzy", "there is no command \"xyzzy\"\n");
        row("--versoin", "there is no option \"--versoin\"; did you mean \"--version\"?");
        row("help runn", "there is no command \"runn\"; did you mean \"run\"?");
        row("run --scal=3 f", "wardbench run: there is no option --scal; did you mean --scale?");
        row("serve --wach f", "wardbench serve: there is no option --wach; did you mean --watch?");
        row("check --frobnicate f", "wardbench check: there is no option --frobnicate\n");
        row("check", "no file given");
        row("check - -", "once only");
        row("new", "no file given");
        row("new a b", "one file only");
        row("new --from dmeo a", "did you mean \"demo\"?");
        row("compare a", "wardbench compare: two run files are needed, not 1");
    }
    void wrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, message);
        const Invocation invocation(arguments);
        QCOMPARE(invocation.code, 2);
        QCOMPARE(invocation.out, std::string());
        QVERIFY2(contains(invocation.err, message.toStdString()), invocation.err.c_str());
    }

    void windowOrCommand_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<bool>("command");
        const auto row = [](const char *arguments, bool command) {
            QTest::newRow(arguments) << QString::fromLatin1(arguments).split(u' ', Qt::SkipEmptyParts) << command;
        };
        row("", false);
        row("demo.wardbench", false);
        row("./dir/demo", false);
        row("-platform offscreen", false);
        row("-style fusion demo.wardbench", false);
        row("run demo.wardbench", true);
        row("--help", true);
        row("-v", true);
        row("help", true);
        row("compare", true);
        row("runn", true);
        row("--bogus", true);
    }
    void windowOrCommand()
    {
        QFETCH(QStringList, arguments);
        QFETCH(bool, command);
        QCOMPARE(cli::isCommandLine(arguments), command);
    }

    void existingFileIsForTheWindow()
    {
        QTemporaryDir folder;
        QVERIFY(QDir::setCurrent(folder.path()));
        QVERIFY(cli::isCommandLine({QStringLiteral("shop")}));
        QFile file(QStringLiteral("shop"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(!cli::isCommandLine({QStringLiteral("shop")}));
        QDir::setCurrent(QDir::rootPath());
    }
};

QTEST_GUILESS_MAIN(CommandTest)
#include "tst_command.moc"
