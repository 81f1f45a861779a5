#pragma once

#include "mock/mockservice.h"

#include <atomic>

namespace wardbench::mock {

/// Counts what an imposter without stubs is asked. Any thread.
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
    void received() { ++m_received; }

    /// All at 0; what is open stays.
    void reset() { m_received = m_aborted = m_connections = 0; }

    ImposterCounters read() const
    {
        ImposterCounters counters;
        counters.received = m_received;
        counters.clientAborted = m_aborted;
        counters.connections = m_connections;
        counters.openConnections = m_open;
        return counters;
    }

private:
    std::atomic<std::uint64_t> m_received = 0;
    std::atomic<std::uint64_t> m_aborted = 0;
    std::atomic<std::uint64_t> m_connections = 0;
    std::atomic<std::uint64_t> m_open = 0;
};

} // namespace wardbench::mock
