#include "cli/mboptions.h"
#include "json/writer.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace wardbench;
using namespace Qt::StringLiterals;

// The options of `wardbench mb`: names, aliases, files of options, what follows for the log.
class TestMbOptions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void options_data();
    void options();
    void rcFile();
    void logging_data();
    void logging();
    void shownOptions();

private:
    QString file(const char *name, const QByteArray &content) const
    {
        QFile out(m_folder.filePath(QLatin1String(name)));
        if (!out.open(QIODevice::WriteOnly) || out.write(content) != content.size())
            qFatal("cannot write");
        return out.fileName();
    }

    QTemporaryDir m_folder;
};

void TestMbOptions::options_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("value");
    const auto row = [](const char *line, const char *command, const char *option, const char *value) {
        QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(command) << QString::fromLatin1(option)
                            << QString::fromLatin1(value);
    };
    row("", "start", "port", "2525");
    row("--port 3000", "start", "port", "3000");
    row("start -p 3000", "start", "port", "3000");
    row("--port=3000", "start", "port", "3000");
    row("-p=3000", "start", "port", "3000");
    row("restart --mock --port 3000", "restart", "port", "3000");
    row("save", "save", "savefile", "mb.json");
    row("stop", "stop", "pidfile", "mb.pid");
    row("--allowInjection", "start", "allowInjection", "(on)");
    row("-i", "start", "allowInjection", "(on)");
    row("--allow-injection", "start", "allowInjection", "(on)");
    row("--no-allowInjection", "start", "allowInjection", "(off)");
    row("--allowInjection false", "start", "allowInjection", "(off)");
    row("--allowInjection=true save", "save", "allowInjection", "(on)");
    row("--allowInjection start", "start", "allowInjection", "(on)");
    row("--noParse", "start", "noParse", "(on)");
    row("--no-parse", "start", "noParse", "(on)");
    row("--nologfile", "start", "nologfile", "(on)");
    row("--localOnly --debug", "start", "localOnly", "(on)");
    row("-l -d -m", "start", "debug", "(on)");
    row("-w 1.2.3.4|::1", "start", "ipWhitelist", "1.2.3.4|::1");
    row("--ip-whitelist=a", "start", "ipWhitelist", "a");
    row("--unknown value --port 1", "start", "port", "1");
    row("--unknown --port 1", "start", "port", "1");
    row("-h 1.2.3.4", "start", "host", "1.2.3.4");
    row("", "start", "mock", "(off)");
}

void TestMbOptions::options()
{
    QFETCH(QString, line);
    QFETCH(QString, command);
    QFETCH(QString, option);
    QFETCH(QString, value);
    QStringList remarks;
    const cli::MbOptions options(line.split(u' ', Qt::SkipEmptyParts), remarks);
    QCOMPARE(QString::fromStdString(options.command()), command);
    if (value.startsWith(u'('))
        QCOMPARE(options.isOn(option.toStdString()), value == "(on)"_L1);
    else
        QCOMPARE(QString::fromStdString(options.text(option.toStdString())), value);
    QVERIFY(remarks.isEmpty());
}

void TestMbOptions::rcFile()
{
    const QString rc = file("rc.json", "{\"port\":3001,\"debug\":true,\"ipWhitelist\":[\"1.1.1.1\",\"2.2.2.2\"],"
                                       "\"localOnly\":true,\"savefile\":\"x.json\"}");
    QStringList remarks;
    const cli::MbOptions options({u"--rcfile"_s, rc, u"--savefile"_s, u"mine.json"_s, u"-l"_s, u"false"_s}, remarks);
    QCOMPARE(options.text("port"), std::string("3001"));
    QVERIFY(options.isOn("debug"));
    QVERIFY(!options.isOn("localOnly"));
    QCOMPARE(options.text("savefile"), std::string("mine.json"));
    QCOMPARE(options.texts("ipWhitelist"), (std::vector<std::string>{"1.1.1.1", "2.2.2.2"}));
    const cli::MbOptions alias({u"--rcfile"_s, rc, u"-p"_s, u"4000"_s}, remarks);
    QCOMPARE(alias.text("port"), std::string("4000"));
    QVERIFY(remarks.isEmpty());
    const cli::MbOptions missing({u"--rcfile"_s, u"nowhere.json"_s}, remarks);
    QCOMPARE(remarks.size(), 1);
    const cli::MbOptions broken({u"--rcfile"_s, file("broken.json", "{")}, remarks);
    QCOMPARE(remarks.size(), 2);
    QCOMPARE(broken.text("port"), std::string("2525"));
}

void TestMbOptions::logging_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("summary");
    QTest::newRow("default") << QStringList() << u"info, console %level: %message coloured, file mb.log json"_s;
    QTest::newRow("older options") << QStringList{u"--loglevel"_s, u"warn"_s, u"--logfile"_s, u"x.log"_s}
                                   << u"warn, console %level: %message coloured, file x.log json"_s;
    QTest::newRow("no file") << QStringList{u"--nologfile"_s} << u"info, console %level: %message coloured"_s;
    QTest::newRow("log") << QStringList{u"--log"_s,
                                        u"{\"level\":\"debug\",\"transports\":{\"file\":{\"path\":\"f\",\"format\":"
                                        "\"simple\"}}}"_s,
                                        u"--loglevel"_s, u"error"_s}
                         << u"debug, file f simple"_s;
    QTest::newRow("console only")
        << QStringList{u"--log"_s, u"{\"level\":\"error\",\"transports\":{\"console\":{\"colorize\":false,"
                                   "\"format\":\"json\"}}}"_s}
        << u"error, console json"_s;
}

void TestMbOptions::logging()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, summary);
    QStringList remarks;
    const auto logging = cli::MbOptions(arguments, remarks).logging(remarks);
    std::string found(admin::levelName(logging.level));
    if (logging.console)
        found += ", console " + logging.console->format + (logging.console->colorize ? " coloured" : "");
    if (!logging.file.empty())
        found += ", file " + logging.file + ' ' + logging.fileFormat;
    QCOMPARE(QString::fromStdString(found), summary);
    QVERIFY(remarks.isEmpty());
    const cli::MbOptions broken({u"--log"_s, u"{"_s}, remarks);
    QCOMPARE(broken.logging(remarks).file, std::string("mb.log"));
    QCOMPARE(remarks.size(), 1);
}

void TestMbOptions::shownOptions()
{
    QStringList remarks;
    const cli::MbOptions options({u"--port"_s, u"3000"_s, u"--apikey"_s, u"secret"_s, u"--host"_s, u"::1"_s,
                                  u"--logfile"_s, u"x.log"_s, u"--foo"_s, u"bar"_s},
                                 remarks);
    const json::Value shown = options.shown();
    QCOMPARE(shown["port"].text(), std::string("3000"));
    QCOMPARE(shown["apikey"].text(), std::string("********"));
    QCOMPARE(shown["host"].text(), std::string("::1"));
    QCOMPARE(shown["foo"].text(), std::string("bar"));
    QCOMPARE(shown["log"]["transports"]["file"]["path"].text(), std::string("x.log"));
    QVERIFY(!shown.find("logfile") && !shown.find("mock") && !shown.find("version"));
    QCOMPARE(json::writeCompact(shown["ipWhitelist"]), std::string("[\"*\"]"));
}

QTEST_GUILESS_MAIN(TestMbOptions)
#include "tst_mboptions.moc"
