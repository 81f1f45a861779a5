#include "invocation.h"

#include "report/runfile.h"
#include "support/readfile.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace wardbench;
using namespace Qt::StringLiterals;
using test::contains;
using test::Invocation;

namespace {

std::string runText(double rate, const std::string &machine = "Example CPU")
{
    RunResult run;
    run.scenario = "Shop";
    run.scenarioJson = R"({"name":"Shop"})";
    run.environment = {"0.1.0", machine, "6.4.2", "Linux 6.1", "2026-11-30T14:05:00+01:00", 2};
    ContestantResult contestant;
    contestant.name = "Bare client";
    for (int i = 0; i < 8; ++i) {
        Measurement repetition;
        repetition.runs = repetition.success = repetition.upstream_hits = 5000;
        repetition.duration_ms = 5000 / (rate + i) * 1000;
        repetition.latency.record(20'000'000, 5000);
        contestant.repetitions.push_back(repetition);
        contestant.total.add(repetition);
    }
    run.contestants.push_back(std::move(contestant));
    return report::encodeRun(run);
}

} // namespace

class TestCompareCommand : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char *name) const { return m_folder.filePath(QLatin1String(name)); }
    void write(const char *name, const std::string &text) const
    {
        std::ofstream(path(name).toStdString(), std::ios::binary) << text;
    }

private Q_SLOTS:
    void initTestCase()
    {
        write("a.wbrun", runText(1000));
        write("same.wbrun", runText(1001));
        write("slow.wbrun", runText(900, "Other CPU"));
        write("broken.wbrun", "{");
    }

    void help()
    {
        const Invocation invocation({u"compare"_s, u"--help"_s});
        QCOMPARE(invocation.code, 0);
        QVERIFY(invocation.out.starts_with("Usage: wardbench compare [options] A.wbrun B.wbrun"));
    }

    void twoRuns()
    {
        const Invocation invocation({u"compare"_s, path("a.wbrun"), path("slow.wbrun")});
        QCOMPARE(invocation.code, 0);
        QVERIFY2(contains(invocation.out, "Bare client: throughput is 10.0 % slower (0.8"), invocation.out.c_str());
        QVERIFY(contains(invocation.out, "\nBare client  req/s"));
        QVERIFY(contains(invocation.out, "warning: not the same: machine Example CPU / Other CPU\n"));
        QVERIFY(invocation.err.empty());
    }

    void exitCodes()
    {
        QCOMPARE(Invocation({u"compare"_s, u"--fail-on-slower"_s, path("a.wbrun"), path("slow.wbrun")}).code, 99);
        QCOMPARE(Invocation({u"compare"_s, u"--fail-on-slower"_s, path("slow.wbrun"), path("a.wbrun")}).code, 0);
        QCOMPARE(Invocation({u"compare"_s, u"--fail-on-slower"_s, path("a.wbrun"), path("same.wbrun")}).code, 0);
        QCOMPARE(
            Invocation({u"compare"_s, u"--fail-on-slower"_s, u"--margin=20%"_s, path("a.wbrun"), path("slow.wbrun")})
                .code,
            0);
        const Invocation broken({u"compare"_s, path("a.wbrun"), path("broken.wbrun")});
        QCOMPARE(broken.code, 1);
        QVERIFY2(contains(broken.err, "broken.wbrun: line 1, column "), broken.err.c_str());
    }

    void moreThanTwo()
    {
        const Invocation invocation(
            {u"compare"_s, u"--format"_s, u"csv"_s, path("a.wbrun"), path("same.wbrun"), path("slow.wbrun")});
        QCOMPARE(invocation.code, 0);
        QVERIFY(contains(invocation.out, "no difference beyond 1 %") && contains(invocation.out, ",slower\n"));
        QVERIFY(contains(invocation.err, "warning: not the same"));
        QVERIFY(
            Invocation({u"compare"_s, u"--format=json"_s, path("a.wbrun"), path("same.wbrun")}).out.starts_with("["));
        QVERIFY(contains(Invocation({u"compare"_s, u"--format=markdown"_s, path("a.wbrun"), path("same.wbrun")}).out,
                         "| Bare client | req/s |"));
    }

    void wrongUsage_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message");
        QTest::newRow("one") << QStringList{u"a"_s} << u"two run files are needed, not 1"_s;
        QTest::newRow("metric") << QStringList{u"--metric=p42"_s, u"a"_s, u"b"_s} << u"not \"p42\""_s;
        QTest::newRow("margin") << QStringList{u"--margin=0"_s, u"a"_s, u"b"_s} << u"--margin needs a share"_s;
        QTest::newRow("tail margin") << QStringList{u"--tail-margin=x"_s, u"a"_s, u"b"_s}
                                     << u"--tail-margin needs a share"_s;
        QTest::newRow("format") << QStringList{u"--format=xml"_s, u"a"_s, u"b"_s} << u"not \"xml\""_s;
        QTest::newRow("option") << QStringList{u"--formt=json"_s, u"a"_s, u"b"_s} << u"did you mean --format?"_s;
    }
    void wrongUsage()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, message);
        const Invocation invocation(QStringList(u"compare"_s) + arguments);
        QCOMPARE(invocation.code, 2);
        QVERIFY2(contains(invocation.err, message.toStdString()), invocation.err.c_str());
    }

    void exportsOfEveryForm()
    {
        const std::pair<const char *, const char *> forms[]{
            {"o.hgrm", "#[Mean"},          {"o.hlog", "Tag=Bare_client,"},     {"o.html", "<!DOCTYPE html>"},
            {"o.xml", "<testsuites"},      {"o.k6.json", "http_req_duration"}, {"o.warden.json", "\"stats\""},
            {"o.json", "wardbench-run/1"}, {"o.wbrun", "wardbench-run/1"}};
        for (const auto &[name, part] : forms) {
#ifdef WARDBENCH_GUI
            if (QByteArray(name) == "o.html")
                continue; // draws, which needs an application of its own
#endif
            const Invocation invocation({u"export"_s, path("a.wbrun"), u"--to"_s, path(name)});
            QVERIFY2(invocation.code == 0, invocation.err.c_str());
            QVERIFY2(contains(test::readFile(path(name).toStdString()), part), name);
        }
        const Invocation chart({u"export"_s, path("o.hlog"), u"--chart"_s, u"percentiles"_s, u"--to"_s, path("c.csv")});
        QVERIFY2(chart.code == 0, chart.err.c_str());
        QVERIFY(contains(test::readFile(path("c.csv").toStdString()), "Bare_client"));
        QCOMPARE(Invocation({u"compare"_s, path("o.hgrm"), path("o.hlog")}).code, 0);
    }
};

QTEST_GUILESS_MAIN(TestCompareCommand)
#include "tst_comparecommand.moc"
