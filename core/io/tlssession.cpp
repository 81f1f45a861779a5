#include "io/tlssession.h"

#include "io/opensslhandles.h"

#include <openssl/err.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

namespace wardbench::io {
namespace {

constexpr const char *leftEarly = "the client left during the handshake";

int clamped(std::size_t size)
{
    return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
}

} // namespace

void TlsSession::Free::operator()(ssl_st *ssl) const
{
    SSL_free(ssl);
}

// A BIO of our own: OpenSSL's socket BIO raises SIGPIPE, and reads once more to learn that nothing is left.
const bio_method_st *TlsSession::method()
{
    static const BIO_METHOD *const made = [] {
        BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "connection");
        BIO_meth_set_read(method, bioRead);
        BIO_meth_set_write(method, bioWrite);
        BIO_meth_set_ctrl(method, bioControl);
        return method;
    }();
    return made;
}

TlsSession::TlsSession(const TlsContext &context, Wire &wire, std::unique_ptr<TlsSession> below,
                       std::string_view received)
    : m_wire(wire), m_below(std::move(below)), m_received(received), m_ssl(SSL_new(context.native()))
{
    attach();
    SSL_set_accept_state(m_ssl.get());
}

TlsSession::TlsSession(Wire &wire, ssl_st *client) : m_wire(wire), m_ssl(client)
{
    attach();
}

void TlsSession::attach()
{
    BIO *bio = BIO_new(method());
    if (!m_ssl || !bio) {
        BIO_free(bio);
        throw std::bad_alloc();
    }
    BIO_set_data(bio, this);
    BIO_set_init(bio, 1);
    SSL_set_bio(m_ssl.get(), bio, bio);
}

std::string_view TlsSession::distrust() const
{
    const long result = SSL_get_verify_result(m_ssl.get());
    if (m_established || SSL_get_verify_mode(m_ssl.get()) == SSL_VERIFY_NONE || result == X509_V_OK)
        return {};
    return X509_verify_cert_error_string(result);
}

bool TlsSession::resumed() const
{
    return SSL_session_reused(m_ssl.get()) == 1;
}

TlsSession::~TlsSession() = default;

int TlsSession::bioRead(BIO *bio, char *into, int room)
{
    auto *session = static_cast<TlsSession *>(BIO_get_data(bio));
    BIO_clear_retry_flags(bio);
    std::size_t received = 0;
    switch (session->receiveBelow(into, static_cast<std::size_t>(room), received)) {
    case Transfer::Done:
        return static_cast<int>(received);
    case Transfer::Blocked:
        BIO_set_retry_read(bio);
        return -1;
    case Transfer::Ended:
        session->m_ended = true;
        return 0;
    case Transfer::Failed:
        break;
    }
    return -1;
}

int TlsSession::bioWrite(BIO *bio, const char *bytes, int size)
{
    auto *session = static_cast<TlsSession *>(BIO_get_data(bio));
    BIO_clear_retry_flags(bio);
    std::size_t sent = 0;
    switch (session->sendBelow(bytes, static_cast<std::size_t>(size), sent)) {
    case Transfer::Done:
        return static_cast<int>(sent);
    case Transfer::Blocked:
        BIO_set_retry_write(bio);
        return -1;
    default:
        return -1;
    }
}

long TlsSession::bioControl(BIO *bio, int command, long, void *)
{
    if (command == BIO_CTRL_EOF)
        return static_cast<TlsSession *>(BIO_get_data(bio))->m_ended ? 1 : 0;
    return command == BIO_CTRL_FLUSH || command == BIO_CTRL_DUP ? 1 : 0;
}

Transfer TlsSession::receiveBelow(char *into, std::size_t room, std::size_t &received)
{
    if (m_receivedUsed < m_received.size()) {
        received = std::min(room, m_received.size() - m_receivedUsed);
        std::memcpy(into, m_received.data() + m_receivedUsed, received);
        m_receivedUsed += received;
        if (m_receivedUsed == m_received.size()) {
            std::string().swap(m_received);
            m_receivedUsed = 0;
        }
        return Transfer::Done;
    }
    return m_below ? m_below->read(into, room, received) : m_wire.receive(into, room, received);
}

Transfer TlsSession::sendBelow(const char *bytes, std::size_t size, std::size_t &sent)
{
    if (m_below)
        return m_below->write(bytes, size, sent);
    const iovec piece{const_cast<char *>(bytes), size};
    return m_wire.send(&piece, 1, sent);
}

Transfer TlsSession::read(char *into, std::size_t room, std::size_t &received)
{
    received = 0;
    if (!m_failure.empty())
        return Transfer::Failed;
    ERR_clear_error();
    m_waitsForRoom = false;
    const int got = SSL_read(m_ssl.get(), into, clamped(room));
    if (!m_established)
        m_established = SSL_is_init_finished(m_ssl.get()) == 1;
    if (got > 0) {
        received = static_cast<std::size_t>(got);
        return Transfer::Done;
    }
    const Transfer how = outcome(got);
    if (how != Transfer::Ended || m_established)
        return how;
    m_failure = leftEarly;
    return Transfer::Failed;
}

bool TlsSession::mayRead() const
{
    return m_receivedUsed < m_received.size() || SSL_has_pending(m_ssl.get()) == 1 ||
           (m_below ? m_below->mayRead() : m_wire.mayRead());
}

Transfer TlsSession::write(const char *bytes, std::size_t size, std::size_t &written)
{
    written = 0;
    if (!m_failure.empty())
        return Transfer::Failed;
    ERR_clear_error();
    const int gone = SSL_write(m_ssl.get(), bytes, clamped(size));
    if (gone > 0) {
        written = static_cast<std::size_t>(gone);
        return Transfer::Done;
    }
    return outcome(gone);
}

Transfer TlsSession::endOutput()
{
    if (m_established && m_failure.empty()) {
        ERR_clear_error();
        const int result = SSL_shutdown(m_ssl.get());
        if (result < 0 && SSL_get_error(m_ssl.get(), result) == SSL_ERROR_WANT_WRITE)
            return Transfer::Blocked;
    }
    return m_below ? m_below->endOutput() : Transfer::Done;
}

Transfer TlsSession::outcome(int result)
{
    switch (SSL_get_error(m_ssl.get(), result)) {
    case SSL_ERROR_WANT_READ:
        return Transfer::Blocked;
    case SSL_ERROR_WANT_WRITE:
        m_waitsForRoom = true;
        return Transfer::Blocked;
    case SSL_ERROR_ZERO_RETURN:
        return Transfer::Ended;
    case SSL_ERROR_SYSCALL:
        m_failure = m_ended ? leftEarly : "the connection broke";
        ERR_clear_error();
        return Transfer::Failed;
    default:
        m_failure = takeOpenSslError();
        return Transfer::Failed;
    }
}

} // namespace wardbench::io
