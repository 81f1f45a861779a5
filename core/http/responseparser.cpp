#include "http/responseparser.h"

#include "http/characters.h"
#include "http/fieldline.h"

#include <algorithm>

namespace wardbench::http {

namespace {

constexpr std::string_view versionStart = "HTTP/1.";
constexpr int mostInterim = 64;
constexpr std::size_t keptBody = 4 * 1024; ///< a body's buffer beyond this is given back
constexpr std::size_t reservedAtOnce = 1024 * 1024;
constexpr int badGateway = 502;

} // namespace

ResponseParser::ResponseParser(const ParserLimits &limits, Leniencies allowed)
    : m_limits(limits), m_allowed(allowed), m_chunks(limits, allowed)
{
}

void ResponseParser::begin(std::string_view method)
{
    m_used.clear();
    m_method.assign(method);
    startHead();
    m_trailers.clear();
    m_error = {};
    m_problem = Problem::None;
    m_kind = BodyKind::None;
    m_offset = m_left = m_taken = 0;
    m_interim = 0;
    m_begun = m_headComplete = m_keepsAlive = false;
}

void ResponseParser::startHead()
{
    m_stage = Stage::StatusLine;
    m_lines.reset();
    m_headBytes = 0;
    m_response.status = 0;
    m_response.reason.clear();
    m_response.headers.clear();
    if (m_response.body.capacity() > keptBody)
        std::string().swap(m_response.body);
    else
        m_response.body.clear();
}

ResponseParser::State ResponseParser::state() const
{
    switch (m_stage) {
    case Stage::StatusLine:
    case Stage::Fields:
        return State::Head;
    case Stage::FixedBody:
    case Stage::ChunkedBody:
    case Stage::OpenBody:
        return State::Body;
    case Stage::Complete:
        return State::Complete;
    case Stage::Failed:
        break;
    }
    return State::Failed;
}

std::string ResponseParser::takeBody()
{
    m_taken += m_response.body.size();
    return std::exchange(m_response.body, {});
}

std::size_t ResponseParser::feed(std::string_view bytes)
{
    std::string_view rest = bytes;
    while (!rest.empty() && m_stage != Stage::Complete && m_stage != Stage::Failed) {
        m_begun = true;
        switch (m_stage) {
        case Stage::StatusLine:
            readStatusLine(rest);
            break;
        case Stage::Fields:
            readField(rest);
            break;
        case Stage::FixedBody:
            readFixedBody(rest);
            break;
        case Stage::ChunkedBody:
            readChunkedBody(rest);
            break;
        case Stage::OpenBody:
            readOpenBody(rest);
            break;
        case Stage::Complete:
        case Stage::Failed:
            break;
        }
    }
    return bytes.size() - rest.size();
}

void ResponseParser::end(bool clean)
{
    if (m_stage == Stage::Complete || m_stage == Stage::Failed)
        return;
    if (m_stage == Stage::OpenBody && clean)
        m_stage = Stage::Complete;
    else if (idle())
        fail(Problem::EmptyReply, "the connection ended before an answer came", 0);
    else if (state() == State::Head)
        fail(Problem::Truncated, "the connection ended in the head of the answer", m_offset + m_lines.partial().size());
    else
        fail(Problem::Truncated, "the connection ended in the body of the answer", m_offset);
}

void ResponseParser::fail(Problem problem, std::string_view reason, std::uint64_t offset)
{
    m_stage = Stage::Failed;
    m_problem = problem;
    m_error = {badGateway, reason, offset};
    m_keepsAlive = false;
}

void ResponseParser::readStatusLine(std::string_view &rest)
{
    // What is no status line shows in its first bytes: no need to wait for a line end that may never come.
    for (std::size_t at = m_lines.partial().size(), i = 0; at < versionStart.size() && i < rest.size(); ++at, ++i) {
        if (rest[i] != versionStart[at])
            return fail(Problem::BadStatusLine, "the answer does not begin with HTTP/1.", m_offset + at);
    }
    std::string_view line;
    switch (m_lines.next(rest, line, m_limits.requestLine)) {
    case LineReader::Found::NeedMore:
        return;
    case LineReader::Found::TooLong:
        return fail(Problem::BadStatusLine, "status line too long", m_offset + m_limits.requestLine);
    case LineReader::Found::Line:
        break;
    }
    const std::size_t size = line.size();
    if (!cutLineEnd(line, m_allowed, m_used))
        return fail(Problem::BadStatusLine, "status line ended by LF without CR", m_offset + size - 1);
    parseStatusLine(line);
    if (m_stage == Stage::Failed)
        return;
    m_offset += size;
    m_headBytes = size;
    m_stage = Stage::Fields;
}

void ResponseParser::parseStatusLine(std::string_view line)
{
    const auto refuse = [this](std::string_view reason, std::size_t at) {
        fail(Problem::BadStatusLine, reason, m_offset + at);
    };
    constexpr std::size_t minor = versionStart.size();
    constexpr std::size_t code = minor + 2;
    if (line.size() < code || !isChar(line[minor], DigitChar) || line[minor + 1] != ' ')
        return refuse("malformed HTTP version", minor);
    if (line.size() < code + 3 || !allOf(line.substr(code, 3), DigitChar) || line[code] == '0')
        return refuse("the status code is not three digits", code);
    // The blank before an empty reason is left out by many servers.
    const std::string_view tail = line.substr(code + 3);
    if (!tail.empty() && tail.front() != ' ')
        return refuse("no blank after the status code", code + 3);
    const std::size_t bad = firstNot(tail, FieldChar);
    if (bad < tail.size())
        return refuse("control character in the reason phrase", code + 3 + bad);
    m_versionMinor = line[minor] - '0';
    m_response.status = (line[code] - '0') * 100 + (line[code + 1] - '0') * 10 + (line[code + 2] - '0');
    m_response.reason.assign(tail.empty() ? tail : tail.substr(1));
}

void ResponseParser::readField(std::string_view &rest)
{
    std::string_view line;
    const std::size_t left = m_limits.head - std::min(m_limits.head, m_headBytes);
    switch (m_lines.next(rest, line, left)) {
    case LineReader::Found::NeedMore:
        return;
    case LineReader::Found::TooLong:
        return fail(Problem::BadHeader, "head of the answer too long", m_offset + left);
    case LineReader::Found::Line:
        break;
    }
    const std::size_t size = line.size();
    if (!cutLineEnd(line, m_allowed, m_used))
        return fail(Problem::BadHeader, "header line ended by LF without CR", m_offset + size - 1);
    if (!line.empty()) {
        if (const ParseError error = addFieldLine(line, m_response.headers, m_limits, m_allowed, m_used))
            return fail(Problem::BadHeader, error.reason, m_offset + error.offset);
    }
    m_offset += size;
    m_headBytes += size;
    if (line.empty())
        finishHead();
}

void ResponseParser::finishHead()
{
    const int status = m_response.status;
    if (status < 200 && status != 101) {
        if (++m_interim > mostInterim)
            return fail(Problem::BadHeader, "too many interim answers", m_offset);
        return startHead();
    }
    const Framing framing = responseFraming(m_method, status, m_versionMinor, m_response.headers, m_allowed, m_used);
    if (framing.error)
        return fail(Problem::BadFraming, framing.error.reason, m_offset);
    m_headComplete = true;
    m_kind = framing.kind;
    m_keepsAlive = !framing.mustClose && readConnection();
    switch (framing.kind) {
    case BodyKind::None:
        m_stage = Stage::Complete;
        break;
    case BodyKind::Length:
        if (framing.length > m_limits.body)
            return fail(Problem::TooLarge, "body larger than the limit", m_offset);
        m_left = framing.length;
        m_response.body.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(m_left, reservedAtOnce)));
        m_stage = m_left > 0 ? Stage::FixedBody : Stage::Complete;
        break;
    case BodyKind::Chunked:
        m_chunks.reset();
        m_stage = Stage::ChunkedBody;
        break;
    case BodyKind::UntilClose:
        m_stage = Stage::OpenBody;
        break;
    }
}

