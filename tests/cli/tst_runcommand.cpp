#include "cli/runcommand.h"
#include "cli/runoptions.h"
#include "cli/runprogress.h"
#include "report/jtl.h"
#include "report/runfile.h"
#include "support/readfile.h"
#include "json/parser.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <csignal>
#include <map>
#include <sstream>

using namespace wardbench;
using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

struct Outcome
{
    int code = 0;
    QString out, err;
};

Outcome run(const QStringList &arguments)
{
    std::ostringstream out, err;
    std::istringstream in;
    cli::RunCommand command;
    const int code = command.execute(arguments, {out, err, in});
    return {code, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

const char *const workspaceText = R"({
  "format": "wardbench/1",
  "name": "command",
  "imposters": [
    {
      "protocol": "http", "name": "fast", "keepAlive": true,
      "stubs": [{ "responses": [{ "is": { "statusCode": 200 }, "behaviors": [{ "wait": 5 }] }] }]
    }
  ],
  "policies": [{ "name": "cache", "cache": true }],
  "scenarios": [
    {
      "name": "One, fast", "request": { "target": "fast", "path": "/one" },
      "contestants": [{ "name": "Bare client" }, { "name": "Warden", "policy": "cache" }],
      "load": { "users": 5, "iterations": 100, "warmup": { "iterations": 50 } }, "repetitions": 2, "seed": 3
    },
    {
      "name": "Two", "request": { "target": "fast" }, "contestants": [{ "name": "Bare client" }],
      "load": { "users": 2, "iterations": 40 }, "repetitions": 1, "seed": 3,
      "thresholds": { "Bare client": { "latency": ["p(50)<1"], "errors": ["rate<0.1"] } }
    },
    {
      "name": "Long", "request": { "target": "fast" }, "contestants": [{ "name": "Bare client" }],
      "load": { "users": 2, "duration": "90s" }, "repetitions": 1, "seed": 3
    }
  ]
}
)";

} // namespace

