#pragma once

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>
#include <vector>

namespace wardbench::io {

template <auto function>
struct OpenSslFree
{
    template <typename T>
    void operator()(T *object) const
    {
        function(object);
    }
};

using BioPtr = std::unique_ptr<BIO, OpenSslFree<BIO_free>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, OpenSslFree<EVP_PKEY_free>>;
using CertificatePtr = std::unique_ptr<X509, OpenSslFree<X509_free>>;

/// A source that reads `text`, which must outlive it.
inline BioPtr bioOver(const std::string &text)
{
    return BioPtr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

/// The reason of OpenSSL's oldest error on this thread ("wrong version number"), and none left. Never empty.
std::string takeOpenSslError();

/// The first private key of a PEM text; null when there is none or it wants a pass phrase.
KeyPtr readKey(const std::string &pem);
/// The certificates of a PEM text, in order.
std::vector<CertificatePtr> readCertificates(const std::string &pem);

} // namespace wardbench::io
