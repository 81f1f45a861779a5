#pragma once

#include "io/tlssession.h"
#include "io/wire.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace wardbench::io {

/// One accepted connection, plain or TLS, read and written without blocking as the poller tells. Owns the descriptor.
/// Belongs to its thread.
class Stream
{
public:
    explicit Stream(int descriptor, const TlsContext *tls = nullptr);
    ~Stream();
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    bool open() const { return m_wire.descriptor() >= 0; }
    int descriptor() const { return m_wire.descriptor(); }
    std::string peerName() const; ///< "address:port", IPv6 without brackets

    /// From here on TLS, on top of what there is; `received` are the bytes of it that were read already.
    void startTls(const TlsContext &context, std::string_view received);
    bool established() const { return !m_tls || m_tls->established(); } ///< no handshake is due
    /// Why TLS failed; empty: it did not. What the peer still sends can be read, as it is.
    std::string_view failure() const { return m_tls ? std::string_view(m_tls->failure()) : std::string_view(); }

    /// The poller's events, EPOLLERR excepted.
    void note(std::uint32_t events);
    /// Whether `read` may have something: bytes, the end, or a handshake to go on with.
    bool mayRead() const { return m_readable && !m_ended; }
    bool ended() const { return m_ended; } ///< read to the end

    Transfer read(char *into, std::size_t room, std::size_t &received);
    Transfer write(const iovec *pieces, std::size_t count, std::size_t &sent);
    /// Ends our half; reading goes on. Blocked: to be called again.
    Transfer endOutput();
    void close(bool reset);
    std::size_t unacknowledged() const; ///< bytes in the kernel's hands

private:
    Wire m_wire;
    std::unique_ptr<TlsSession> m_tls;
    bool m_readable;
    bool m_ended = false;
};

} // namespace wardbench::io
