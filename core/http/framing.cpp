#include "http/framing.h"

#include "http/characters.h"

#include <limits>

namespace wardbench::http {

namespace {

struct LengthFields
{
    int fields = 0;
    int elements = 0;
    bool equal = true;
    std::uint64_t value = 0;
    std::string_view problem;
};

std::string_view readLength(std::string_view digits, std::uint64_t &value)
{
    if (digits.empty())
        return "Content-Length is empty";
    if (!allOf(digits, DigitChar))
        return "Content-Length is not a number";
    value = 0;
    for (const char c : digits) {
        const auto digit = static_cast<unsigned>(c - '0');
        if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / 10)
            return "Content-Length is too large a number";
        value = value * 10 + digit;
    }
    return {};
}

void addLength(LengthFields &length, std::string_view text)
{
    ++length.fields;
    forEachElement(text, [&](std::string_view element) {
        std::uint64_t value = 0;
        length.problem = readLength(element, value);
        length.equal = length.equal && (length.elements == 0 || value == length.value);
        length.value = value;
        ++length.elements;
        return length.problem.empty();
    });
}

enum class Coding { Chunked, Known, Unknown };

Coding codingOf(std::string_view name)
{
    if (equalsIgnoringCase(name, "chunked"))
        return Coding::Chunked;
    for (const std::string_view known : {"gzip", "x-gzip", "deflate", "compress", "x-compress"}) {
        if (equalsIgnoringCase(name, known))
            return Coding::Known;
    }
    return Coding::Unknown;
}

struct CodingFields
{
    int fields = 0;
    int elements = 0;
    int chunked = 0;
    bool lastIsChunked = false;
    bool known = false; ///< a coding we know by name and do not undo
    bool unknown = false;
};

void addCodings(CodingFields &codings, std::string_view text)
{
    ++codings.fields;
    forEachElement(text, [&](std::string_view element) {
        const Coding coding = codingOf(element);
        ++codings.elements;
        codings.lastIsChunked = coding == Coding::Chunked;
        codings.chunked += codings.lastIsChunked ? 1 : 0;
        codings.known = codings.known || coding == Coding::Known;
        codings.unknown = codings.unknown || coding == Coding::Unknown;
        return true;
    });
}

void collect(const Headers &headers, LengthFields &length, CodingFields &codings)
{
    for (const Header &field : headers) {
        if (field.name.size() == 14 && equalsIgnoringCase(field.name, "content-length")) {
            if (length.problem.empty())
                addLength(length, field.value);
        } else if (field.name.size() == 17 && equalsIgnoringCase(field.name, "transfer-encoding")) {
            addCodings(codings, field.value);
        }
    }
}

Framing refuse(int status, std::string_view reason)
{
    Framing framing;
    framing.error = {status, reason, 0};
    return framing;
}

/// RFC 9112 section 6.3, rules 1 and 2.
bool hasNoBody(std::string_view method, int status)
{
    return method == "HEAD" || status < 200 || status == 204 || status == 304 || (method == "CONNECT" && status < 300);
}

/// `Transfer-Encoding: identity` alone, which old servers send to say that there is none.
bool isIdentity(const Headers &headers, const CodingFields &codings)
{
    return codings.elements == 1 && equalsIgnoringCase(*headers.find("transfer-encoding"), "identity");
}

/// The last transfer coding must be chunked, once: else the end of the body is anybody's guess.
ParseError checkCodings(const CodingFields &codings)
{
    if (!codings.lastIsChunked)
        return {400, "Transfer-Encoding does not end in chunked", 0};
    if (codings.chunked > 1)
        return {400, "Transfer-Encoding names chunked twice", 0};
    if (codings.unknown)
        return {400, "Transfer-Encoding names an unknown coding", 0};
    if (codings.known)
        return {501, "Transfer-Encoding other than chunked is not supported", 0};
    return {};
}

Framing lengthFraming(const LengthFields &length, Leniencies allowed, Leniencies &used)
{
    if (!length.problem.empty())
        return refuse(400, length.problem);
    if (!length.equal)
        return refuse(400, "Content-Length given with different values");
    if (length.elements > 1 && !allowed.use(Leniency::EqualDuplicateCl, used))
        return refuse(400, "Content-Length given more than once");
    Framing framing;
    framing.kind = BodyKind::Length;
    framing.length = length.value;
    return framing;
}

} // namespace

Framing requestFraming(std::string_view method, int versionMinor, const Headers &headers, Leniencies allowed,
                       Leniencies &used)
{
    LengthFields length;
    CodingFields codings;
    collect(headers, length, codings);
    if (length.fields == 0 && codings.fields == 0)
        return {};
    Framing framing;
    if (length.fields > 0) {
        framing = lengthFraming(length, allowed, used);
        if (framing.error)
            return framing;
    }
    if (codings.fields > 0) {
        if (versionMinor < 1)
            return refuse(400, "Transfer-Encoding in an HTTP/1.0 request");
        if (const ParseError error = checkCodings(codings))
            return refuse(error.status, error.reason);
        if (length.fields > 0 && !allowed.use(Leniency::TeWithCl, used))
            return refuse(400, "both Transfer-Encoding and Content-Length");
        framing = {};
        framing.kind = BodyKind::Chunked;
        framing.mustClose = length.fields > 0;
    }
    if (method == "TRACE" && (framing.kind == BodyKind::Chunked || framing.length > 0))
        return refuse(400, "TRACE with a body");
    return framing;
}

Framing responseFraming(std::string_view method, int status, int versionMinor, const Headers &headers,
                        Leniencies allowed, Leniencies &used)
{
    Framing framing;
    if (hasNoBody(method, status)) {
        framing.mustClose = status == 101 || method == "CONNECT";
        return framing;
    }
    LengthFields length;
    CodingFields codings;
    collect(headers, length, codings);
    if (codings.fields > 0 && !isIdentity(headers, codings)) {
        if (const ParseError error = checkCodings(codings))
            return refuse(error.status, error.reason);
        if (length.fields > 0 && !allowed.use(Leniency::TeWithCl, used))
            return refuse(400, "both Transfer-Encoding and Content-Length");
        framing.kind = BodyKind::Chunked;
        framing.mustClose = length.fields > 0 || versionMinor < 1; // RFC 9112 section 6.1
        return framing;
    }
    if (length.fields > 0)
        return lengthFraming(length, allowed, used);
    framing.kind = BodyKind::UntilClose;
    framing.mustClose = true;
    return framing;
}

} // namespace wardbench::http
