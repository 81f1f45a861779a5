#pragma once

#include "server/peer.h"
#include "server/streamhandler.h"

#include <memory>

namespace wardbench::server {

/// One accepted connection that does not speak HTTP: hands on what is read, sends what it is given, closes well.
class StreamConnection final : public Peer
{
public:
    StreamConnection(Hub &hub, Endpoint &endpoint, int descriptor);
    ~StreamConnection() override;

    bool isDue(TimePoint now) const override;
    void timeOut() override;

protected:
    void serve() override;
    void opened() override;
    bool busy() const override { return false; }
    void detach() override;
    void closed(bool abortedByClient) override;
    void handshakeFailed(std::string_view) override {}

private:
    class Handle;

    bool mayRead() const;
    void updateWait();

    std::shared_ptr<Handle> m_handle;
    std::unique_ptr<StreamSession> m_session;
    bool m_paused = false;
    bool m_endTold = false;
    bool m_limited = false;       ///< `m_deadline` holds
    std::uint64_t m_received = 0; ///< bytes
    std::uint64_t m_progress = 0; ///< what the deadline counts from
};

} // namespace wardbench::server
