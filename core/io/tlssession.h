#pragma once

#include "io/tlscontext.h"
#include "io/wire.h"

#include <memory>
#include <string>
#include <string_view>

struct bio_st;
struct bio_method_st;
struct ssl_st;

namespace wardbench::io {

/// One end of TLS over a wire, or over another session (a tunnel within TLS). Reading does the handshake.
/// Its bytes come and go without a system call more than plain ones: a record is one `recv` and one `send`.
class TlsSession
{
public:
    /// `received` was read from below already and comes first. `below` null: the wire itself.
    TlsSession(const TlsContext &context, Wire &wire, std::unique_ptr<TlsSession> below, std::string_view received);
    /// The client's end, made by TlsClientContext.
    TlsSession(Wire &wire, ssl_st *client);
    ~TlsSession();
    TlsSession(const TlsSession &) = delete;
    TlsSession &operator=(const TlsSession &) = delete;

    Transfer read(char *into, std::size_t room, std::size_t &received);
    Transfer write(const char *bytes, std::size_t size, std::size_t &written);
    /// Says close_notify. Done also when there is no peer to hear it.
    Transfer endOutput();

    /// There may be bytes, or an end, that were not read yet.
    bool mayRead() const;
    bool established() const { return m_established && (!m_below || m_below->established()); }
    /// The last `read` could not go on because something must be sent first.
    bool waitsForRoom() const { return m_waitsForRoom; }
    /// Why it failed, in OpenSSL's words; empty: it did not.
    const std::string &failure() const { return m_failure; }
    /// Why the peer's certificate, or its name, was not accepted; empty: that was not the reason.
    std::string_view distrust() const;
    bool resumed() const; ///< the handshake went on from an earlier session

private:
    static const bio_method_st *method();
    static int bioRead(bio_st *bio, char *into, int room);
    static int bioWrite(bio_st *bio, const char *bytes, int size);
    static long bioControl(bio_st *bio, int command, long number, void *pointer);

    Transfer receiveBelow(char *into, std::size_t room, std::size_t &received);
    Transfer sendBelow(const char *bytes, std::size_t size, std::size_t &sent);
    Transfer outcome(int result);
    void attach();

    struct Free
    {
        void operator()(ssl_st *ssl) const;
    };
    Wire &m_wire;
    std::unique_ptr<TlsSession> m_below;
    std::string m_received;
    std::size_t m_receivedUsed = 0;
    std::unique_ptr<ssl_st, Free> m_ssl;
    bool m_established = false;
    bool m_waitsForRoom = false;
    bool m_ended = false; ///< below has ended
    std::string m_failure;
};

} // namespace wardbench::io
