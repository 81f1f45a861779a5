#pragma once

#include "io/tlscontext.h"
#include "model/imposter.h"

namespace wardbench::mock {

/// The TLS side of an imposter. Without key and cert it shows the certificate of this machine, kept in `folder`
/// (io/selfsigned.h). A client certificate is asked for only when `mutualAuth` and `rejectUnauthorized` are both set
/// (mountebank.md 2.1). Errors (BadInput) name the member.
Result<io::TlsContext::Ptr> serverTls(const TlsSettings &settings, const std::string &folder);

} // namespace wardbench::mock
