#include "cli/exportcommand.h"
#include "codec/workspacefile.h"
#include "report/chartdata.h"
#include "report/runfile.h"
#include "support/readfile.h"
#include "support/samplerun.h"

#include <QImage>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace wardbench;

namespace {

struct Outcome
{
    int code = -1;
    std::string out, err;
};

Outcome run(const QStringList &arguments)
{
    std::ostringstream out, err;
    std::istringstream in;
    cli::ExportCommand command;
    const int code = command.execute(arguments, {out, err, in});
    return {code, out.str(), err.str()};
}

/// The program itself, without a display and with an unfriendly environment.
Outcome runProgram(const QStringList &arguments, const QString &locale = QStringLiteral("C.UTF-8"))
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
    environment.insert(QStringLiteral("LC_ALL"), locale);
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(WARDBENCH_BINARY), QStringList(QStringLiteral("export")) + arguments);
    if (!process.waitForFinished(60000))
        return {};
    return {process.exitCode(), process.readAllStandardOutput().toStdString(), process.readAllStandardError().toStdString()};
}

} // namespace

class TestExportCommand : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_run;

    QString path(const char *name) const { return m_folder.filePath(QLatin1String(name)); }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_run = path("holder-described.wbrun");
        QVERIFY(codec::writeFileAtomically(m_run.toStdString(), report::encodeRun(test::sampleRun())));
    }

    void help()
    {
        const Outcome outcome = run({QStringLiteral("--help")});
        QCOMPARE(outcome.code, 0);
        QVERIFY(outcome.out.rfind("Usage: wardbench export", 0) == 0);
        for (const report::ChartKind kind : report::chartKinds())
            QVERIFY(outcome.out.find(report::chartName(kind)) != std::string::npos);
    }

    void wrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("words");
        const QString run = QStringLiteral("r.wbrun"), chart = QStringLiteral("--chart"), to = QStringLiteral("--to");
        QTest::newRow("nothing") << QStringList{} << QStringLiteral("no run file given");
        QTest::newRow("no target") << QStringList{run, chart, QStringLiteral("rate")} << QStringLiteral("--to FILE is missing");
        QTest::newRow("no chart") << QStringList{run, to, QStringLiteral("a.csv")} << QStringLiteral("--chart NAME is missing");
        QTest::newRow("unknown chart") << QStringList{run, chart, QStringLiteral("pie"), to, QStringLiteral("a.csv")}
                                       << QStringLiteral("there is no chart \"pie\"; there are percentiles");
        QTest::newRow("unknown format") << QStringList{run, chart, QStringLiteral("rate"), to, QStringLiteral("a.gif")} << QStringLiteral("not \"a.gif\"");
        QTest::newRow("two runs") << QStringList{run, run, to, QStringLiteral("a.json")} << QStringLiteral("one run file at a time");
        QTest::newRow("unknown option") << QStringList{run, QStringLiteral("--format"), QStringLiteral("png")} << QStringLiteral("format");
    }
    void wrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, words);
        const Outcome outcome = run(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY(outcome.out.empty());
        QVERIFY2(QString::fromStdString(outcome.err).contains(words), outcome.err.c_str());
        QVERIFY(outcome.err.find("Try: wardbench export --help") != std::string::npos);
    }

    void missingRun()
    {
        const Outcome outcome = run({path("absent.wbrun"), QStringLiteral("--chart"), QStringLiteral("rate"), QStringLiteral("--to"), path("a.csv")});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.find("absent.wbrun") != std::string::npos, outcome.err.c_str());
        QVERIFY(!QFile::exists(path("a.csv")));
    }

    void unwritableTarget()
    {
        const Outcome outcome = run({m_run, QStringLiteral("--chart"), QStringLiteral("rate"), QStringLiteral("--to"), path("no/such/folder/a.csv")});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.find("a.csv") != std::string::npos, outcome.err.c_str());
    }

    void csvOfEveryChart()
    {
        for (const report::ChartKind kind : report::chartKinds()) {
            const Outcome outcome = run({m_run, QStringLiteral("--chart"), QString::fromStdString(std::string(report::chartName(kind))),
                                         QStringLiteral("--to"), path("chart.csv")});
            QVERIFY2(outcome.code == 0, outcome.err.c_str());
            const RunResult fromFile = *report::loadRun(m_run.toStdString());
            QCOMPARE(test::readFile(path("chart.csv").toStdString()), report::chartCsv(report::chartData(fromFile, kind)));
        }
    }

    void jsonNeedsNoChart()
    {
        const Outcome outcome = run({m_run, QStringLiteral("--to"), path("run.json")});
        QVERIFY2(outcome.code == 0, outcome.err.c_str());
        QCOMPARE(test::readFile(path("run.json").toStdString()), report::encodeRun(test::sampleRun()));
    }

#ifdef WARDBENCH_GUI
    void drawingNeedsAnApplication()
    {
        const Outcome outcome = run({m_run, QStringLiteral("--chart"), QStringLiteral("rate"), QStringLiteral("--to"), path("a.png")});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.find("cannot draw") != std::string::npos, outcome.err.c_str());
    }

    void programDrawsWithoutADisplay()
    {
        const QStringList arguments{m_run, QStringLiteral("--chart"), QStringLiteral("percentiles"), QStringLiteral("--to")};
        const Outcome first = runProgram(arguments + QStringList(path("one.png")));
        QVERIFY2(first.code == 0, first.err.c_str());
        QCOMPARE(first.out, "saved   " + path("one.png").toStdString() + "\n");
        QCOMPARE(QImage(path("one.png")).size(), QSize(1600, 1000));
        const Outcome second = runProgram(arguments + QStringList(path("two.png")), QStringLiteral("de_DE.UTF-8"));
        QVERIFY2(second.code == 0, second.err.c_str());
        QVERIFY(test::readFile(path("one.png").toStdString()) == test::readFile(path("two.png").toStdString()));
        for (const char *file : {"chart.svg", "chart.pdf"}) {
            const Outcome outcome = runProgram(arguments + QStringList(path(file)));
            QVERIFY2(outcome.code == 0, outcome.err.c_str());
            QVERIFY(QFileInfo(path(file)).size() > 5000);
        }
    }
#else
    void buildWithoutTheWindowSaysSo()
    {
        const Outcome outcome = run({m_run, QStringLiteral("--chart"), QStringLiteral("rate"), QStringLiteral("--to"), path("a.png")});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.find("built without it and writes .csv and .json") != std::string::npos, outcome.err.c_str());
        const Outcome program = runProgram({m_run, QStringLiteral("--chart"), QStringLiteral("rate"), QStringLiteral("--to"), path("p.csv")});
        QVERIFY2(program.code == 0, program.err.c_str());
    }
#endif
};

QTEST_GUILESS_MAIN(TestExportCommand)
#include "tst_exportcommand.moc"
