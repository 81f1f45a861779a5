#include "report/format.h"
#include "report/text.h"

#include "sampleresult.h"

#include <QTest>

using namespace wardbench;

class TestTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theExampleOfTheDescription()
    {
        const std::string expected =
            "Holder, described: closed loop, 500 users, 100,000 iterations, warm-up 1,000, 6 repetitions, seed 1, Qt\n"
            "\n"
            "contestant      runs  errors  time s   req/s  p50 ms    p95    p99  p99.9    max  upstream  cpu us\n"
            "Bare client  600,000       0   97.38   6,161    80.9   83.3   85.5   92.0  135.8   600,000     118\n"
            "Warden       600,000       0   54.61  10,987    62.5   81.5   83.5   88.1   95.8    60,918      31\n"
            "  holder     539,082 joined\n"
            "\n"
            "time s            1      2      3      4      5      6   median\n"
            "Bare client   16.24  16.21  16.22  16.25  16.23  16.23    16.23\n"
            "Warden         9.10   9.08   9.11   9.12   9.10   9.10     9.10\n"
            "speed-up       1.78   1.79   1.78   1.78   1.78   1.78     1.78\n"
            "\n"
            "Warden is 1.78x as fast (1.78 .. 1.79 over 6 repetitions) and sends 10.2 % of the requests upstream.\n"
            "Counts agree: client sent 660,918, mocks received 660,918.\n"
            "note: closed loop: stalls of the server are under-counted\n";
        QCOMPARE(QString::fromStdString(report::table(test::holderDescribed())), QString::fromStdString(expected));
    }

    void warningsStandBelow()
    {
        RunResult result = test::holderDescribed();
        result.mocksReceived += 3;
        result.warnings = {"client and mocks used 97 % of 2 cores: times include the machine"};
        const std::string text = report::table(result);
        QVERIFY(text.find("\nwarning: client and mocks used 97 % of 2 cores: times include the machine\n") !=
                std::string::npos);
        QVERIFY(text.find("Counts agree") == std::string::npos);
    }

    void staysWithinTheWidth_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("repetitions");
        QTest::addColumn<quint64>("runs");
        QTest::newRow("plain") << "Warden" << 6 << quint64(1000);
        QTest::newRow("long name") << QString(200, QLatin1Char('x')) << 6 << quint64(1000);
        QTest::newRow("not ASCII") << QString::fromUtf8("Wärter mit Zähler und sehr langem Namen") << 6
                                   << quint64(1000);
        QTest::newRow("forty repetitions") << "Warden" << 40 << quint64(1000);
        QTest::newRow("hundreds of millions") << QString(60, QLatin1Char('y')) << 6 << quint64(40'000'000);
    }
    void staysWithinTheWidth()
    {
        QFETCH(QString, name);
        QFETCH(int, repetitions);
        QFETCH(quint64, runs);
        RunResult result = test::holderDescribed();
        result.contestants[1] =
            test::contestant(name.toStdString(), std::vector<double>(std::size_t(repetitions), 9.1), runs);
        result.contestants[1].total.upstream_hits = result.contestants[1].total.runs;
        result.clientSent = 0; // leaves the figures alone between the first line and the verdict
        const std::vector<std::string> all = lines(report::table(result));
        std::size_t figures = 0;
        for (std::size_t i = 1; i < all.size() && all[i].find("repetitions)") == std::string::npos; ++i) {
            QVERIFY2(report::columnsOf(all[i]) <= 100, all[i].c_str());
            figures += all[i].empty() ? 0 : 1;
        }
        QVERIFY(figures >= 7);
    }

    void anInterruptedRunHasNoVerdictAndDashes()
    {
        RunResult result = test::holderDescribed();
        result.interrupted = true;
        result.contestants[1].repetitions.pop_back();
        result.contestants[1].repetitions.back().complete = false;
        result.contestants[1].total.complete = false;
        result.warnings = {"interrupted: these figures are a part of the run"};
        const std::string text = report::table(result);
        QVERIFY(text.find("as fast") == std::string::npos);
        QVERIFY(text.find("Warden         9.10   9.08   9.11   9.12      -      -     9.10\n") != std::string::npos);
        QVERIFY(text.find("warning: interrupted") != std::string::npos);
    }

    void thresholdsAreNamed()
    {
        RunResult result = test::holderDescribed();
        result.thresholds = {{"Warden", "errors", "rate<0.001", 0, true, true},
                             {"Warden", "latency", "p(95)<60", 81.46, true, false},
                             {"Warden", "upstream", "rate<0.2", 0, false, false}};
        const std::string text = report::table(result);
        QVERIFY(text.find("threshold holds: Warden errors rate<0.001 (0.00)\n") != std::string::npos);
        QVERIFY(text.find("threshold FAILED: Warden latency p(95)<60 (81.46)\n") != std::string::npos);
        QVERIFY(text.find("threshold not evaluated (no samples): Warden upstream rate<0.2\n") != std::string::npos);
    }

    void moduleCounters()
    {
        Measurement measurement;
        measurement.modules = {{"retry", "retries", 52}, {"retry", "recovered", 50}, {"retry", "exhausted", 0},
                               {"cache", "stored", 265}, {"cache", "hits", 735},     {"cache", "misses", 265}};
        const auto lines = report::moduleLines(measurement);
        QCOMPARE(lines.size(), std::size_t(2));
        QCOMPARE(lines[0].module + " " + lines[0].first + " " + lines[0].rest,
                 std::string("cache 735 hits, 265 misses"));
        QCOMPARE(lines[1].module + " " + lines[1].first + " " + lines[1].rest,
                 std::string("retry 52 retries, 50 recovered"));
    }

    void numbers_data()
    {
        QTest::addColumn<QString>("got");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char *name, const std::string &got, const char *expected) {
            QTest::newRow(name) << QString::fromStdString(got) << QString::fromUtf8(expected);
        };
        row("grouped 0", report::grouped(0), "0");
        row("grouped 999", report::grouped(999), "999");
        row("grouped 1000", report::grouped(1000), "1,000");
        row("grouped million", report::grouped(1234567), "1,234,567");
        row("ms tens", report::milliseconds(80'940'000), "80.9");
        row("ms units", report::milliseconds(4'208'000), "4.21");
        row("ms parts", report::milliseconds(3'400), "0.003");
        row("ratio", report::ratioText(1.7835), "1.78");
        row("ratio tens", report::ratioText(76.72), "76.7");
        row("ratio thousands", report::ratioText(1204.3), "1,204");
        row("percent", report::percentText(0.10153), "10.2 %");
        row("percent all", report::percentText(1), "100 %");
        row("percent none", report::percentText(0), "0 %");
        row("percent small", report::percentText(0.0025), "0.25 %");
        row("percent tiny", report::percentText(0.000001), "less than 0.01 %");
        row("percent nearly", report::percentText(0.99999), "99.9+ %");
        row("seconds", report::secondsText(97.384), "97.38");
        row("seconds, short", report::secondsText(0.0222), "0.0222");
        row("seconds, very short", report::secondsText(0.000764), "0.00076");
        row("no time", report::secondsText(0), "0.00");
        row("cut", report::shortened("abcdef", 4), "abc\u2026");
    }
    void numbers()
    {
        QFETCH(QString, got);
        QFETCH(QString, expected);
        QCOMPARE(got, expected);
    }

private:
    static std::vector<std::string> lines(const std::string &text)
    {
        std::vector<std::string> all;
        for (const QString &line : QString::fromStdString(text).split(QLatin1Char('\n')))
            all.push_back(line.toStdString());
        return all;
    }
};

QTEST_APPLESS_MAIN(TestTable)
#include "tst_table.moc"
