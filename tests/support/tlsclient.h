#pragma once

#include "support/rawsocket.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <csignal>
#include <memory>
#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace wardbench::test {

/// What a TLS client of a test asks for.
struct TlsWish
{
    int least = TLS1_2_VERSION;
    int most = TLS1_3_VERSION;
    std::string protocols{};          ///< ALPN, in wire form: "\x08http/1.1"
    std::string serverName{};         ///< SNI
    std::string key{}, certificate{}; ///< PEM, its own
    std::string ciphers{};            ///< of TLS 1.2
    SSL_SESSION *session = nullptr;   ///< to resume
};

/// A plain blocking TLS client on OpenSSL. It trusts everyone: what is tested is the server.
class TlsClient
{
public:
    explicit TlsClient(std::uint16_t port, const TlsWish &wish = {}) : m_context(SSL_CTX_new(TLS_client_method()))
    {
        std::signal(SIGPIPE, SIG_IGN); // OpenSSL's own writes raise it
        SSL_CTX_set_security_level(m_context, 0);
        SSL_CTX_set_min_proto_version(m_context, wish.least);
        SSL_CTX_set_max_proto_version(m_context, wish.most);
        if (!wish.ciphers.empty())
            SSL_CTX_set_cipher_list(m_context, wish.ciphers.c_str());
        if (!wish.protocols.empty())
            SSL_CTX_set_alpn_protos(m_context, reinterpret_cast<const unsigned char *>(wish.protocols.data()),
                                    static_cast<unsigned>(wish.protocols.size()));
        useCertificate(wish);
        m_ssl = SSL_new(m_context);
        if (!wish.serverName.empty())
            SSL_set_tlsext_host_name(m_ssl, wish.serverName.c_str());
        if (wish.session)
            SSL_set_session(m_ssl, wish.session);
        m_socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const timeval limit{10, 0};
        setsockopt(m_socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        sockaddr_in target{};
        target.sin_family = AF_INET;
        target.sin_port = htons(port);
        target.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(m_socket, reinterpret_cast<const sockaddr *>(&target), sizeof target) != 0)
            return;
        SSL_set_fd(m_ssl, m_socket);
        m_connected = SSL_connect(m_ssl) == 1;
    }
    ~TlsClient()
    {
        SSL_set_quiet_shutdown(m_ssl, 1); // nothing is sent
        SSL_shutdown(m_ssl);              // but OpenSSL does not take the session for broken
        SSL_free(m_ssl);
        SSL_CTX_free(m_context);
        close();
    }
    TlsClient(const TlsClient &) = delete;
    TlsClient &operator=(const TlsClient &) = delete;

    bool connected() const { return m_connected; } ///< the handshake succeeded
    bool resumed() const { return SSL_session_reused(m_ssl) == 1; }
    int version() const { return SSL_version(m_ssl); }
    std::string cipher() const { return SSL_get_cipher_name(m_ssl); }
    std::string protocol() const
    {
        const unsigned char *name = nullptr;
        unsigned size = 0;
        SSL_get0_alpn_selected(m_ssl, &name, &size);
        return {reinterpret_cast<const char *>(name), size};
    }
    /// For `TlsWish::session`; TLS 1.3 has one only after something was read. The caller frees it.
    SSL_SESSION *session() const { return SSL_get1_session(m_ssl); }
    std::string certificate() const ///< the server's, PEM
    {
        X509 *peer = SSL_get1_peer_certificate(m_ssl);
        BIO *bio = BIO_new(BIO_s_mem());
        PEM_write_bio_X509(bio, peer);
        char *data = nullptr;
        const long size = BIO_get_mem_data(bio, &data);
        std::string text(data, static_cast<std::size_t>(size));
        BIO_free(bio);
        X509_free(peer);
        return text;
    }

    bool send(std::string_view bytes)
    {
        return SSL_write(m_ssl, bytes.data(), static_cast<int>(bytes.size())) == static_cast<int>(bytes.size());
    }
    /// Until `enough` bytes, the end, or a failure.
    std::string read(std::size_t enough = static_cast<std::size_t>(-1))
    {
        std::string bytes;
        std::string block(64 * 1024, '\0');
        while (bytes.size() < enough) {
            const int got =
                SSL_read(m_ssl, block.data(), static_cast<int>(std::min(block.size(), enough - bytes.size())));
            if (got <= 0) {
                m_saidGoodbye = SSL_get_error(m_ssl, got) == SSL_ERROR_ZERO_RETURN;
                break;
            }
            bytes.append(block, 0, static_cast<std::size_t>(got));
        }
        return bytes;
    }
    bool saidGoodbye() const { return m_saidGoodbye; } ///< the last `read` ended with close_notify
    /// FIN without close_notify.
    void endOutput() { ::shutdown(m_socket, SHUT_WR); }
    void close()
    {
        if (m_socket >= 0)
            ::close(m_socket);
        m_socket = -1;
    }

private:
    void useCertificate(const TlsWish &wish)
    {
        if (wish.certificate.empty())
            return;
        BIO *bio = BIO_new_mem_buf(wish.certificate.data(), static_cast<int>(wish.certificate.size()));
        X509 *certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
        BIO_free(bio);
        bio = BIO_new_mem_buf(wish.key.data(), static_cast<int>(wish.key.size()));
        EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr);
        BIO_free(bio);
        SSL_CTX_use_certificate(m_context, certificate);
        SSL_CTX_use_PrivateKey(m_context, key);
        X509_free(certificate);
        EVP_PKEY_free(key);
    }

    SSL_CTX *m_context;
    SSL *m_ssl = nullptr;
    int m_socket = -1;
    bool m_connected = false;
    bool m_saidGoodbye = false;
};

} // namespace wardbench::test
