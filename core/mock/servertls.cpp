#include "mock/servertls.h"

#include "io/selfsigned.h"

namespace wardbench::mock {

Result<io::TlsContext::Ptr> serverTls(const TlsSettings &settings, const std::string &folder)
{
    if (settings.key.empty() != settings.certificate.empty()) {
        return fail(settings.key.empty() ? "cert is given without key; expected both or neither"
                                         : "key is given without cert; expected both or neither",
                    Error::Code::BadInput);
    }
    io::TlsServerSettings wanted{settings.key, settings.certificate, settings.ca, settings.ciphers,
                                 settings.mutualAuth && settings.rejectUnauthorized};
    if (wanted.key.empty()) {
        auto own = io::machineCertificate(folder, std::chrono::system_clock::now());
        if (!own)
            return own.error();
        wanted.key = std::move(own->key);
        wanted.certificate = std::move(own->certificate);
    }
    return io::TlsContext::forServer(wanted);
}

} // namespace wardbench::mock
