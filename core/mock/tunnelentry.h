#pragma once

#include "server/requesthandler.h"

#include <future>
#include <mutex>
#include <string>
#include <vector>

namespace wardbench::mock {

/// Answers CONNECT: the tunnel ends in the imposter itself (mountebank.md 2.2.5), so that a client which takes it for
/// an HTTPS proxy meets its stubs. An http imposter needs a certificate for that; it is got when the first tunnel is
/// opened, on a thread of its own, for that reads and writes files. Thread-safe.
class TunnelEntry
{
public:
    explicit TunnelEntry(std::string tlsFolder) : m_folder(std::move(tlsFolder)) {}

    /// What tunnels from now on show.
    void use(io::TlsContext::Ptr tls);
    /// On the exchange's thread.
    void open(const server::ExchangePtr &exchange);

private:
    void prepare();

    const std::string m_folder;
    std::mutex m_mutex;
    io::TlsContext::Ptr m_tls;
    std::vector<server::ExchangePtr> m_waiting;
    std::future<void> m_preparing; ///< last: its end is waited for before the rest goes
};

} // namespace wardbench::mock
