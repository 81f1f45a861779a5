#include "io/tlscontext.h"

#include "io/opensslhandles.h"

#include <openssl/err.h>

#include <algorithm>
#include <cstring>

namespace wardbench::io {
namespace {

constexpr char onlyProtocol[] = "\x08http/1.1";
constexpr unsigned char sessionContext[] = "wardbench"; // resumption needs one as soon as client certificates are asked

Error bad(const std::string &part, const std::string &problem)
{
    return fail(part + ' ' + problem, Error::Code::BadInput);
}

int selectProtocol(SSL *, const unsigned char **chosen, unsigned char *size, const unsigned char *offered,
                   unsigned int offeredSize, void *)
{
    unsigned char *match = nullptr;
    const auto *wanted = reinterpret_cast<const unsigned char *>(onlyProtocol);
    if (SSL_select_next_proto(&match, size, wanted, sizeof onlyProtocol - 1, offered, offeredSize) !=
        OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_ALERT_FATAL; // a client of HTTP/2 alone learns it here and not from garbage
    *chosen = match;
    return SSL_TLSEXT_ERR_OK;
}

void setRules(SSL_CTX *context)
{
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_security_level(context, 1); // a mock shows whatever certificate its tests use
    // Clients of old end without close_notify (RFC 9112 section 9.8).
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    // Buffers are given back between records: thousands of connections idle.
    SSL_CTX_set_mode(context,
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(context, 1); // a record costs one read and not two
    SSL_CTX_set_session_id_context(context, sessionContext, sizeof sessionContext - 1);
    SSL_CTX_set_alpn_select_cb(context, selectProtocol, nullptr);
}

Result<void> setIdentity(SSL_CTX *context, const TlsServerSettings &settings)
{
    const std::vector<CertificatePtr> chain = readCertificates(settings.certificate);
    if (chain.empty())
        return bad("cert", "is no certificate; expected PEM text with BEGIN CERTIFICATE");
    const KeyPtr key = readKey(settings.key);
    if (!key) {
        ERR_clear_error();
        const bool locked = settings.key.find("ENCRYPTED") != std::string::npos;
        return locked ? bad("key", "is protected by a pass phrase; expected PEM text of an open key")
                      : bad("key", "is no private key; expected PEM text with BEGIN PRIVATE KEY");
    }
    if (SSL_CTX_use_certificate(context, chain.front().get()) != 1) {
        ERR_clear_error();
        SSL_CTX_set_security_level(context, 0); // too short a key for today; it is the user's choice
        if (SSL_CTX_use_certificate(context, chain.front().get()) != 1)
            return bad("cert", "cannot be used: " + takeOpenSslError());
    }
    if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1) {
        ERR_clear_error();
        return bad("key", "does not belong to cert");
    }
    for (std::size_t i = 1; i < chain.size(); ++i) {
        if (SSL_CTX_add1_chain_cert(context, chain[i].get()) != 1)
            return bad("cert", "has a chain that cannot be used: " + takeOpenSslError());
    }
    return {};
}

Result<void> askForCertificate(SSL_CTX *context, const std::vector<std::string> &authorities)
{
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    if (authorities.empty()) {
        SSL_CTX_set_default_verify_paths(context);
        return {};
    }
    X509_STORE *store = SSL_CTX_get_cert_store(context);
    for (const std::string &pem : authorities) {
        const std::vector<CertificatePtr> list = readCertificates(pem);
        if (list.empty())
            return bad("ca", "has a part that is no certificate; expected PEM text with BEGIN CERTIFICATE");
        for (const CertificatePtr &one : list) {
            X509_STORE_add_cert(store, one.get());
            SSL_CTX_add_client_CA(context, one.get());
        }
    }
    // A certificate in the list is trusted, whoever signed it.
    X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
    ERR_clear_error();
    return {};
}

/// Names in lower case are meant (mountebank turns the list to upper case); "!aNULL" is one already.
std::string cipherName(std::string name)
{
    if (std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
        std::transform(name.begin(), name.end(), name.begin(),
                       [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return name;
}

/// As Node: TLS 1.3 suites are picked out by their names, and a version none of whose ciphers is wanted is off.
Result<void> setCiphers(SSL_CTX *context, const std::string &ciphers)
{
    if (ciphers.empty())
        return {};
    std::string suites;
    std::string others;
    for (std::size_t start = 0; start <= ciphers.size();) {
        const std::size_t end = std::min(ciphers.find_first_of(":, ", start), ciphers.size());
        const std::string name = cipherName(ciphers.substr(start, end - start));
        start = end + 1;
        std::string &list = name.starts_with("TLS_") ? suites : others;
        if (!name.empty())
            list += (list.empty() ? "" : ":") + name;
    }
    if (!suites.empty() && SSL_CTX_set_ciphersuites(context, suites.c_str()) != 1)
        return bad("ciphers", "has an unknown TLS 1.3 suite in \"" + suites + "\": " + takeOpenSslError());
    if (!others.empty() && SSL_CTX_set_cipher_list(context, others.c_str()) != 1)
        return bad("ciphers", "has no cipher that is known here: \"" + others + '"');
    if (suites.empty())
        SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
    else if (others.empty())
        SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    return {};
}

} // namespace

void TlsContext::Free::operator()(ssl_ctx_st *context) const
{
    SSL_CTX_free(context);
}

Result<TlsContext::Ptr> TlsContext::forServer(const TlsServerSettings &settings)
{
    ERR_clear_error();
    const std::shared_ptr<TlsContext> made(new TlsContext);
    made->m_native.reset(SSL_CTX_new(TLS_server_method()));
    if (!made->m_native)
        return fail("TLS cannot be set up: " + takeOpenSslError());
    SSL_CTX *context = made->m_native.get();
    setRules(context);
    if (const auto set = setIdentity(context, settings); !set)
        return set.error();
    if (const auto set = setCiphers(context, settings.ciphers); !set)
        return set.error();
    if (settings.clientCertificate) {
        if (const auto set = askForCertificate(context, settings.ca); !set)
            return set.error();
    }
    return Ptr(made);
}

} // namespace wardbench::io
