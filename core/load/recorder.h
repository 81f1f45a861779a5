#pragma once

#include "base/clock.h"
#include "stats/runresult.h"
#include "transport/transport.h"

#include <string>

namespace wardbench {

/// Writes one measured phase into a Measurement: counts, latencies, time bins. Load thread only.
class Recorder
{
public:
    Recorder(Measurement &into, Nanoseconds binWidth);

    void begin(TimePoint now);   ///< the phase opens: bins count from here
    void started(TimePoint now); ///< the first one is where the duration starts
    /// An iteration of an open model began so much later than it was due.
    void slipped(Nanoseconds slip);
    void dropped() { ++m_into.droppedStarts; }
    /// A request ended after `latency`. `errorKind` is empty for a success; `step`: its index, where there are several.
    void completed(TimePoint now, Nanoseconds latency, const Reply &reply, const std::string &errorKind,
                   std::size_t step = 0);
    /// Of the same request in an open model: the time from its call.
    void serviceTime(Nanoseconds latency) { m_into.serviceLatency.record(latency.count()); }
    void checked(const std::string &check, bool passed, std::size_t step);
    void iterationEnded() { ++m_into.iterations; }
    void end(); ///< closes the last bin at the last completion

private:
    void rollTo(TimePoint now);
    void recordPhases(const Timings &timings);
    void closeBin(Nanoseconds width);

    Measurement &m_into;
    const Nanoseconds m_binWidth;
    TimePoint m_begin, m_binStart, m_firstStart, m_lastCompletion;
    bool m_anyStarted = false;
    TimeBin m_bin;
    Histogram m_binLatency;
};

} // namespace wardbench
