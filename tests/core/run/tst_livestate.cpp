#include "run/livestate.h"

#include <QTest>

using namespace wardbench;
using namespace std::chrono_literals;

class TestLiveState : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void figuresOfEndedAndRunningSlotsAddUp()
    {
        LiveState live;
        live.begin({"Bare client", "Warden"}, {1s, 1s}, 2);
        live.beginSlot(0, "repetition 1 of 2, Bare client");
        QCOMPARE(live.snapshot().phase, std::string("Warming up: repetition 1 of 2, Bare client"));

        LiveUpdate update;
        update.measuring = true;
        update.fraction = 0.5;
        update.runs = 100;
        update.errors = 3;
        update.upstream = 90;
        update.measuredFor = 500ms;
        update.latency.record(80'000'000, 100);
        update.modules = {{"cache", "hits", 10}};
        live.update(update);
        RunSnapshot snapshot = live.snapshot();
        QCOMPARE(snapshot.state, RunSnapshot::State::Measuring);
        QCOMPARE(snapshot.phase, std::string("Measuring: repetition 1 of 2, Bare client"));
        QCOMPARE(snapshot.contestants[0].completed, std::uint64_t(100));
        QCOMPARE(snapshot.contestants[0].requestsPerSecond, 200.0);
        QCOMPARE(snapshot.contestants[0].latency.count(), std::uint64_t(100));

        Measurement ended;
        ended.runs = 200;
        ended.errors = 4;
        ended.upstream_hits = 180;
        ended.duration_ms = 1000;
        ended.modules = {{"cache", "hits", 20}};
        live.endSlot(ended);
        live.beginSlot(1, "repetition 1 of 2, Warden");
        live.endSlot(Measurement());
        live.beginSlot(0, "repetition 2 of 2, Bare client");
        live.update(update);
        snapshot = live.snapshot();
        QCOMPARE(snapshot.contestants[0].completed, std::uint64_t(300));
        QCOMPARE(snapshot.contestants[0].errors, std::uint64_t(7));
        QCOMPARE(snapshot.contestants[0].upstream, std::uint64_t(270));
        QCOMPARE(snapshot.contestants[0].modules.front().count, std::uint64_t(30));
        QCOMPARE(snapshot.contestants[1].completed, std::uint64_t(0));
    }

    void progressNeverGoesBack()
    {
        LiveState live;
        live.begin({"one"}, {1ms}, 50);
        double last = 0;
        for (int i = 0; i < 50; ++i) {
            live.beginSlot(0, "x");
            for (const double fraction : {0.01, 0.3, 0.2, 1.0}) {
                LiveUpdate update;
                update.fraction = fraction;
                live.update(update);
                const RunSnapshot snapshot = live.snapshot();
                QVERIFY(snapshot.progress >= last && snapshot.progress <= 1);
                QVERIFY(snapshot.remaining >= 0ns);
                last = snapshot.progress;
            }
            live.endSlot(Measurement());
        }
        live.finish();
        QCOMPARE(live.snapshot().progress, 1.0);
        QCOMPARE(live.snapshot().remaining, Nanoseconds(0));
        QCOMPARE(live.snapshot().state, RunSnapshot::State::Finished);
    }

    void estimatesGiveWayToWhatWasSeen()
    {
        LiveState live;
        live.begin({"one"}, {1h}, 3);
        QVERIFY(live.snapshot().remaining > 2h);
        live.beginSlot(0, "x");
        live.endSlot(Measurement()); // took no time at all
        QVERIFY(live.snapshot().remaining < 1min);
    }

    void failures()
    {
        LiveState live;
        live.fail("why");
        QCOMPARE(live.snapshot().state, RunSnapshot::State::Failed);
        QCOMPARE(live.snapshot().error, std::string("why"));
    }
};

QTEST_APPLESS_MAIN(TestLiveState)
#include "tst_livestate.moc"
