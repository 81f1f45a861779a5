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
    /// An iteration ended `latency` after its call. `errorKind` is empty for a success.
    void completed(TimePoint now, Nanoseconds latency, const Reply &reply, const std::string &errorKind);
    void end(); ///< closes the last bin at the last completion

private:
    void rollTo(TimePoint now);
    void closeBin(Nanoseconds width);

    Measurement &m_into;
    const Nanoseconds m_binWidth;
    TimePoint m_begin, m_binStart, m_firstStart, m_lastCompletion;
    bool m_anyStarted = false;
    TimeBin m_bin;
    Histogram m_binLatency;
};

} // namespace wardbench
