#pragma once

#include "base/result.h"

#include <chrono>
#include <string>

namespace wardbench::io {

struct KeyAndCertificate
{
    std::string key, certificate; ///< PEM
};

/// A new ECDSA P-256 key and a certificate by itself for localhost, 127.0.0.1 and ::1, valid from `now` (and the hour
/// before) for 90 days in all.
Result<KeyAndCertificate> makeSelfSigned(std::chrono::system_clock::time_point now);

/// The one of this machine, kept as `folder`/localhost.pem, which only the user may read; made when there is none,
/// renewed in the last week of its time. A folder that cannot be written is no error: then it lives in memory only.
Result<KeyAndCertificate> machineCertificate(const std::string &folder, std::chrono::system_clock::time_point now);

} // namespace wardbench::io
