#include "report/text.h"

#include "sampleresult.h"

#include <QTest>

Q_DECLARE_METATYPE(wardbench::RunResult) // before the first column of that type

using namespace wardbench;

namespace {

struct Figures
{
    std::uint64_t runs, errors, upstream;
};

RunResult compared(Figures base, Figures own, double ratio, double median, double low, double high, int repetitions = 6)
{
    RunResult result;
    for (const auto &[name, figures] : {std::pair{"Bare client", base}, std::pair{"Warden", own}}) {
        ContestantResult contestant;
        contestant.name = name;
        contestant.repetitions.resize(std::size_t(repetitions));
        contestant.total.runs = figures.runs;
        contestant.total.errors = figures.errors;
        contestant.total.success = figures.runs - figures.errors;
        contestant.total.upstream_hits = figures.upstream;
        result.contestants.push_back(contestant);
    }
    result.contestants[1].durationRatio = ratio;
    result.contestants[1].speedupMedian = median;
    result.contestants[1].speedupLow = low;
    result.contestants[1].speedupHigh = high;
    return result;
}

} // namespace

class TestVerdict : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sentence_data()
    {
        QTest::addColumn<RunResult>("result");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, RunResult result, const char *expected) {
            QTest::newRow(name) << result << QString::fromUtf8(expected);
        };
        row("faster, fewer upstream", test::holderDescribed(),
            "Warden is 1.78x as fast (1.78 .. 1.79 over 6 repetitions) and sends 10.2 % of the requests upstream.");
        row("errors first", compared({5000, 51, 5000}, {5000, 0, 5052}, 1.01, 0.99, 0.98, 1.0),
            "Warden fails 0 of 5,000 requests, Bare client 51; time 1.01x, upstream 5,052.");
        row("faster but more errors", compared({5000, 0, 5000}, {5000, 2, 500}, 0.5, 2, 2, 2),
            "Warden fails 2 of 5,000 requests, Bare client 0; time 0.50x, upstream 500.");
        row("errors, other number of runs", compared({1000, 30, 1000}, {2000, 0, 900}, 1, 2, 1.9, 2.1),
            "Warden fails 0 of 2,000 requests, Bare client 30 of 1,000; rate 2.00x, upstream 900.");
        row("same", compared({10000, 0, 10000}, {10000, 0, 10000}, 1, 1, 0.99, 1.01),
            "Warden takes the same time as Bare client (0.99 .. 1.01 over 6 repetitions).");
        row("same time, fewer upstream", compared({100000, 0, 100000}, {100000, 0, 200}, 1, 1, 0.99, 1.01),
            "Warden takes the same time as Bare client (0.99 .. 1.01 over 6 repetitions) and sends 0.20 % of the "
            "requests "
            "upstream.");
        row("unclear", compared({1000, 0, 1000}, {1000, 0, 1000}, 1, 1, 0.9, 1.2),
            "Warden shows no clear difference in time from Bare client (0.90 .. 1.20 over 6 repetitions).");
        row("slower", compared({1000, 0, 1000}, {1000, 0, 1000}, 1.25, 0.8, 0.78, 0.82),
            "Warden takes 1.25x as long (1.22 .. 1.28 over 6 repetitions).");
        row("nothing upstream", compared({1000, 0, 1000}, {1000, 0, 0}, 0.013, 76.7, 74, 80),
            "Warden is 76.7x as fast (74.0 .. 80.0 over 6 repetitions) and sends none of the requests upstream.");
        row("one repetition", compared({1000, 0, 1000}, {1000, 0, 1000}, 0.5, 2, 2, 2, 1),
            "Warden is 2.00x as fast (one repetition).");
        row("equal error rates are no difference", compared({1000, 10, 1000}, {1000, 10, 1000}, 0.5, 2, 2, 2),
            "Warden is 2.00x as fast (2.00 .. 2.00 over 6 repetitions).");

        RunResult interrupted = test::holderDescribed();
        interrupted.interrupted = true;
        row("interrupted", interrupted, "");
        RunResult alone = test::holderDescribed();
        alone.contestants.pop_back();
        row("one contestant", alone, "");
        row("nothing ran", RunResult(), "");
        RunResult empty = compared({1000, 0, 1000}, {0, 0, 0}, 1, 1, 1, 1);
        row("a contestant without samples", empty, "");
    }
    void sentence()
    {
        QFETCH(RunResult, result);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(report::verdict(result)), expected);
    }

    void neverFasterWithMoreErrors()
    {
        for (std::uint64_t errors = 1; errors <= 1000; errors *= 10) {
            const RunResult result = compared({1000, 0, 1000}, {1000, errors, 1000}, 0.1, 10, 10, 10);
            const std::string text = report::verdict(result);
            QVERIFY(text.find("fast") == std::string::npos);
        }
    }

    void threeContestantsGiveTwoSentences()
    {
        RunResult result = test::holderDescribed();
        result.contestants.push_back(result.contestants[1]);
        result.contestants[2].name = "Other";
        const std::string text = report::verdict(result);
        QVERIFY(text.find("Warden is 1.78x as fast") == 0);
        QVERIFY(text.find(" Other is 1.78x as fast") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestVerdict)
#include "tst_verdict.moc"
