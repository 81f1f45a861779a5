#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wardbench::mock {

/// Text in `charset` as UTF-8. Unknown charsets are taken for UTF-8; bytes that make no sense become U+FFFD.
std::string toUtf8(std::string_view bytes, std::string_view charset);

std::string decodeQuotedPrintable(std::string_view text);

/// A header's text with its encoded words (RFC 2047) read.
std::string decodeEncodedWords(std::string_view text);

/// A structured header such as Content-Type: "text/plain; charset=utf-8; name*=utf-8''x".
struct MailParameters
{
    std::string value; ///< lower case
    std::vector<std::pair<std::string, std::string>> list;

    /// Of that name (lower case), its continuations and encodings (RFC 2231) undone; empty when absent.
    std::string find(std::string_view name) const;
};
MailParameters parseMailParameters(std::string_view header);

struct MailAddress
{
    std::string address, name;

    friend bool operator==(const MailAddress &, const MailAddress &) = default;
};
/// The addresses of From, To and the like (RFC 5322 section 3.4); those of a group one by one.
std::vector<MailAddress> parseMailAddresses(std::string_view header);

} // namespace wardbench::mock
