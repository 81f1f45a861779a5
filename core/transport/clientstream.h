#pragma once

#include "io/tlsclientcontext.h"
#include "io/tlssession.h"
#include "io/wire.h"

#include <asio/ip/address.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace wardbench {

/// A client's end of one TCP connection, plain or TLS, read and written without blocking as a poller tells. Owns the
/// descriptor. Belongs to its thread.
class ClientStream
{
public:
    ClientStream() = default;
    ~ClientStream() { close(); }
    ClientStream(const ClientStream &) = delete;
    ClientStream &operator=(const ClientStream &) = delete;

    /// Begins a connection; 0, or the system's errno.
    int connect(const asio::ip::address &address, std::uint16_t port);
    /// After the poller told of it: 0 connected, else errno (EINPROGRESS: not yet).
    int connectResult() const;
    void secure(io::SslPtr tls) { m_tls.emplace(*m_wire, tls.release()); }
    bool open() const { return m_wire.has_value(); }
    int descriptor() const { return m_wire ? m_wire->descriptor() : -1; }

    /// The poller's events.
    void note(std::uint32_t events);
    bool mayRead() const { return m_tls ? m_mayRead : m_wire->mayRead(); }
    io::Transfer read(char *into, std::size_t room, std::size_t &received);
    io::Transfer write(const iovec *pieces, std::size_t count, std::size_t &sent);
    /// FIN, or RST when something is unread or unsent; TLS says goodbye before.
    void close();

    io::TlsSession *tls() { return m_tls ? &*m_tls : nullptr; }
    /// After a failed read: the stream below has ended, so TLS missed its closing message.
    bool endedBelow();

private:
    std::optional<io::Wire> m_wire;
    std::optional<io::TlsSession> m_tls;
    bool m_mayRead = false; ///< TLS
};

} // namespace wardbench
