#include "io/selfsigned.h"

#include "io/opensslhandles.h"

#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wardbench::io {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::system_clock;

constexpr auto lifetime = std::chrono::hours(24 * 90);
constexpr auto backdated = std::chrono::hours(1); ///< for clients whose clock is behind
constexpr auto renewal = std::chrono::hours(24 * 7);

bool addExtension(X509 *certificate, int kind, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
    const bool added = extension && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return added;
}

bool setSerial(X509 *certificate)
{
    unsigned char bytes[16];
    if (RAND_bytes(bytes, sizeof bytes) != 1)
        return false;
    bytes[0] &= 0x7f; // a serial number is positive
    BIGNUM *number = BN_bin2bn(bytes, sizeof bytes, nullptr);
    const bool set = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
    BN_free(number);
    return set;
}

bool fill(X509 *certificate, EVP_PKEY *key, Clock::time_point now)
{
    const std::time_t from = Clock::to_time_t(now - backdated);
    const std::time_t to = Clock::to_time_t(now - backdated + lifetime);
    X509_NAME *name = X509_get_subject_name(certificate);
    const auto text = [name](const char *field, const char *value) {
        return X509_NAME_add_entry_by_txt(name, field, MBSTRING_ASC, reinterpret_cast<const unsigned char *>(value), -1,
                                          -1, 0) == 1;
    };
    return X509_set_version(certificate, 2) == 1 && setSerial(certificate) && text("O", "Wardbench") &&
           text("CN", "localhost") && X509_set_issuer_name(certificate, name) == 1 &&
           ASN1_TIME_set(X509_getm_notBefore(certificate), from) &&
           ASN1_TIME_set(X509_getm_notAfter(certificate), to) && X509_set_pubkey(certificate, key) == 1 &&
           addExtension(certificate, NID_basic_constraints, "critical,CA:FALSE") &&
           addExtension(certificate, NID_key_usage, "critical,digitalSignature") &&
           addExtension(certificate, NID_ext_key_usage, "serverAuth,clientAuth") &&
           addExtension(certificate, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:::1") &&
           addExtension(certificate, NID_subject_key_identifier, "hash") &&
           X509_sign(certificate, key, EVP_sha256()) > 0;
}

std::string textOf(BIO *bio)
{
    char *data = nullptr;
    const long size = BIO_get_mem_data(bio, &data);
    return size > 0 ? std::string(data, static_cast<std::size_t>(size)) : std::string();
}

std::string readWhole(const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Whether it can be shown at `now` and for a while.
bool isFresh(const std::string &pem, Clock::time_point now)
{
    const auto list = readCertificates(pem);
    const KeyPtr key = readKey(pem);
    ERR_clear_error();
    if (list.empty() || !key || X509_check_private_key(list.front().get(), key.get()) != 1) {
        ERR_clear_error();
        return false;
    }
    std::time_t started = Clock::to_time_t(now);
    std::time_t lasting = Clock::to_time_t(now + renewal);
    return X509_cmp_time(X509_get0_notBefore(list.front().get()), &started) < 0 &&
           X509_cmp_time(X509_get0_notAfter(list.front().get()), &lasting) > 0;
}

/// Whole or not at all: other programs may read at any time.
bool save(const std::string &path, const std::string &text)
{
    std::error_code problem;
    fs::create_directories(fs::path(path).parent_path(), problem);
    const std::string temporary = path + '.' + std::to_string(::getpid());
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    const bool written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                         ::fchmod(file, 0600) == 0 && ::fsync(file) == 0;
    const bool closed = ::close(file) == 0;
    if (written && closed && ::rename(temporary.c_str(), path.c_str()) == 0)
        return true;
    ::unlink(temporary.c_str());
    return false;
}

} // namespace

Result<KeyAndCertificate> makeSelfSigned(Clock::time_point now)
{
    const KeyPtr key(EVP_EC_gen("P-256"));
    const CertificatePtr certificate(X509_new());
    const BioPtr keyText(BIO_new(BIO_s_mem()));
    const BioPtr certificateText(BIO_new(BIO_s_mem()));
    if (!key || !certificate || !fill(certificate.get(), key.get(), now) ||
        PEM_write_bio_PrivateKey(keyText.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1 ||
        PEM_write_bio_X509(certificateText.get(), certificate.get()) != 1)
        return fail("a certificate of this machine cannot be made: " + takeOpenSslError());
    return KeyAndCertificate{textOf(keyText.get()), textOf(certificateText.get())};
}

Result<KeyAndCertificate> machineCertificate(const std::string &folder, Clock::time_point now)
{
    const std::string path = folder + "/localhost.pem";
    const std::string kept = readWhole(path);
    if (isFresh(kept, now)) {
        ::chmod(path.c_str(), 0600);
        return KeyAndCertificate{kept, kept}; // either reader finds its part
    }
    auto made = makeSelfSigned(now);
    if (made)
        save(path, made->key + made->certificate);
    return made;
}

} // namespace wardbench::io
