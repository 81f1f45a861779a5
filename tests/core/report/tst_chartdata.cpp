#include "report/chartdata.h"
#include "support/samplerun.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace wardbench;
using namespace wardbench::report;

namespace {

/// 1,000 samples: 900 of 20 ms, 90 of 50 ms, 10 of 80 ms. By nearest rank everything up to p90 is 20 ms, up to p99
/// 50 ms, and the rest 80 ms.
RunResult steppedRun()
{
    std::vector<double> values(900, 20.0);
    values.insert(values.end(), 90, 50.0);
    values.insert(values.end(), 10, 80.0);
    return test::runWithLatencies(values);
}

double heightAt(const ChartData &chart, double x)
{
    for (const ChartSeries &series : chart.series)
        for (const ChartPoint &point : series.points)
            if (point.x >= x)
                return point.y;
    return -1;
}

bool near(double a, double b, double relative = 0.001)
{
    return std::abs(a - b) <= relative * std::abs(b);
}

std::vector<std::string> lines(const std::string &text)
{
    std::vector<std::string> all;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = text.find('\n', from);
        all.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return all;
}

} // namespace

class TestChartData : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void names()
    {
        for (const char *name : {"duration", "rate", "percentiles", "latency", "throughput", "upstream"}) {
            const auto kind = chartKindFromName(name);
            QVERIFY2(kind, name);
            QCOMPARE(std::string(chartName(*kind)), std::string(name));
            QVERIFY(!chartTitle(*kind).empty());
        }
        QVERIFY(!chartKindFromName("Percentiles"));
        QVERIFY(!chartKindFromName(""));
        QCOMPARE(chartKinds().size(), std::size_t(6));
    }

    void percentileSteps()
    {
        const ChartData chart = chartData(steppedRun(), ChartKind::Percentiles);
        QVERIFY(chart.empty.empty());
        QVERIFY(chart.percentileAxis);
        QCOMPARE(chart.yTitle, std::string("Latency, ms"));
        QVERIFY2(near(chart.xMax, 3.0, 1e-9), "the right end: one sample of 1,000 beyond it");
        QVERIFY(near(heightAt(chart, 0), 20) && near(heightAt(chart, 0.99), 20));
        QVERIFY(near(heightAt(chart, 1.01), 50) && near(heightAt(chart, 1.99), 50));
        QVERIFY(near(heightAt(chart, 2.01), 80) && near(heightAt(chart, 3.0), 80));
    }

    void percentilesBeyondTenSamplesAreThin()
    {
        const ChartData chart = chartData(steppedRun(), ChartKind::Percentiles);
        QCOMPARE(chart.series.size(), std::size_t(2));
        QVERIFY(chart.series[0].style == ChartSeries::Style::Line && chart.series[1].style == ChartSeries::Style::Tail);
        QVERIFY2(near(chart.series[0].points.back().x, 2.0, 1e-9), "p99: ten samples beyond");
        QVERIFY(near(chart.series[1].points.back().x, 3.0, 1e-9));
        QVERIFY(chart.series[1].endMarker);
        QCOMPARE(chart.series[1].label, std::string("Only: max 80.0 ms"));
    }

    void oneUnitForAll_data()
    {
        QTest::addColumn<double>("largest_ms");
        QTest::addColumn<QString>("title");
        QTest::newRow("microseconds") << 0.5 << QStringLiteral("Latency, \u00B5s");
        QTest::newRow("milliseconds") << 5.0 << QStringLiteral("Latency, ms");
        QTest::newRow("still milliseconds") << 9000.0 << QStringLiteral("Latency, ms");
        QTest::newRow("seconds") << 12000.0 << QStringLiteral("Latency, s");
    }
    void oneUnitForAll()
    {
        QFETCH(double, largest_ms);
        QFETCH(QString, title);
        std::vector<double> values(100, 0.2);
        values.push_back(largest_ms);
        QCOMPARE(QString::fromStdString(chartData(test::runWithLatencies(values), ChartKind::Percentiles).yTitle), title);
    }

    void thresholdsAreSteps()
    {
        RunResult run = steppedRun();
        run.thresholds = {{"Only", "latency", "p(95)<60", 50, true, true}, {"Only", "latency", "max<70", 80, true, false},
                          {"Only", "errors", "rate<0.1", 0, true, true}, {"Only", "latency", "avg<70", 30, true, true}};
        const ChartData chart = chartData(run, ChartKind::Percentiles);
        QCOMPARE(chart.marks.size(), std::size_t(2));
        QVERIFY(near(chart.marks[0].limit, 60) && near(chart.marks[0].until, -std::log10(0.05), 1e-9));
        QVERIFY(chart.marks[0].passed && !chart.marks[1].passed);
        QVERIFY(near(chart.marks[1].until, chart.xMax, 1e-9));
        QVERIFY(chart.marks[1].label.find("fails") != std::string::npos);
    }

    void csvOfPercentiles()
    {
        const auto rows = lines(chartCsv(chartData(steppedRun(), ChartKind::Percentiles)));
        QCOMPARE(rows.size(), std::size_t(4));
        QCOMPARE(rows[0], std::string("contestant,percentile_percent,latency_us,samples_beyond"));
        QVERIFY2(rows[1].rfind("Only,90,200", 0) == 0, rows[1].c_str());
        QVERIFY2(rows[1].size() > 4 && rows[1].substr(rows[1].size() - 4) == ",100", rows[1].c_str());
        QVERIFY2(rows[2].rfind("Only,99,500", 0) == 0 && rows[2].substr(rows[2].size() - 3) == ",10", rows[2].c_str());
        QCOMPARE(rows[3], std::string("Only,100,80000,0"));
    }

    void csvOfTime()
    {
        RunResult run = test::runWithLatencies({1});
        TimeBin full, thin;
        full.start_s = 0;
        full.width_s = 2;
        full.completed = 100;
        full.errors = 3;
        full.p50_us = 1500;
        full.p95_us = 2000;
        full.p99_us = 2500;
        full.max_us = 3000;
        thin.start_s = 2;
        thin.width_s = 1;
        thin.completed = 19;
        thin.p50_us = thin.p95_us = thin.p99_us = thin.max_us = 700;
        run.contestants[0].repetitions[0].bins = {full, thin};
        QCOMPARE(chartCsv(chartData(run, ChartKind::Latency)),
                 std::string("contestant,repetition,start_s,end_s,completed,p50_us,p95_us,p99_us,max_us\n"
                             "Only,1,0,2,100,1500,2000,2500,3000\n"
                             "Only,1,2,3,19,,,,700\n"));
        QCOMPARE(chartCsv(chartData(run, ChartKind::Throughput)),
                 std::string("contestant,repetition,start_s,end_s,completed,errors,requests_per_s\n"
                             "Only,1,0,2,100,3,50\n"
                             "Only,1,2,3,19,0,19\n"));
    }

    void csvOfBars()
    {
        const RunResult run = test::sampleRun();
        const auto duration = lines(chartCsv(chartData(run, ChartKind::Duration)));
        QCOMPARE(duration[0], std::string("contestant,repetition,duration_s"));
        QCOMPARE(duration[1], std::string("Bare client,1,16.23"));
        QCOMPARE(duration[4], std::string("Bare client,median,16.245"));
        QCOMPARE(duration[8], std::string("Warden,median,9.12"));
        QCOMPARE(chartCsv(chartData(run, ChartKind::Upstream)),
                 std::string("contestant,counter,requests,percent_of_requests\n"
                             "Bare client,upstream hits,60000,100.000\n"
                             "Warden,upstream hits,6093,10.155\n"
                             "Warden,holder joined,53907,89.845\n"));
    }

    void barsTellWhatModulesBought()
    {
        RunResult run = test::sampleRun();
        run.contestants[1].total.modules = {{"holder", "led", 5}, {"holder", "joined", 0}, {"cache", "hits", 7}, {"cache", "misses", 9},
                                            {"retry", "retries", 0}, {"retry", "recovered", 0}, {"retry", "exhausted", 2}};
        const ChartData chart = chartData(run, ChartKind::Upstream);
        std::vector<std::string> labels;
        for (const ChartBar &bar : chart.bars)
            labels.push_back(bar.label);
        QCOMPARE(labels, (std::vector<std::string>{"Bare client: upstream", "Warden: upstream", "holder joined", "cache hits",
                                                   "retry retries", "retry exhausted"}));
        QCOMPARE(chart.table.rows.size(), std::size_t(2 + 7)); // the table has every counter
    }

    void csvQuotes()
    {
        RunResult run = steppedRun();
        run.contestants[0].name = "a \"b\", c";
        const std::string csv = chartCsv(chartData(run, ChartKind::Duration));
        QVERIFY(csv.find("\n\"a \"\"b\"\", c\",1,1\n") != std::string::npos);
    }

    void thinSlicesAreGaps()
    {
        RunResult run = test::runWithLatencies({1});
        auto &bins = run.contestants[0].repetitions[0].bins;
        for (int i = 0; i < 5; ++i) {
            TimeBin bin;
            bin.start_s = i;
            bin.completed = i == 2 ? 19 : 20;
            bin.p50_us = bin.p95_us = bin.p99_us = 1000;
            bin.max_us = 20000;
            bins.push_back(bin);
        }
        const ChartData chart = chartData(run, ChartKind::Latency);
        std::size_t stretches = 0, points = 0, dots = 0;
        for (const ChartSeries &series : chart.series) {
            stretches += series.style == ChartSeries::Style::Line;
            points += series.style == ChartSeries::Style::Line ? series.points.size() : 0;
            dots += series.style == ChartSeries::Style::Dots ? series.points.size() : 0;
        }
        QCOMPARE(stretches, std::size_t(2));
        QCOMPARE(points, std::size_t(4));
        QCOMPARE(dots, std::size_t(5)); // the maximum is always shown
        QVERIFY(chart.yMax >= 20);
    }

    void wordsInsteadOfAChart()
    {
        for (const ChartKind kind : chartKinds()) {
            const ChartData failed = chartData(test::failedRun(), kind);
            QCOMPARE(failed.empty, std::string("All 50 requests failed, most of them with: connection refused. There is nothing to compare."));
            QCOMPARE(failed.description, failed.empty);
            QVERIFY(!chartData(RunResult(), kind).empty.empty());
        }
        const ChartData few = chartData(test::runWithLatencies({1, 2, 3}), ChartKind::Percentiles);
        QVERIFY2(few.empty.rfind("Too few samples", 0) == 0, few.empty.c_str());
        QVERIFY(chartData(test::runWithLatencies(std::vector<double>(20, 1.0)), ChartKind::Percentiles).empty.empty());
    }

    void captionTellsAll()
    {
        RunResult run = test::sampleRun();
        ChartData chart = chartData(run, ChartKind::Percentiles);
        std::string caption;
        for (const std::string &line : chart.caption)
            caption += line + '\n';
        for (const char *part : {"Holder, described", "closed loop, 500 users", "Bare client: 60,000 requests, 0 errors, 48.73 s",
                                 "Warden: 60,000 requests", "2026-01-31T14:05:00+01:00", "Example CPU, 2 cores", "Wardbench 0.1.0"})
            QVERIFY2(caption.find(part) != std::string::npos, part);
        QVERIFY(chart.subtitle.find("closed loop: stalls are under-counted") != std::string::npos);
        run.warnings = {"scaled run: said on top", "one", "two", "three", "four"};
        chart = chartData(run, ChartKind::Latency);
        QVERIFY(std::count(chart.caption.begin(), chart.caption.end(), run.verdict) == 1);
        QVERIFY(std::count(chart.caption.begin(), chart.caption.end(), "Warning: three") == 1);
        QCOMPARE(chart.caption[chart.caption.size() - 2], std::string("1 more warning in the run"));
        run.interrupted = true;
        run.scale = 0.1;
        chart = chartData(run, ChartKind::Throughput);
        QCOMPARE(chart.caption.front(), std::string("Interrupted: a partial result. Scaled: measured work times 0.1."));
        QVERIFY(chart.shortCaption.rfind("Interrupted", 0) == 0);
    }

    void describesItself()
    {
        const ChartData chart = chartData(steppedRun(), ChartKind::Percentiles);
        QCOMPARE(chart.description, std::string("Only: p50 20.0 ms, p95 50.0 ms, p99 50.0 ms, max 80.0 ms, 1,000 samples"));
        const ChartData small = chartData(test::runWithLatencies(std::vector<double>(40, 2.0)), ChartKind::Percentiles);
        QVERIFY(small.description.find("p99 n too small") != std::string::npos);
    }

    void readsValues()
    {
        const ChartData chart = chartData(steppedRun(), ChartKind::Percentiles);
        QCOMPARE(chartReadOut(chart, 1.0), std::string("p90 = 20.0 ms (Only)"));
        QCOMPARE(chartReadOut(chart, 1.5), std::string("p96.8 = 50.0 ms (Only)"));
        QCOMPARE(chartReadOut(chart, 2.5), std::string("p99.68 = 80.0 ms (Only)"));
        QVERIFY(chartReadOut(chart, 3.5).empty());
        const ChartData rate = chartData(test::sampleRun(), ChartKind::Throughput);
        QVERIFY2(chartReadOut(rate, 2.4).rfind("2.4 s: ", 0) == 0, chartReadOut(rate, 2.4).c_str());
        QVERIFY(chartReadOut(chartData(test::sampleRun(), ChartKind::Duration), 1).empty());
    }

    void numbers_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("decimals");
        QTest::addColumn<QString>("text");
        QTest::newRow("zero") << 0.0 << 0 << "0";
        QTest::newRow("three digits") << 999.0 << 0 << "999";
        QTest::newRow("four digits") << 1000.0 << 0 << "1,000";
        QTest::newRow("millions") << 1234567.0 << 1 << "1,234,567.0";
        QTest::newRow("rounds") << 9.96 << 1 << "10.0";
        QTest::newRow("negative") << -1234.5 << 1 << "-1,234.5";
        QTest::newRow("no minus zero") << -0.001 << 1 << "0.0";
        QTest::newRow("not a number") << std::nan("") << 1 << "-";
    }
    void numbers()
    {
        QFETCH(double, value);
        QFETCH(int, decimals);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(decimalText(value, decimals)), text);
    }

    void percentileLabels_data()
    {
        QTest::addColumn<double>("x");
        QTest::addColumn<QString>("text");
        QTest::newRow("0") << 0.0 << "0 %";
        QTest::newRow("50") << std::log10(2.0) << "50 %";
        QTest::newRow("90") << 1.0 << "90 %";
        QTest::newRow("99") << 2.0 << "99 %";
        QTest::newRow("99.9") << 3.0 << "99.9 %";
        QTest::newRow("99.99") << 4.0 << "99.99 %";
        QTest::newRow("between") << 3.5 << "99.968 %";
    }
    void percentileLabels()
    {
        QFETCH(double, x);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(percentileLabel(x)), text);
    }

    void tableOnDemand()
    {
        for (const ChartKind kind : chartKinds()) {
            const ChartData with = chartData(test::sampleRun(), kind), without = chartData(test::sampleRun(), kind, WithTable::No);
            QVERIFY(!with.table.rows.empty() && without.table.rows.empty());
            QCOMPARE(without.series.size(), with.series.size());
            QCOMPARE(without.bars.size(), with.bars.size());
        }
    }

    void knowsWhenNothingMoved()
    {
        RunResult run = test::sampleRun();
        const ChartData before = chartData(run, ChartKind::Throughput);
        run.contestants[0].total.runs += 100; // counted on, but no slice of time ended
        QVERIFY(chartData(run, ChartKind::Throughput).showsSameAs(before));
        run.contestants[0].repetitions[2].bins.back().completed += 1;
        run.contestants[0].repetitions[2].bins.front().completed += 1;
        QVERIFY(!chartData(run, ChartKind::Throughput).showsSameAs(before));
        QVERIFY(!chartData(run, ChartKind::Rate).showsSameAs(before));
    }

    void theCurveKeepsEveryBucket()
    {
        std::vector<double> values;
        for (int i = 0; i < 20000; ++i)
            values.push_back(1 + i * 0.1);
        const ChartData chart = chartData(test::runWithLatencies(values), ChartKind::Percentiles);
        QVERIFY(chart.table.rows.size() > 1500);
        QVERIFY(near(heightAt(chart, 1.0), 1801));
        QVERIFY(near(heightAt(chart, 2.0), 1981));
    }
};

QTEST_APPLESS_MAIN(TestChartData)
#include "tst_chartdata.moc"
