#pragma once

#include "mock/mockservice.h"

#include <atomic>

namespace wardbench::mock {

/// Counts what an imposter that does not speak HTTP is asked. Any thread.
class StreamCounters
{
public:
    void connected()
    {
        ++m_connections;
        ++m_open;
    }
    void disconnected(bool abortedByClient)
    {
        --m_open;
        m_aborted += abortedByClient ? 1 : 0;
    }
    void received(bool matched)
    {
        ++m_received;
        m_unmatched += matched ? 0 : 1;
    }
    void started() { ++m_inFlight; }
    void finished() { --m_inFlight; }

    /// All at 0; what is open or in flight stays.
    void reset() { m_received = m_unmatched = m_aborted = m_connections = 0; }

    ImposterCounters read() const
    {
        ImposterCounters counters;
        counters.unmatched = m_unmatched;
        counters.received = m_received;
        counters.clientAborted = m_aborted;
        counters.connections = m_connections;
        counters.openConnections = m_open;
        counters.inFlight = m_inFlight;
        return counters;
    }

private:
    std::atomic<std::uint64_t> m_received = 0;
    std::atomic<std::uint64_t> m_unmatched = 0;
    std::atomic<std::uint64_t> m_aborted = 0;
    std::atomic<std::uint64_t> m_connections = 0;
    std::atomic<std::uint64_t> m_open = 0;
    std::atomic<std::uint64_t> m_inFlight = 0;
};

} // namespace wardbench::mock
