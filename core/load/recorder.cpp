#include "load/recorder.h"

#include <algorithm>

namespace wardbench {
namespace {

double seconds(Nanoseconds value)
{
    return static_cast<double>(value.count()) / 1e9;
}

} // namespace

Recorder::Recorder(Measurement &into, Nanoseconds binWidth) : m_into(into), m_binWidth(binWidth) {}

void Recorder::begin(TimePoint now)
{
    m_begin = m_binStart = m_firstStart = m_lastCompletion = now;
}

void Recorder::started(TimePoint now)
{
    if (!m_anyStarted)
        m_firstStart = m_lastCompletion = now;
    m_anyStarted = true;
}

void Recorder::completed(TimePoint now, Nanoseconds latency, const Reply &reply, const std::string &errorKind,
                         std::size_t step)
{
    rollTo(now);
    m_lastCompletion = now;
    ++m_into.runs;
    ++m_bin.completed;
    const bool failed = !errorKind.empty();
    if (failed) {
        ++m_into.errors;
        ++m_bin.errors;
        ++m_into.errorsByKind[errorKind];
        m_into.failedLatency.record(latency.count());
    } else {
        ++m_into.success;
    }
    if (!reply.failed()) { // answered, whatever the answer was
        m_into.latency.record(latency.count());
        m_binLatency.record(latency.count());
    }
    if (step < m_into.steps.size()) {
        StepMeasurement &own = m_into.steps[step];
        ++own.runs;
        if (failed) {
            ++own.errors;
            ++own.errorsByKind[errorKind];
        }
        if (!reply.failed())
            own.latency.record(latency.count());
    }
    // Cache hits and followers never waited for a connection themselves.
    if (reply.attempts == 0 || reply.fromCache || reply.joined)
        return;
    if (reply.timings.sent >= reply.timings.called)
        m_into.queue.record((reply.timings.sent - reply.timings.called).count());
    if (!reply.failed() && reply.timings.firstByte != TimePoint())
        recordPhases(reply.timings);
}

void Recorder::recordPhases(const Timings &timings)
{
    if (timings.connected > timings.sent)
        m_into.connecting.record((timings.connected - timings.sent).count());
    if (timings.secured > timings.connected)
        m_into.securing.record((timings.secured - timings.connected).count());
    m_into.waiting.record((timings.firstByte - std::max(timings.sent, timings.secured)).count());
    m_into.receiving.record((timings.done - timings.firstByte).count());
}

void Recorder::slipped(Nanoseconds slip)
{
    constexpr Nanoseconds late = std::chrono::milliseconds(10);
    m_into.slip.record(slip.count());
    if (slip > late)
        ++m_into.lateStarts;
}

void Recorder::checked(const std::string &check, bool passed, std::size_t step)
{
    const auto count = [passed](CheckCount &counter) {
        ++(passed ? counter.passes : counter.fails);
    };
    count(m_into.checks[check]);
    if (step < m_into.steps.size())
        count(m_into.steps[step].checks[check]);
}

void Recorder::rollTo(TimePoint now)
{
    while (now - m_binStart >= m_binWidth) {
        closeBin(m_binWidth);
        m_binStart += m_binWidth;
    }
}

void Recorder::closeBin(Nanoseconds width)
{
    m_bin.start_s = seconds(m_binStart - m_begin);
    m_bin.width_s = seconds(width);
    if (m_binLatency.count() > 0) {
        m_bin.p50_us = m_binLatency.percentile(50) / 1000;
        m_bin.p95_us = m_binLatency.percentile(95) / 1000;
        m_bin.p99_us = m_binLatency.percentile(99) / 1000;
        m_bin.max_us = m_binLatency.max() / 1000;
    }
    m_into.bins.push_back(m_bin);
    m_bin = TimeBin();
    m_binLatency.clear();
}

void Recorder::end()
{
    m_into.duration_ms = seconds(m_lastCompletion - m_firstStart) * 1000;
    if (m_bin.completed > 0)
        closeBin(m_lastCompletion - m_binStart);
}

} // namespace wardbench
