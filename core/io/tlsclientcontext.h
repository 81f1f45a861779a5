#pragma once

#include "base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct ssl_ctx_st;
struct ssl_st;

namespace wardbench::io {

/// How a TLS client shows itself and whom it believes; PEM texts.
struct TlsClientSettings
{
    std::string key;             ///< with `certificate`: what the client shows when it is asked
    std::string certificate;     ///< the client's, then the chain's
    std::string passphrase;      ///< of the key
    std::string ciphers;         ///< OpenSSL's list for TLS 1.2; empty: the default
    std::vector<std::string> ca; ///< who may sign servers' certificates; empty: the system's roots
    bool verify = true;          ///< the server's certificate, and its name

    friend bool operator==(const TlsClientSettings &, const TlsClientSettings &) = default;
};

struct SslFree
{
    void operator()(ssl_st *ssl) const;
};
using SslPtr = std::unique_ptr<ssl_st, SslFree>;

/// What the TLS connections of one client share: its certificate, its rules, and the sessions that servers let it
/// resume. TLS 1.2 and 1.3, ALPN "http/1.1" alone. Any thread.
class TlsClientContext
{
public:
    using Ptr = std::shared_ptr<const TlsClientContext>;

    /// Errors (BadInput) name the part: key, cert, passphrase, ca or ciphers.
    static Result<Ptr> make(const TlsClientSettings &settings);
    ~TlsClientContext();

    /// A connection's end to this server, with the name asked for (SNI) and the last session, if there is one.
    SslPtr connection(const std::string &host, std::uint16_t port) const;

private:
    class Sessions;
    struct Free
    {
        void operator()(ssl_ctx_st *context) const;
    };
    TlsClientContext();

    std::unique_ptr<Sessions> m_sessions; ///< before the context, which tells it of new ones
    std::unique_ptr<ssl_ctx_st, Free> m_native;
    bool m_verify = true;
};

} // namespace wardbench::io
