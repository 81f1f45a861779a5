#pragma once

#include "json/value.h"

#include <string>
#include <string_view>
#include <vector>

namespace wardbench::mock {

/// Who a mail came from and whom it was for, as the client said it to the server.
struct MailEnvelope
{
    std::string client; ///< "address:port"
    std::string from;
    std::vector<std::string> to;
};

/// The mail as mountebank records it (mountebank.md 2.5): requestFrom, ip, envelopeFrom, envelopeTo, from, to, cc, bcc,
/// subject, priority, references, inReplyTo, text, html, attachments. Reads multipart mails with quoted-printable and
/// base64 parts in any charset; what is broken is read as far as it makes sense. Attachments: filename, contentType,
/// contentDisposition, contentId, size, content in base64.
json::Value mailJson(const MailEnvelope &envelope, std::string_view mail);

} // namespace wardbench::mock
