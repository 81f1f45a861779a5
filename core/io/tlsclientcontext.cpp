#include "io/tlsclientcontext.h"

#include "io/opensslhandles.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <arpa/inet.h>

#include <map>
#include <mutex>
#include <new>

namespace wardbench::io {
namespace {

constexpr unsigned char onlyProtocol[] = "\x08http/1.1";
constexpr std::size_t mostServers = 256;
constexpr std::size_t mostSessions = 8; ///< of one server

Error bad(const std::string &part, const std::string &problem)
{
    return fail(part + ' ' + problem, Error::Code::BadInput);
}

int givePassPhrase(char *into, int room, int, void *given)
{
    const auto &text = *static_cast<const std::string *>(given);
    if (text.empty() || text.size() > static_cast<std::size_t>(room))
        return -1;
    return static_cast<int>(text.copy(into, text.size()));
}

bool isAddress(const std::string &host)
{
    unsigned char bytes[16];
    return inet_pton(AF_INET, host.c_str(), bytes) == 1 || inet_pton(AF_INET6, host.c_str(), bytes) == 1;
}

void forgetName(void *, void *name, CRYPTO_EX_DATA *, int, long, void *)
{
    delete static_cast<std::string *>(name);
}

/// Where an SSL object keeps the name of its server, under which its session is stored.
int nameIndex()
{
    static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, forgetName);
    return index;
}

void setRules(SSL_CTX *context)
{
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_security_level(context, 1);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(context,
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_alpn_protos(context, onlyProtocol, sizeof onlyProtocol - 1);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
}

Result<void> setIdentity(SSL_CTX *context, const TlsClientSettings &settings)
{
    if (settings.certificate.empty() && settings.key.empty())
        return {};
    const std::vector<CertificatePtr> chain = readCertificates(settings.certificate);
    if (chain.empty())
        return bad("cert", "is no certificate; expected PEM text with BEGIN CERTIFICATE");
    const BioPtr source = bioOver(settings.key);
    const KeyPtr key(PEM_read_bio_PrivateKey(source.get(), nullptr, givePassPhrase,
                                             const_cast<std::string *>(&settings.passphrase)));
    if (!key) {
        ERR_clear_error();
        if (settings.key.find("ENCRYPTED") == std::string::npos)
            return bad("key", "is no private key; expected PEM text with BEGIN PRIVATE KEY");
        return bad("passphrase",
                   settings.passphrase.empty() ? "is missing; the key is protected by one" : "does not open the key");
    }
    if (SSL_CTX_use_certificate(context, chain.front().get()) != 1)
        return bad("cert", "cannot be used: " + takeOpenSslError());
    if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1) {
        ERR_clear_error();
        return bad("key", "does not belong to cert");
    }
    for (std::size_t i = 1; i < chain.size(); ++i)
        SSL_CTX_add1_chain_cert(context, chain[i].get());
    return {};
}

Result<void> setTrust(SSL_CTX *context, const TlsClientSettings &settings)
{
    SSL_CTX_set_verify(context, settings.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
    if (settings.ca.empty()) {
        if (settings.verify)
            SSL_CTX_set_default_verify_paths(context);
        return {};
    }
    X509_STORE *store = SSL_CTX_get_cert_store(context);
    for (const std::string &pem : settings.ca) {
        const std::vector<CertificatePtr> list = readCertificates(pem);
        if (list.empty())
            return bad("ca", "has a part that is no certificate; expected PEM text with BEGIN CERTIFICATE");
        for (const CertificatePtr &one : list)
            X509_STORE_add_cert(store, one.get());
    }
    X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN); // a certificate in the list is trusted, whoever signed it
    ERR_clear_error();
    return {};
}

} // namespace

void SslFree::operator()(ssl_st *ssl) const
{
    SSL_free(ssl);
}

/// The last sessions of each server; those of TLS 1.3 are good for one use. Contexts are shared by threads.
class TlsClientContext::Sessions
{
public:
    static int remember(SSL *ssl, SSL_SESSION *session)
    {
        auto *sessions = static_cast<Sessions *>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
        const auto *name = static_cast<const std::string *>(SSL_get_ex_data(ssl, nameIndex()));
        if (!name)
            return 0;
        const std::lock_guard lock(sessions->m_mutex);
        if (sessions->m_byServer.size() >= mostServers)
            sessions->m_byServer.clear();
        std::vector<SessionPtr> &kept = sessions->m_byServer[*name];
        if (kept.size() >= mostSessions)
            kept.erase(kept.begin());
        kept.emplace_back(session);
        return 1; // it is ours now
    }

    void offer(SSL *ssl, const std::string &name)
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_byServer.find(name);
        if (found == m_byServer.end() || found->second.empty())
            return;
        SSL_SESSION *last = found->second.back().get();
        SSL_set_session(ssl, last); // takes a reference of its own
        if (SSL_SESSION_get_protocol_version(last) >= TLS1_3_VERSION)
            found->second.pop_back();
    }

private:
    using SessionPtr = std::unique_ptr<SSL_SESSION, OpenSslFree<SSL_SESSION_free>>;

    std::mutex m_mutex;
    std::map<std::string, std::vector<SessionPtr>> m_byServer;
};

void TlsClientContext::Free::operator()(ssl_ctx_st *context) const
{
    SSL_CTX_free(context);
}

TlsClientContext::TlsClientContext() : m_sessions(std::make_unique<Sessions>()) {}

TlsClientContext::~TlsClientContext() = default;

Result<TlsClientContext::Ptr> TlsClientContext::make(const TlsClientSettings &settings)
{
    ERR_clear_error();
    const std::shared_ptr<TlsClientContext> made(new TlsClientContext);
    made->m_verify = settings.verify;
    made->m_native.reset(SSL_CTX_new(TLS_client_method()));
    if (!made->m_native)
        return fail("TLS cannot be set up: " + takeOpenSslError());
    SSL_CTX *context = made->m_native.get();
    setRules(context);
    SSL_CTX_set_app_data(context, made->m_sessions.get());
    SSL_CTX_sess_set_new_cb(context, Sessions::remember);
    if (const auto set = setIdentity(context, settings); !set)
        return set.error();
    if (const auto set = setTrust(context, settings); !set)
        return set.error();
    if (!settings.ciphers.empty() && SSL_CTX_set_cipher_list(context, settings.ciphers.c_str()) != 1) {
        ERR_clear_error();
        return bad("ciphers", "has no cipher that is known here: \"" + settings.ciphers + '"');
    }
    return Ptr(made);
}

SslPtr TlsClientContext::connection(const std::string &host, std::uint16_t port) const
{
    SslPtr ssl(SSL_new(m_native.get()));
    if (!ssl)
        throw std::bad_alloc();
    SSL_set_connect_state(ssl.get());
    const bool address = isAddress(host);
    if (!address)
        SSL_set_tlsext_host_name(ssl.get(), host.c_str());
    if (m_verify) {
        if (address)
            X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl.get()), host.c_str());
        else
            SSL_set1_host(ssl.get(), host.c_str());
    }
    auto name = std::make_unique<std::string>(host + ':' + std::to_string(port));
    m_sessions->offer(ssl.get(), *name);
    if (SSL_set_ex_data(ssl.get(), nameIndex(), name.get()) == 1)
        name.release();
    return ssl;
}

} // namespace wardbench::io
