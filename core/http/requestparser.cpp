#include "http/requestparser.h"

#include "http/authority.h"
#include "http/characters.h"
#include "http/fieldline.h"
#include "http/framing.h"

#include <algorithm>
#include <limits>

namespace wardbench::http {

namespace {

/// A connection's buffers beyond this are given back after the request that needed them.
constexpr std::size_t keptBody = 4 * 1024;
constexpr std::size_t reservedAtOnce = 1024 * 1024;

bool mentions(std::string_view list, std::string_view word)
{
    bool found = false;
    forEachElement(list, [&](std::string_view element) {
        found = found || equalsIgnoringCase(element, word);
        return !found;
    });
    return found;
}

} // namespace

RequestParser::RequestParser(const ParserLimits &limits, Leniencies allowed)
    : m_limits(limits), m_allowed(allowed), m_chunks(limits, allowed)
{
}

RequestParser::State RequestParser::state() const
{
    switch (m_stage) {
    case Stage::RequestLine:
    case Stage::Fields:
        return State::Head;
    case Stage::FixedBody:
    case Stage::ChunkedBody:
        return State::Body;
    case Stage::Complete:
        return State::Complete;
    case Stage::Failed:
        break;
    }
    return State::Failed;
}

bool RequestParser::idle() const
{
    return m_stage == Stage::RequestLine && (m_lines.partial().empty() || m_lines.partial() == "\r");
}

void RequestParser::next()
{
    m_used.clear();
    m_stage = Stage::RequestLine;
    m_lines.reset();
    m_request.headers.clear();
    m_request.trailers.clear();
    m_request.leniencies.clear();
    m_request.authority.clear();
    m_request.query.clear();
    m_request.droppedBody = 0;
    if (m_request.body.capacity() > keptBody)
        std::string().swap(m_request.body);
    else
        m_request.body.clear();
    m_error = {};
    m_offset = m_headBytes = m_emptyLines = 0;
    m_left = m_bodyBytes = 0;
    m_expectsContinue = m_closes = m_keepAlive = false;
}

void RequestParser::keepBody(std::optional<std::uint64_t> most)
{
    m_keep = most;
    m_chunks.setBodyLimit(bodyLimit());
}

std::uint64_t RequestParser::bodyLimit() const
{
    return m_keep ? std::numeric_limits<std::uint64_t>::max() : m_limits.body;
}

/// The body so far, cut to what is kept.
void RequestParser::dropSurplus()
{
    if (!m_keep || m_request.body.size() <= *m_keep)
        return;
    m_request.droppedBody += m_request.body.size() - *m_keep;
    m_request.body.resize(static_cast<std::size_t>(*m_keep));
}

std::size_t RequestParser::feed(std::string_view bytes)
{
    std::string_view rest = bytes;
    while (!rest.empty() && m_stage != Stage::Complete && m_stage != Stage::Failed)
        step(rest);
    return bytes.size() - rest.size();
}

void RequestParser::step(std::string_view &rest)
{
    switch (m_stage) {
    case Stage::RequestLine:
        return readRequestLine(rest);
    case Stage::Fields:
        return readField(rest);
    case Stage::FixedBody:
        return readFixedBody(rest);
    case Stage::ChunkedBody:
        return readChunkedBody(rest);
    case Stage::Complete:
    case Stage::Failed:
        return;
    }
}

void RequestParser::fail(int status, std::string_view reason, std::uint64_t offset)
{
    m_stage = Stage::Failed;
    m_error = {status, reason, offset};
}

void RequestParser::readRequestLine(std::string_view &rest)
{
    if (m_lines.partial().empty()) {
        // Refuse at the first byte what cannot become a request: no need to wait for a line end.
        const char first = rest.front();
        if (first == 0x16)
            return fail(400, "this looks like TLS, but the port speaks plain HTTP", m_offset);
        if (!isChar(first, TokenChar) && first != '\r' && !(first == '\n' && m_allowed.has(Leniency::BareLf)))
            return fail(400, "a request line must begin with a method", m_offset);
    }
    std::string_view line;
    switch (m_lines.next(rest, line, m_limits.requestLine)) {
    case LineReader::Found::NeedMore:
        return;
    case LineReader::Found::TooLong:
        return fail(414, "request line too long", m_offset + m_limits.requestLine);
    case LineReader::Found::Line:
        break;
    }
    const std::size_t size = line.size();
    if (!cutLineEnd(line, m_allowed, m_used))
        return fail(400, "request line ended by LF without CR", m_offset + size - 1);
    if (line.empty()) {
        if (++m_emptyLines > m_limits.emptyLines)
            return fail(400, "too many empty lines before a request", m_offset);
        m_offset += size;
        return;
    }
    parseRequestLine(line);
    if (m_stage == Stage::Failed)
        return;
    m_offset += size;
    m_headBytes = size;
}

void RequestParser::parseRequestLine(std::string_view line)
{
    const bool multiSpace = m_allowed.has(Leniency::MultiSpaceRequestLine);
    const auto blankRun = [&](std::size_t at) {
        std::size_t end = at + 1;
        while (multiSpace && end < line.size() && line[end] == ' ')
            ++end;
        if (end > at + 1)
            m_used.add(Leniency::MultiSpaceRequestLine);
        return end;
    };
    const std::size_t methodEnd = firstNot(line, TokenChar);
    if (methodEnd == 0 || (methodEnd < line.size() && line[methodEnd] != ' '))
        return fail(400, "illegal character in the method", m_offset + methodEnd);
    if (methodEnd > m_limits.method)
        return fail(501, "method too long", m_offset + m_limits.method);
    if (methodEnd == line.size())
        return fail(400, "request line without a target", m_offset + methodEnd);
    const std::size_t targetStart = blankRun(methodEnd);
    const std::size_t targetEnd = std::min(line.find(' ', targetStart), line.size());
    const std::string_view target = line.substr(targetStart, targetEnd - targetStart);
    m_request.method.assign(line, 0, methodEnd);
    m_request.target.assign(target);
    if (targetEnd == line.size()) {
        if (m_request.method != "GET" || target.empty() || !m_allowed.use(Leniency::Http09, m_used))
            return fail(400, "request line without a version", m_offset + targetEnd);
        m_request.versionMinor = 0;
    } else {
        const std::size_t versionStart = blankRun(targetEnd);
        std::string_view version = line.substr(versionStart);
        while (multiSpace && version.ends_with(' ')) {
            version.remove_suffix(1);
            m_used.add(Leniency::MultiSpaceRequestLine);
        }
        if (target.empty())
            return fail(400, "request target is empty", m_offset + targetStart);
        if (!parseVersion(version, versionStart))
            return;
    }
    const RequestTarget parts = parseRequestTarget(m_request.method, target, m_allowed, m_used);
    if (parts.error)
        return fail(parts.error.status, parts.error.reason, m_offset + targetStart + parts.error.offset);
    if (m_request.method == "CONNECT" && !m_takeConnect)
        return fail(501, "CONNECT is not supported", m_offset + targetStart);
    fillTarget(parts);
    m_stage = Stage::Fields;
    if (m_used.has(Leniency::Http09)) {
        m_closes = true;
        finish();
    }
}

bool RequestParser::parseVersion(std::string_view text, std::size_t at)
{
    const bool wellFormed = text.size() == 8 && text.starts_with("HTTP/") && isChar(text[5], DigitChar) &&
                            text[6] == '.' && isChar(text[7], DigitChar);
    if (!wellFormed) {
        fail(400, "malformed HTTP version", m_offset + at);
        return false;
    }
    if (text[5] != '1') {
        fail(505, "only HTTP/1.x is spoken here", m_offset + at);
        return false;
    }
    m_request.versionMinor = text[7] - '0';
    return true;
}

void RequestParser::fillTarget(const RequestTarget &target)
{
    m_request.path.assign(target.path);
    m_request.query.assign(target.query);
    m_request.authority.assign(target.authority);
}

void RequestParser::readField(std::string_view &rest)
{
    std::string_view line;
    const std::size_t left = m_limits.head - std::min(m_limits.head, m_headBytes);
    switch (m_lines.next(rest, line, left)) {
    case LineReader::Found::NeedMore:
        return;
    case LineReader::Found::TooLong:
        return fail(431, "request head too long", m_offset + left);
    case LineReader::Found::Line:
        break;
    }
    const std::size_t size = line.size();
    if (!cutLineEnd(line, m_allowed, m_used))
        return fail(400, "header line ended by LF without CR", m_offset + size - 1);
    if (line.empty()) {
        m_offset += size;
        return finishHead();
    }
    if (const ParseError error = addFieldLine(line, m_request.headers, m_limits, m_allowed, m_used))
        return fail(error.status, error.reason, m_offset + error.offset);
    m_offset += size;
    m_headBytes += size;
}

void RequestParser::finishHead()
{
    if (checkHead())
        startBody();
}

/// Host, Connection and Expect in one pass.
bool RequestParser::checkHead()
{
    int hosts = 0;
    bool close = false;
    const auto refuse = [this](int status, std::string_view reason) {
        fail(status, reason, m_offset);
        return false;
    };
    for (const Header &field : m_request.headers) {
        switch (field.name.size()) {
        case 4:
            if (equalsIgnoringCase(field.name, "host")) {
                Authority authority;
                if (++hosts > 1)
                    return refuse(400, "Host given more than once");
                if (!splitAuthority(field.value, authority) || authority.hasUserInfo)
                    return refuse(400, "malformed Host");
            }
            break;
        case 6:
            if (equalsIgnoringCase(field.name, "expect") && !readExpectation(field.value))
                return refuse(417, "expectation other than 100-continue");
            break;
        case 10:
            if (equalsIgnoringCase(field.name, "connection")) {
                close = close || mentions(field.value, "close");
                m_keepAlive = m_keepAlive || mentions(field.value, "keep-alive");
            }
            break;
        default:
            break;
        }
    }
    if (hosts == 0 && m_request.versionMinor > 0 && !m_allowed.use(Leniency::MissingHost, m_used))
        return refuse(400, "Host is missing");
    m_closes = close || (m_request.versionMinor == 0 && !m_keepAlive);
    return true;
}

bool RequestParser::readExpectation(std::string_view value)
{
    if (m_request.versionMinor == 0)
        return true; // RFC 9110 section 10.1.1: ignored
    if (!equalsIgnoringCase(value, "100-continue"))
        return false;
    m_expectsContinue = true;
    return true;
}

void RequestParser::startBody()
{
    const Framing framing =
        requestFraming(m_request.method, m_request.versionMinor, m_request.headers, m_allowed, m_used);
    if (framing.error)
        return fail(framing.error.status, framing.error.reason, m_offset);
    m_closes = m_closes || framing.mustClose;
    if (framing.kind == BodyKind::Chunked) {
        m_chunks.reset();
        m_stage = Stage::ChunkedBody;
    } else if (framing.length > 0) {
        if (framing.length > bodyLimit())
            return fail(413, "body larger than the limit", m_offset);
        m_left = framing.length;
        m_request.body.reserve(
            static_cast<std::size_t>(std::min({m_left, m_keep.value_or(m_left), std::uint64_t(reservedAtOnce)})));
        m_stage = Stage::FixedBody;
    } else {
        m_expectsContinue = false;
        finish();
    }
}

void RequestParser::readFixedBody(std::string_view &rest)
{
    const auto take = static_cast<std::size_t>(std::min<std::uint64_t>(m_left, rest.size()));
    m_request.body.append(rest.data(), take);
    dropSurplus();
    rest.remove_prefix(take);
    m_left -= take;
    m_bodyBytes += take;
    if (m_left == 0)
        finish();
}

void RequestParser::readChunkedBody(std::string_view &rest)
{
    const std::size_t taken = m_chunks.feed(rest, m_request.body, m_request.trailers);
    dropSurplus();
    rest.remove_prefix(taken);
    m_bodyBytes += taken;
    if (m_chunks.state() == ChunkedDecoder::State::Complete) {
        m_used = m_used | m_chunks.used();
        finish();
    } else if (m_chunks.state() == ChunkedDecoder::State::Failed) {
        fail(m_chunks.error().status, m_chunks.error().reason, m_offset + m_chunks.error().offset);
    }
}

void RequestParser::finish()
{
    m_stage = Stage::Complete;
    if (m_used.empty())
        return;
    for (const Leniency leniency : allLeniencies) {
        if (m_used.has(leniency))
            m_request.leniencies.emplace_back(leniencyName(leniency));
    }
}

} // namespace wardbench::http
