// A real server stopped for 5 s within 20 s of a fixed rate. Of requests due in a stall of S seconds in T seconds the
// percentile q is S - T (1 - q): p90 is 3.0 s and p99 4.8 s.
#include "cli/serveprocess.h"
#include "codec/workspacefile.h"
#include "run/runsession.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace wardbench;

namespace {

const QByteArray served =
    "{ \"format\": \"wardbench/1\", \"imposters\": [{ \"protocol\": \"http\", \"name\": \"still\", "
    "\"keepAlive\": true, \"stubs\": [{ \"responses\": [{ \"is\": { \"body\": \"ok\" } }] }] }] }";

std::string scenarioFor(std::uint16_t port)
{
    return "{ \"format\": \"wardbench/1\", \"scenarios\": [{ \"name\": \"s\", \"request\": { \"target\": "
           "\"http://127.0.0.1:" +
           std::to_string(port) +
           "\" }, \"contestants\": [{ \"name\": \"A\" }], \"transport\": \"socket\", \"repetitions\": 1, \"load\": { "
           "\"model\": \"constant-arrival-rate\", \"rate\": 200, \"duration\": \"20s\", \"maxVUs\": 2000 } }] }";
}

} // namespace

class TestServerFreeze : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void percentilesOfAStall()
    {
        test::Serve server({QStringLiteral("-")}, served);
        const std::uint16_t port = server.ready("still");
        QVERIFY(port != 0);
        RunRequest request;
        request.workspace = codec::loadText(scenarioFor(port)).workspace;
        QVERIFY(request.workspace);
        request.scenario = "s";
        request.keep = false;
        RunSession session(std::move(request));
        session.start();
        const auto completed = [&session] {
            const RunSnapshot snapshot = session.snapshot();
            return snapshot.contestants.empty() ? 0 : snapshot.contestants[0].completed;
        };
        QTRY_VERIFY_WITH_TIMEOUT(completed() > 400, 20'000); // well within the phase
        server.signal(SIGSTOP);
        QTest::qWait(5000); // the stall itself
        server.signal(SIGCONT);
        session.wait();

        const Result<RunResult> result = session.result();
        QVERIFY2(bool(result), result ? "" : result.error().message.c_str());
        const Measurement &total = result->contestants[0].total;
        QCOMPARE(total.runs, std::uint64_t(4000));
        QCOMPARE(total.errors, std::uint64_t(0));
        QCOMPARE(total.droppedStarts, std::uint64_t(0));
        for (const auto &[percent, expected] : {std::pair{90.0, 3.0}, std::pair{99.0, 4.8}}) {
            const double got = static_cast<double>(total.latency.percentile(percent)) / 1e9;
            qInfo("p%g %.3f s, expected %.1f s", percent, got, expected);
            QVERIFY(std::abs(got - expected) <= 0.05 * expected);
        }
    }
};

QTEST_GUILESS_MAIN(TestServerFreeze)
#include "tst_serverfreeze.moc"