/// Whether version and Connection keep the connection (RFC 9112 section 9.3).
bool ResponseParser::readConnection() const
{
    bool close = false;
    bool keep = false;
    for (const Header &field : m_response.headers) {
        if (field.name.size() != 10 || !equalsIgnoringCase(field.name, "connection"))
            continue;
        forEachElement(field.value, [&](std::string_view option) {
            close = close || equalsIgnoringCase(option, "close");
            keep = keep || equalsIgnoringCase(option, "keep-alive");
            return true;
        });
    }
    return !close && (keep || m_versionMinor > 0);
}

void ResponseParser::readFixedBody(std::string_view &rest)
{
    const auto take = static_cast<std::size_t>(std::min<std::uint64_t>(m_left, rest.size()));
    m_response.body.append(rest.data(), take);
    rest.remove_prefix(take);
    m_offset += take;
    m_left -= take;
    if (m_left == 0)
        m_stage = Stage::Complete;
}

void ResponseParser::readChunkedBody(std::string_view &rest)
{
    const std::size_t taken = m_chunks.feed(rest, m_response.body, m_trailers);
    rest.remove_prefix(taken);
    if (m_chunks.state() == ChunkedDecoder::State::Complete) {
        m_stage = Stage::Complete;
    } else if (m_chunks.state() == ChunkedDecoder::State::Failed) {
        const ParseError &error = m_chunks.error();
        fail(error.status == 413 ? Problem::TooLarge : Problem::BadChunk, error.reason, m_offset + error.offset);
    } else if (m_taken + m_response.body.size() > m_limits.body) {
        fail(Problem::TooLarge, "body larger than the limit", m_offset);
    }
}

void ResponseParser::readOpenBody(std::string_view &rest)
{
    if (rest.size() > m_limits.body || m_taken + m_response.body.size() > m_limits.body - rest.size())
        return fail(Problem::TooLarge, "body larger than the limit", m_offset);
    m_response.body.append(rest);
    m_offset += rest.size();
    rest = {};
}

std::string_view problemName(ResponseParser::Problem problem)
{
    switch (problem) {
    case ResponseParser::Problem::None:
        return "none";
    case ResponseParser::Problem::BadStatusLine:
        return "bad-status-line";
    case ResponseParser::Problem::BadHeader:
        return "bad-header";
    case ResponseParser::Problem::BadFraming:
        return "bad-framing";
    case ResponseParser::Problem::BadChunk:
        return "bad-chunk";
    case ResponseParser::Problem::TooLarge:
        return "too-large";
    case ResponseParser::Problem::EmptyReply:
        return "empty-reply";
    case ResponseParser::Problem::Truncated:
        return "truncated";
    }
    return "none";
}

} // namespace wardbench::http
