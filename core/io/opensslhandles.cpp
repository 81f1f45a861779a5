#include "io/opensslhandles.h"

#include <openssl/err.h>

namespace wardbench::io {
namespace {

/// OpenSSL would ask on the terminal.
int noPassPhrase(char *, int, int, void *)
{
    return -1;
}

} // namespace

std::string takeOpenSslError()
{
    const unsigned long code = ERR_get_error();
    ERR_clear_error();
    const char *reason = code ? ERR_reason_error_string(code) : nullptr;
    return reason ? reason : "unknown error";
}

KeyPtr readKey(const std::string &pem)
{
    const BioPtr bio = bioOver(pem);
    return KeyPtr(PEM_read_bio_PrivateKey(bio.get(), nullptr, noPassPhrase, nullptr));
}

std::vector<CertificatePtr> readCertificates(const std::string &pem)
{
    std::vector<CertificatePtr> list;
    const BioPtr bio = bioOver(pem);
    while (X509 *one = PEM_read_bio_X509(bio.get(), nullptr, noPassPhrase, nullptr))
        list.emplace_back(one);
    ERR_clear_error(); // of the end of the text
    return list;
}

} // namespace wardbench::io
