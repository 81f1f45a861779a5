#include "cli/runcommand.h"

#include "base/duration.h"
#include "cli/filecheck.h"
#include "cli/nameglob.h"
#include "cli/runoptions.h"
#include "cli/runoutput.h"
#include "cli/runprogress.h"
#include "cli/samplestream.h"
#include "cli/stopsignals.h"
#include "cli/usage.h"
#include "report/format.h"
#include "report/text.h"
#include "run/runsession.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QTimer>

#include <algorithm>
#include <iostream>

namespace wardbench::cli {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto progressInterval = 100ms;

struct Planned
{
    ScenarioPtr scenario;
    Nanoseconds estimate{0};
    int repetitions = 0;
    std::uint64_t iterations = 0;
};

/// One call of the command.
class Runner
{
public:
    Runner(const RunOptions &options, const Streams &streams)
        : m_options(options), m_streams(streams), m_output(options, streams.out, streams.err),
          m_samples(options, streams.out)
    {
    }

    int run();

private:
    bool load();
    int choose();
    void printList() const;
    void printFirstLine() const;
    int runAll();
    bool runOne(RunProgress &progress, const StopSignals &signals, std::size_t index);
    void error(const std::string &text) const { m_streams.err << "error: " << text << std::endl; }

    const RunOptions &m_options;
    const Streams &m_streams;
    RunOutput m_output;
    SampleStream m_samples;
    WorkspacePtr m_workspace;
    std::vector<Planned> m_planned;
    bool m_interrupted = false, m_failed = false, m_thresholdFailed = false;
};

int Runner::run()
{
    if (!load())
        return Failed;
    if (const int wrong = choose())
        return wrong;
    if (m_options.list) {
        printList();
        return Done;
    }
    if (const Result<void> prepared = m_output.prepare(); !prepared) {
        error(prepared.error().message);
        return Failed;
    }
    if (const Result<void> opened = m_samples.open(); !opened) {
        error(opened.error().message);
        return Failed;
    }
    return runAll();
}

bool Runner::load()
{
    const Result<CheckedFile> file = checkedFile(m_options.file);
    if (!file) {
        error(file.error().message);
        return false;
    }
    for (const Issue &issue : file->issues) {
        if (!m_options.quiet || issue.severity == Issue::Severity::Error)
            m_streams.err << issue.format(m_options.file) << '\n';
    }
    m_streams.err << std::flush;
    m_workspace = file->workspace;
    return m_workspace && !hasErrors(file->issues);
}

int Runner::choose()
{
    const auto &scenarios = m_workspace->scenarios;
    if (scenarios.empty()) {
        error(m_options.file + " has no scenarios");
        return Failed;
    }
    for (const std::string &pattern : m_options.scenarios) {
        if (std::any_of(scenarios.begin(), scenarios.end(),
                        [&](const auto &one) { return fitsGlob(pattern, one->name); }))
            continue;
        std::string names;
        for (const ScenarioPtr &scenario : scenarios)
            names += (names.empty() ? "\"" : ", \"") + scenario->name + "\"";
        return wrongUsage(m_streams, u"run"_s,
                          QString::fromStdString("no scenario fits \"" + pattern + "\"; the file has " + names));
    }
    for (const ScenarioPtr &scenario : scenarios) {
        const auto fits = [&](const std::string &pattern) {
            return fitsGlob(pattern, scenario->name);
        };
        if (!m_options.scenarios.empty() && std::none_of(m_options.scenarios.begin(), m_options.scenarios.end(), fits))
            continue;
        Scenario asked = *scenario;
        asked.repetitions = m_options.repetitions.value_or(scenario->repetitions);
        m_planned.push_back({scenario, RunSession::estimate(*m_workspace, asked, m_options.scale), asked.repetitions,
                             RunSession::plannedIterations(asked, m_options.scale)});
    }
    return 0;
}

std::string about(Nanoseconds estimate)
{
    const auto grain = estimate > 2min ? 10s : 1s; // no more exact than it is
    const auto steps = std::max<std::int64_t>(1, (estimate + grain - 1ns) / grain);
    return displayDuration(grain * steps);
}

void Runner::printList() const
{
    std::size_t name = 8, iterations = 10;
    for (const Planned &planned : m_planned) {
        name = std::max(name, report::columnsOf(planned.scenario->name));
        iterations = std::max(iterations, report::grouped(planned.iterations).size());
    }
    m_streams.out << report::padRight("scenario", name) << "  " << report::padLeft("iterations", iterations)
                  << "  about\n";
    for (const Planned &planned : m_planned)
        m_streams.out << report::padRight(planned.scenario->name, name) << "  "
                      << report::padLeft(planned.iterations ? report::grouped(planned.iterations) : "-", iterations)
                      << "  " << about(planned.estimate) << '\n';
    m_streams.out << std::flush;
}

void Runner::printFirstLine() const
{
    Nanoseconds sum{0};
    int fewest = m_planned.front().repetitions, most = fewest;
    for (const Planned &planned : m_planned) {
        sum += planned.estimate;
        fewest = std::min(fewest, planned.repetitions);
        most = std::max(most, planned.repetitions);
    }
    m_streams.err << m_planned.size() << (m_planned.size() == 1 ? " scenario" : " scenarios") << ", about "
                  << about(sum) << " (";
    if (fewest != most)
        m_streams.err << fewest << " to ";
    m_streams.err << most << (most == 1 ? " repetition)" : " repetitions)") << std::endl;
}

int Runner::runAll()
{
    if (!m_options.quiet)
        printFirstLine();
    RunProgress progress(m_streams.err, RunProgress::suited(m_options.quiet, &m_streams.err == &std::cerr),
                         m_planned.size());
    StopSignals signals(Interrupted);
    QObject::connect(&signals, &StopSignals::stopRequested, &signals, [this] { m_interrupted = true; });
    for (std::size_t i = 0; i < m_planned.size() && !m_failed; ++i) {
        QCoreApplication::processEvents(); // a signal that came between two scenarios
        if (m_interrupted)
            break;
        m_failed = !runOne(progress, signals, i);
    }
    if (const Result<void> closed = m_samples.close(); !closed) {
        error(closed.error().message);
        m_failed = true;
    }
    if (const Result<void> finished = m_output.finish(); !finished) {
        error(finished.error().message);
        m_failed = true;
    }
    if (m_interrupted)
        return Interrupted;
    if (m_failed)
        return Failed;
    return m_thresholdFailed ? ThresholdFailed : Done;
}

bool Runner::runOne(RunProgress &progress, const StopSignals &signals, std::size_t index)
{
    RunRequest request;
    request.workspace = m_workspace;
    request.scenario = m_planned[index].scenario->name;
    request.seed = m_options.seed;
    request.repetitions = m_options.repetitions;
    request.transport = m_options.transport;
    request.allowRemote = m_options.allowRemote;
    request.scale = m_options.scale;
    request.samples = m_samples.sink();
    request.again = m_options.file == "-" ? std::string() : m_options.file;
    RunSession session(std::move(request));

    Nanoseconds later{0};
    for (std::size_t i = index + 1; i < m_planned.size(); ++i)
        later += m_planned[i].estimate;
    progress.beginScenario(m_planned[index].scenario->name, m_planned[index].estimate, later);

    QEventLoop loop;
    QObject::connect(&signals, &StopSignals::stopRequested, &loop, [&session] { session.stop(); });
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
        progress.show(session.snapshot());
        m_samples.show();
    });
    timer.start(progressInterval);
    session.start([&loop] { QMetaObject::invokeMethod(&loop, &QEventLoop::quit, Qt::QueuedConnection); });
    loop.exec();
    session.wait();
    progress.clear();
    m_samples.show();

    const Result<RunResult> result = session.result();
    if (!result) {
        error(result.error().message);
        return false;
    }
    const Result<std::string> kept = session.kept();
    if (!kept)
        m_streams.err << "warning: the run could not be kept: " << kept.error().message << std::endl;
    m_thresholdFailed = m_thresholdFailed || !result->thresholdsHold();
    if (const Result<void> written = m_output.add(*result, kept ? *kept : std::string()); !written) {
        error(written.error().message);
        return false;
    }
    return true;
}

} // namespace