class TestRunCommand : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        qputenv("XDG_DATA_HOME", (m_folder.path() + u"/data"_s).toLocal8Bit());
        m_file = write(u"shop.wardbench"_s, workspaceText);
    }

    void helpIsTheDocumentedText()
    {
        const Outcome outcome = run({u"--help"_s});
        QCOMPARE(outcome.code, 0);
        QVERIFY(outcome.err.isEmpty());
        const char *const documented =
            "Usage: wardbench run [options] FILE\n"
            "Run a workspace's scenarios against its mocks; compare the contestants.\n"
            "\n"
            "  --scenario NAME       this one only (repeatable, * matches any text; default: all, in file order)\n"
            "  --list                print scenarios with iterations and estimated time; run nothing\n"
            "  --scale F             multiply measured iterations and durations by F (0.1 = a tenth); users and "
            "warm-up stay\n"
            "  --repetitions N       instead of the scenario's\n"
            "  --seed N              instead of the scenario's; the same seed draws the same values and answers\n"
            "  --transport qt|socket instead of the scenario's\n"
            "  --allow-remote        send load to the servers that the workspace names, if they are not this machine\n"
            "  --out DIR             write NAME.wbrun and the --format files here\n"
            "  --format LIST         table, markdown, json, csv, warden, junit; to DIR if --out is given, else "
            "standard output\n"
            "  --jtl FILE            also write every measured request as a line of JMeter's results (CSV, 17 "
            "columns)\n"
            "  --summariser          also print JMeter's summary lines while it runs, every half minute and at the "
            "end\n"
            "  --locale NAME         decimal point of the summary lines: of C (the default), or of a locale such as "
            "de_DE\n"
            "  --quiet               no progress; results only\n"
            "\n"
            "Exit code: 0 ran (requests may have failed: set thresholds); 1 file has issues or a mock cannot start;\n"
            "           2 wrong usage; 99 a threshold failed; 130 interrupted\n";
        QCOMPARE(outcome.out, QString::fromUtf8(documented));
    }

    void wrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message");
        const QString file = u"x.wardbench"_s;
        QTest::newRow("no file") << QStringList{} << u"no file given"_s;
        QTest::newRow("two files") << QStringList{file, file} << u"one file at a time, not 2"_s;
        QTest::newRow("transport") << QStringList{u"--transport=http"_s, file}
                                   << u"--transport is qt or socket, not \"http\""_s;
        QTest::newRow("scale") << QStringList{u"--scale=0"_s, file}
                               << u"--scale needs a number above 0 such as 0.1, not \"0\""_s;
        QTest::newRow("scale text") << QStringList{u"--scale=x"_s, file} << u"--scale needs a number"_s;
        QTest::newRow("repetitions") << QStringList{u"--repetitions"_s, u"0"_s, file}
                                     << u"--repetitions needs a number from 1"_s;
        QTest::newRow("seed") << QStringList{u"--seed=-1"_s, file} << u"--seed needs a whole number"_s;
        QTest::newRow("format") << QStringList{u"--format=table,xml"_s, file} << u"not \"xml\""_s;
        QTest::newRow("out") << QStringList{u"--out="_s, file} << u"--out needs a folder"_s;
        QTest::newRow("locale") << QStringList{u"--locale=nowhere"_s, file}
                                << u"--locale needs a name like C or de_DE"_s;
        QTest::newRow("jtl") << QStringList{u"--jtl="_s, file} << u"--jtl needs a file"_s;
        QTest::newRow("no value") << QStringList{u"--seed"_s} << u"missing value"_s;
    }
    void wrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, message);
        const Outcome outcome = run(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY(outcome.out.isEmpty());
        QVERIFY2(outcome.err.contains(message), qPrintable(outcome.err));
        QVERIFY(outcome.err.startsWith("wardbench run: "_L1));
    }

    void unknownScenario()
    {
        const Outcome outcome = run({u"--scenario"_s, u"Three*"_s, m_file});
        QCOMPARE(outcome.code, 2);
        QVERIFY(outcome.err.contains(u"no scenario fits \"Three*\"; the file has \"One, fast\", \"Two\", \"Long\""_s));
    }

    void filesWithIssues()
    {
        const QString broken = write(u"broken.wardbench"_s, "{ \"format\": \"wardbench/1\",\n  \"scenarios\": 1 }");
        const Outcome outcome = run({broken});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.contains(broken + u":2:"_s), qPrintable(outcome.err));
        QVERIFY(outcome.err.contains(u"error: /scenarios: "_s));
        QCOMPARE(run({m_folder.filePath(u"none"_s)}).code, 1);
        const QString empty = write(u"empty.wardbench"_s, "{ \"format\": \"wardbench/1\" }");
        QVERIFY(run({empty}).err.contains(u"has no scenarios"_s));
        QCOMPARE(run({empty}).code, 1);
    }

    void list()
    {
        const Outcome outcome = run({u"--list"_s, m_file});
        QCOMPARE(outcome.code, 0);
        QCOMPARE(outcome.out, u"scenario   iterations  about\n"
                              "One, fast         600  1 s\n"
                              "Two                40  1 s\n"
                              "Long                -  1 min 31 s\n"_s);
    }

    void tableAndMessagesGoTheirWays()
    {
        const Outcome outcome = run({u"--scenario"_s, u"One*"_s, m_file});
        QCOMPARE(outcome.code, 0);
        const QStringList err = outcome.err.split(u'\n');
        QCOMPARE(err[0], u"1 scenario, about 1 s (2 repetitions)"_s);
        QCOMPARE(err[1], u"1 of 1: One, fast, about 1 s"_s);
        const QStringList out = outcome.out.split(u'\n');
        QCOMPARE(out[0], u"One, fast: closed loop, 5 users, 100 iterations, warm-up 50, 2 repetitions, seed 3, Qt"_s);
        QVERIFY2(out[2].startsWith("contestant   runs  errors"_L1), qPrintable(out[2]));
        QVERIFY(outcome.out.contains(u"\nCounts agree: client sent "_s));
        QVERIFY(outcome.out.contains(u"\nWarden is "_s));
        QVERIFY(outcome.out.contains(u"\nnote: closed loop: stalls of the server are under-counted\n"_s));
        QVERIFY2(
            outcome.out.endsWith(u"\nagain   wardbench run "_s + m_file + u" --scenario \"One, fast\" --seed 3\n"_s),
            qPrintable(outcome.out));
        const qsizetype saved = outcome.out.indexOf(u"\nsaved   "_s);
        QVERIFY(saved > 0);
        const QString path = outcome.out.mid(saved + 9).section(u'\n', 0, 0);
        QVERIFY2(path.startsWith(m_folder.path() + u"/data/wardbench/runs/shop-"_s), qPrintable(path));
        QVERIFY(bool(report::loadRun(path.toStdString())));
    }

    void quietSaysResultsOnly()
    {
        const Outcome outcome = run({u"--quiet"_s, u"--scenario"_s, u"One*"_s, u"--repetitions"_s, u"1"_s, m_file});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.err.isEmpty(), qPrintable(outcome.err));
        QVERIFY(outcome.out.startsWith("One, fast: "_L1));
    }

    void aFailedThresholdIs99()
    {
        const Outcome outcome = run({u"--scenario"_s, u"Two"_s, m_file});
        QCOMPARE(outcome.code, 99);
        QVERIFY(outcome.out.contains(u"threshold FAILED: Bare client latency p(50)<1 ("_s));
        QVERIFY(outcome.out.contains(u"threshold holds: Bare client errors rate<0.1 (0.00)"_s));
    }

    void filesOfOut()
    {
        const QString folder = m_folder.filePath(u"out/deep"_s);
        const Outcome outcome =
            run({u"--out"_s, folder, u"--format"_s, u"markdown,json,csv,warden,table"_s, u"--scenario"_s, u"One*"_s,
                 u"--scenario"_s, u"Two"_s, u"--repetitions=1"_s, m_file});
        QCOMPARE(outcome.code, 99);
        const QStringList files = QDir(folder).entryList(QDir::Files, QDir::Name);
        QCOMPARE(files,
                 (QStringList{u"one-fast.txt"_s, u"one-fast.warden.json"_s, u"one-fast.wbrun"_s, u"results.csv"_s,
                              u"results.json"_s, u"results.md"_s, u"two.txt"_s, u"two.warden.json"_s, u"two.wbrun"_s}));
        const auto text = [&folder](const char *name) {
            return test::readFile((folder + u'/' + QLatin1StringView(name)).toStdString());
        };
        QVERIFY(bool(report::decodeRun(text("one-fast.wbrun"))));
        QVERIFY(outcome.out.contains(u"\nsaved   "_s + folder + u"/one-fast.wbrun\n"_s));
        QVERIFY(text("results.md").find("## One, fast") != std::string::npos);
        QVERIFY(text("results.md").find("## Two") != std::string::npos);
        const json::ParseResult list = json::parse(text("results.json"));
        QCOMPARE(std::get<json::Value>(list).size(), std::size_t(2));
        const json::ParseResult warden = json::parse(text("one-fast.warden.json"));
        QCOMPARE(std::get<json::Value>(warden).at(1)["stats"]["runs"].toInteger().value_or(0), std::int64_t(100));
        QVERIFY(text("one-fast.txt").find("again   wardbench run ") != std::string::npos);
    }

    void machineFormatsAreAloneOnStandardOutput()
    {
        const Outcome outcome =
            run({u"--format=json"_s, u"--scenario=One*"_s, u"--repetitions=1"_s, u"--seed=5"_s, m_file});
        QCOMPARE(outcome.code, 0);
        const json::ParseResult parsed = json::parse(outcome.out.toStdString());
        QVERIFY(std::holds_alternative<json::Value>(parsed));
        QCOMPARE(std::get<json::Value>(parsed).at(0)["seed"].toInteger().value_or(0), std::int64_t(5));
    }

    /// Every measured request is a line; warm-ups are not. Lines as JMeter's, behind the table the sum of all.
    void samples()
    {
        const QString file = m_folder.filePath(u"all.jtl"_s);
        const Outcome outcome =
            run({m_file, u"--scenario"_s, u"One*"_s, u"--jtl"_s, file, u"--summariser"_s, u"--locale"_s, u"de_DE"_s});
        QCOMPARE(outcome.code, 0);
        const auto list = report::readJtl(test::readFile(file.toStdString()));
        QVERIFY2(bool(list), list ? "" : list.error().message.c_str());
        QCOMPARE(list->samples.size(), std::size_t(400)); // 2 contestants, 2 repetitions
        std::map<std::string, int> byLabel;
        for (const Sample &sample : list->samples) {
            ++byLabel[sample.label];
            QVERIFY(sample.success && sample.code == "200");
            QVERIFY(sample.allThreads >= 1 && sample.allThreads <= 5);
            QVERIFY(sample.url.ends_with("/one"));
            QVERIFY(sample.thread.starts_with(sample.label + " 1-"));
        }
        QCOMPARE(byLabel, (std::map<std::string, int>{{"Bare client", 200}, {"Warden", 200}}));
        const QStringList lines = outcome.out.split(u'\n', Qt::SkipEmptyParts);
        QVERIFY2(lines.last().startsWith(u"summary =    400 in 00:00:"_s), qPrintable(outcome.out));
        QVERIFY2(lines.last().endsWith(u"Err:     0 (0,00%)"_s), qPrintable(outcome.out));
    }

    void samplesThatCannotBeWritten()
    {
        const Outcome outcome = run({m_file, u"--scenario"_s, u"Two"_s, u"--jtl"_s, u"/dev/null/x.jtl"_s});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.contains(u"/dev/null/x.jtl: cannot be written: "_s), qPrintable(outcome.err));
    }

    void aFolderThatCannotBeMade()
    {
        const Outcome outcome = run({u"--out"_s, u"/proc/none"_s, m_file});
        QCOMPARE(outcome.code, 1);
        QVERIFY(outcome.err.contains(u"/proc/none: the folder cannot be made"_s));
    }

    void controlCKeepsThePartialResult()
    {
        const QString folder = m_folder.filePath(u"stopped"_s);
        QTimer::singleShot(1500, [] { std::raise(SIGINT); });
        const Outcome outcome = run({u"--out"_s, folder, u"--scenario=Long"_s, u"--scenario=Two"_s, m_file});
        QCOMPARE(outcome.code, 130); // "Two" came before and failed its threshold: interrupted is what counts
        const Result<RunResult> result = report::loadRun((folder + u"/long.wbrun"_s).toStdString());
        QVERIFY(bool(result));
        QVERIFY(result->interrupted);
        QVERIFY(result->contestants[0].total.runs > 0);
        QVERIFY(outcome.out.contains(u"warning: interrupted: these figures are a part of the run"_s));
    }

    void scaled()
    {
        const Outcome outcome = run({u"--scale=0.5"_s, u"--scenario=One*"_s, u"--repetitions=1"_s, m_file});
        QCOMPARE(outcome.code, 0);
        QVERIFY(outcome.out.contains(u"50 iterations (scale 0.5)"_s));
        QVERIFY(outcome.out.contains(u"warning: scaled run"_s));
        QVERIFY(outcome.out.contains(u" --scale 0.5 --repetitions 1 --seed 3\n"_s));
    }

    void bars_data()
    {
        QTest::addColumn<double>("fraction");
        QTest::addColumn<qint64>("left_ms");
        QTest::addColumn<QString>("line");
        QTest::newRow("start") << 0.0 << qint64(930'000) << "[>-----------------------]   0 %  15 min 30 s left  x";
        QTest::newRow("half") << 0.5 << qint64(9'840) << "[============>-----------]  50 %  9.8 s left  x";
        QTest::newRow("end") << 1.0 << qint64(0) << "[========================] 100 %  0.0 s left  x";
    }
    void bars()
    {
        QFETCH(double, fraction);
        QFETCH(qint64, left_ms);
        const std::string line = cli::RunProgress::barLine(fraction, std::chrono::milliseconds(left_ms), "x", 100);
        QTEST(QString::fromStdString(line), "line");
        QVERIFY(QString::fromStdString(
                    cli::RunProgress::barLine(fraction, std::chrono::milliseconds(left_ms), std::string(200, 'y'), 79))
                    .size() == 79);
    }

private:
    QString write(const QString &name, const char *text) const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) < 0)
            qFatal("cannot write %s", qPrintable(name));
        return file.fileName();
    }

    QTemporaryDir m_folder;
    QString m_file;
};

QTEST_GUILESS_MAIN(TestRunCommand)
#include "tst_runcommand.moc"
