#include "load/engine.h"
#include "run/assessment.h"
#include "support/manualscheduler.h"

#include <QFile>
#include <QTest>

#include <algorithm>

using namespace wardbench;

namespace {

constexpr double injected = 1.05;              // how much slower the second contestant answers
constexpr std::uint64_t requestsPerSlot = 200; // about as long as a short repetition in life
constexpr int fewestRepetitions = 6, mostRepetitions = 60;

/// How often each kind of comparison is made: a few in the suite, 1,000 as the soak test (WARDBENCH_SIMULATIONS).
int simulations()
{
    bool isNumber = false;
    const int wanted = qEnvironmentVariableIntValue("WARDBENCH_SIMULATIONS", &isNumber);
    return isNumber ? wanted : 25;
}

/// Microseconds, in the order of the answers (tests/bench/bench_servicetimes.cpp).
std::vector<std::int64_t> recordedTimes()
{
    std::vector<std::int64_t> times;
    QFile file(QStringLiteral(WARDBENCH_TEST_DATA "/stats/servicetimes.txt"));
    if (!file.open(QIODevice::ReadOnly))
        return times;
    for (const QByteArray &line : file.readAll().split('\n')) {
        if (!line.isEmpty() && line.front() != '#')
            times.push_back(line.toLongLong());
    }
    return times;
}

/// Answers after the recorded times, one after the other from a place in the record, times a factor.
class ReplayTransport final : public Transport
{
public:
    ReplayTransport(Scheduler &scheduler, const std::vector<std::int64_t> &times, std::size_t from, double factor)
        : m_scheduler(scheduler), m_times(times), m_next(from), m_factor(factor)
    {
    }

    void send(const ClientRequestPtr &, ReplyCallback callback) override
    {
        const auto service = std::chrono::microseconds(m_times[m_next % m_times.size()]);
        ++m_next;
        ++m_sent;
        Reply reply;
        reply.response = m_answer;
        reply.timings.called = reply.timings.sent = m_scheduler.clock().now();
        m_scheduler.after(std::chrono::duration_cast<Nanoseconds>(service * m_factor),
                          [this, callback, reply]() mutable {
                              reply.timings.done = m_scheduler.clock().now();
                              callback(reply);
                          });
    }
    void cancelAll() override {}
    std::uint64_t sentCount() const override { return m_sent; }

private:
    Scheduler &m_scheduler;
    const std::vector<std::int64_t> &m_times;
    const std::shared_ptr<const http::Response> m_answer = std::make_shared<http::Response>();
    std::size_t m_next;
    double m_factor;
    std::uint64_t m_sent = 0;
};

RunPlan planOf(std::uint64_t seed)
{
    RunPlan plan;
    plan.seed = seed;
    plan.scenario.name = "simulation";
    plan.scenario.request.path = "/";
    plan.scenario.load.users = 4;
    plan.scenario.load.measured.iterations = requestsPerSlot;
    plan.scenario.repetitions = fewestRepetitions;
    plan.scenario.comparison.metric = "p50";
    plan.scenario.comparison.margin = 0.02;
    plan.scenario.comparison.maxRepetitions = mostRepetitions;
    plan.contestants = {{"A", nullptr, 0}, {"B", nullptr, 0}};
    plan.targets.resize(1);
    plan.targets[0].host = "simulated";
    plan.expected = {std::chrono::seconds(1), std::chrono::seconds(1)};
    return plan;
}

SlotOutcome slotOf(const RunPlan &plan, std::size_t contestant, int repetition, Transport &transport,
                   test::ManualScheduler &scheduler)
{
    LiveCounters live;
    LoadEngine engine(plan.engineSettings(contestant, repetition, 0), transport, scheduler, live);
    bool finished = false;
    engine.start([] {}, [&finished] { finished = true; });
    while (!finished)
        scheduler.advance(std::chrono::milliseconds(50));
    SlotOutcome outcome;
    outcome.contestant = contestant;
    outcome.measurement = engine.measurement();
    return outcome;
}

/// A whole run as RunSession does it, on the fake clock: slots in turn, each replaying the next piece of the record,
/// until the interval is narrow enough.
RunResult simulate(const std::vector<std::int64_t> &times, std::uint64_t seed, double factor)
{
    const RunPlan plan = planOf(seed);
    const RandomStream places(seed, 0, "place");
    std::size_t place = static_cast<std::size_t>(places.integer(0, 0, static_cast<std::int64_t>(times.size()) - 1));
    test::ManualScheduler scheduler;
    std::vector<SlotOutcome> outcomes;
    for (int repetition = 0; repetition < plan.mostRepetitions(); ++repetition) {
        if (repetition >= plan.scenario.repetitions && decidedEnough(plan, outcomes))
            break;
        for (const std::size_t contestant : plan.order(repetition)) {
            ReplayTransport transport(scheduler, times, place, contestant == 1 ? factor : 1);
            outcomes.push_back(slotOf(plan, contestant, repetition, transport, scheduler));
            place += requestsPerSlot;
        }
    }
    return assess(plan, std::move(outcomes), {}, false);
}

struct Tally
{
    int faster = 0, slower = 0, same = 0, notDecided = 0;
    double repetitions = 0;

    void add(const RunResult &result)
    {
        const MetricComparison &primary = *primaryOf(result.contestants[1].comparisons);
        repetitions += static_cast<double>(primary.n);
        switch (primary.verdict) {
        case Verdict::Faster:
        case Verdict::SlightlyFaster:
            ++faster;
            break;
        case Verdict::Slower:
        case Verdict::SlightlySlower:
            ++slower;
            break;
        case Verdict::Same:
            ++same;
            break;
        case Verdict::NotDecided:
            ++notDecided;
        }
    }
};

} // namespace

// Verdicts on recorded service times: two of the same are seldom told apart, two that differ by 5 % nearly always.
class TestSimulation : public QObject
{
    Q_OBJECT

private:
    std::vector<std::int64_t> m_times;

    Tally tally(double factor) const
    {
        Tally tally;
        for (int i = 0; i < simulations(); ++i)
            tally.add(simulate(m_times, static_cast<std::uint64_t>(1000 + i), factor));
        qInfo("factor %.2f, %d runs of %.1f repetitions: %d faster, %d slower, %d the same, %d not decided", factor,
              simulations(), tally.repetitions / simulations(), tally.faster, tally.slower, tally.same,
              tally.notDecided);
        return tally;
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_times = recordedTimes();
        QVERIFY(m_times.size() >= 10'000);
        QVERIFY(*std::min_element(m_times.begin(), m_times.end()) > 0);
    }

    void twoOfTheSame()
    {
        const Tally result = tally(1);
        // The bounds are those of many runs; the few of the suite, always the same ones, keep them with one more.
        const double slack = simulations() >= 1000 ? 0 : 1.0 / simulations();
        QVERIFY(result.faster + result.slower <= (0.05 + slack) * simulations());
        QVERIFY(result.notDecided <= (0.20 + slack) * simulations());
    }

    void fivePercentAreFound()
    {
        const Tally result = tally(injected);
        QVERIFY(result.slower >= 0.90 * simulations());
        QCOMPARE(result.faster, 0);
    }

    void repeatsExactly()
    {
        const RunResult one = simulate(m_times, 7, injected), two = simulate(m_times, 7, injected);
        QCOMPARE(one.contestants[1].comparisons, two.contestants[1].comparisons);
        QCOMPARE(one.verdict, two.verdict);
    }
};

QTEST_APPLESS_MAIN(TestSimulation)
#include "tst_simulation.moc"