QString RunCommand::name() const
{
    return u"run"_s;
}

QString RunCommand::help() const
{
    return uR"(Usage: wardbench run [options] FILE
Run a workspace's scenarios against its mocks; compare the contestants.

  --scenario NAME       this one only (repeatable, * matches any text; default: all, in file order)
  --list                print scenarios with iterations and estimated time; run nothing
  --scale F             multiply measured iterations and durations by F (0.1 = a tenth); users and warm-up stay
  --repetitions N       instead of the scenario's
  --seed N              instead of the scenario's; the same seed draws the same values and answers
  --transport qt|socket instead of the scenario's
  --allow-remote        send load to the servers that the workspace names, if they are not this machine
  --out DIR             write NAME.wbrun and the --format files here
  --format LIST         table, markdown, json, csv, warden, junit; to DIR if --out is given, else standard output
  --jtl FILE            also write every measured request as a line of JMeter's results (CSV, 17 columns)
  --summariser          also print JMeter's summary lines while it runs, every half minute and at the end
  --locale NAME         decimal point of the summary lines: of C (the default), or of a locale such as de_DE
  --quiet               no progress; results only

Exit code: 0 ran (requests may have failed: set thresholds); 1 file has issues or a mock cannot start;
           2 wrong usage; 99 a threshold failed; 130 interrupted
)"_s;
}

int RunCommand::execute(const QStringList &arguments, const Streams &streams)
{
    QString problem;
    const std::optional<RunOptions> options = RunOptions::read(arguments, problem);
    if (!options)
        return wrongUsage(streams, name(), problem);
    if (options->help) {
        streams.out << help().toStdString() << std::flush;
        return Done;
    }
    return Runner(*options, streams).run();
}

} // namespace wardbench::cli
