#pragma once

#include "base/result.h"

#include <memory>
#include <string>
#include <vector>

struct ssl_ctx_st;

namespace wardbench::io {

/// What a TLS server shows and asks for; PEM texts.
struct TlsServerSettings
{
    std::string key;
    std::string certificate;        ///< the server's, then the chain's
    std::vector<std::string> ca;    ///< who may sign client certificates; empty: the system's roots
    std::string ciphers;            ///< OpenSSL's list, TLS 1.3 suites among it as Node takes them; empty: the default
    bool clientCertificate = false; ///< required, and checked
};

/// What all TLS connections of one port share: key, certificates, rules, and the keys of session tickets, so that
/// clients can resume. TLS 1.2 and 1.3, ALPN "http/1.1" alone. Immutable; any thread.
class TlsContext
{
public:
    using Ptr = std::shared_ptr<const TlsContext>;

    /// Errors (BadInput) name the part: key, cert, ca or ciphers.
    static Result<Ptr> forServer(const TlsServerSettings &settings);

    ssl_ctx_st *native() const { return m_native.get(); }

private:
    TlsContext() = default;

    struct Free
    {
        void operator()(ssl_ctx_st *context) const;
    };
    std::unique_ptr<ssl_ctx_st, Free> m_native;
};

} // namespace wardbench::io
