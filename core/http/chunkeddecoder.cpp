#include "http/chunkeddecoder.h"

#include "http/characters.h"
#include "http/fieldline.h"

#include <algorithm>
#include <limits>

namespace wardbench::http {

namespace {

constexpr std::size_t maxSizeDigits = 16;

/// Length of the quoted-string at the start of `text`, or 0 when it does not close or holds a control character.
std::size_t quotedLength(std::string_view text)
{
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '"')
            return i + 1;
        if (text[i] == '\\' && ++i == text.size())
            return 0;
        if (!isChar(text[i], FieldChar))
            return 0;
    }
    return 0;
}

} // namespace

void ChunkedDecoder::reset()
{
    m_used.clear();
    m_state = State::Reading;
    m_stage = Stage::Size;
    m_lines.reset();
    m_error = {};
    m_left = m_taken = m_data = 0;
    m_extensions = m_trailerBytes = 0;
    m_endBytes = 0;
}

void ChunkedDecoder::fail(int status, std::string_view reason, std::uint64_t offset)
{
    m_state = State::Failed;
    m_error = {status, reason, offset};
}

std::size_t ChunkedDecoder::feed(std::string_view bytes, std::string &body, Headers &trailers)
{
    std::string_view rest = bytes;
    while (!rest.empty() && m_state == State::Reading) {
        switch (m_stage) {
        case Stage::Size:
            readSize(rest, body.size());
            break;
        case Stage::Data: {
            const auto take = static_cast<std::size_t>(std::min<std::uint64_t>(m_left, rest.size()));
            body.append(rest.data(), take);
            rest.remove_prefix(take);
            m_left -= take;
            m_taken += take;
            m_data += take;
            if (m_left == 0)
                m_stage = Stage::DataEnd;
            break;
        }
        case Stage::DataEnd:
            readDataEnd(rest);
            break;
        case Stage::Trailer:
            readTrailer(rest, trailers);
            break;
        }
    }
    return bytes.size() - rest.size();
}

void ChunkedDecoder::readSize(std::string_view &rest, std::size_t bodySize)
{
    std::string_view line;
    const std::size_t limit = m_limits.chunkExtensions + maxSizeDigits + 2;
    switch (m_lines.next(rest, line, limit)) {
    case LineReader::Found::NeedMore:
        return;
    case LineReader::Found::TooLong:
        return fail(400, "chunk line too long", m_taken + limit);
    case LineReader::Found::Line:
        break;
    }
    if (!line.ends_with("\r\n"))
        return fail(400, "chunk size not ended by CR LF", m_taken + line.size() - 1);
    const std::size_t size = line.size();
    line.remove_suffix(2);
    parseSize(line, bodySize);
    if (m_state == State::Failed)
        return;
    m_taken += size;
    const std::uint64_t framing = m_taken - m_data;
    if (framing > m_limits.chunkFraming && framing > 4 * m_data)
        fail(400, "chunks too small for their overhead", m_taken);
}

void ChunkedDecoder::parseSize(std::string_view line, std::size_t bodySize)
{
    const std::size_t digits = firstNot(line, HexChar);
    if (digits == 0)
        return fail(400, "chunk size is not a hexadecimal number", m_taken);
    if (digits > maxSizeDigits)
        return fail(400, "chunk size is too large a number", m_taken + maxSizeDigits);
    std::uint64_t size = 0;
    for (std::size_t i = 0; i < digits; ++i)
        size = size * 16 + hexValue(line[i]);
    if (size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return fail(400, "chunk size is too large a number", m_taken);
    std::string_view tail = line.substr(digits);
    if (tail.starts_with(' ') || tail.starts_with('\t')) {
        if (!m_allowed.use(Leniency::SpaceAfterChunkSize, m_used))
            return fail(400, "blank after the chunk size", m_taken + digits);
        tail = trimBlanks(tail);
    }
    m_extensions += tail.size();
    if (m_extensions > m_limits.chunkExtensions)
        return fail(400, "chunk extensions too long", m_taken + digits);
    if (!parseExtensions(tail))
        return fail(400, "malformed chunk extension", m_taken + digits);
    if (size > m_limits.body || bodySize > m_limits.body - size)
        return fail(413, "body larger than the limit", m_taken);
    m_left = size;
    m_stage = size > 0 ? Stage::Data : Stage::Trailer;
}

bool ChunkedDecoder::parseExtensions(std::string_view text)
{
    while (!text.empty()) {
        if (text.front() != ';')
            return false;
        text.remove_prefix(1);
        const std::size_t name = firstNot(text, TokenChar);
        if (name == 0)
            return false;
        text.remove_prefix(name);
        if (!text.starts_with('='))
            continue;
        text.remove_prefix(1);
        const std::size_t value = text.starts_with('"') ? quotedLength(text) : firstNot(text, TokenChar);
        if (value == 0)
            return false;
        text.remove_prefix(value);
    }
    return true;
}

void ChunkedDecoder::readDataEnd(std::string_view &rest)
{
    if (rest.front() != (m_endBytes == 0 ? '\r' : '\n'))
        return fail(400, "chunk data not followed by CR LF", m_taken);
    rest.remove_prefix(1);
    ++m_taken;
    if (++m_endBytes == 2) {
        m_endBytes = 0;
        m_stage = Stage::Size;
    }
}

void ChunkedDecoder::readTrailer(std::string_view &rest, Headers &trailers)
{
    std::string_view line;
    const std::size_t left = m_limits.head - m_trailerBytes;
    switch (m_lines.next(rest, line, left)) {
    case LineReader::Found::NeedMore:
        return;
    case LineReader::Found::TooLong:
        return fail(431, "trailer section too long", m_taken + left);
    case LineReader::Found::Line:
        break;
    }
    if (!line.ends_with("\r\n"))
        return fail(400, "trailer line not ended by CR LF", m_taken + line.size() - 1);
    const std::uint64_t start = m_taken;
    m_taken += line.size();
    m_trailerBytes += line.size();
    line.remove_suffix(2);
    if (line.empty()) {
        m_state = State::Complete;
        return;
    }
    Leniencies none;
    const FieldLine field = parseFieldLine(line, {}, none);
    if (!field.problem.empty())
        return fail(400, field.problem, start + field.at);
    if (trailers.size() == m_limits.fields)
        return fail(431, "too many trailer fields", start);
    trailers.add(std::string(field.name), std::string(field.value));
}

} // namespace wardbench::http
