#pragma once

#include "http/leniency.h"
#include "http/linereader.h"
#include "http/message.h"
#include "http/parseerror.h"

namespace wardbench::http {

/// Undoes the chunked transfer coding as bytes come in (RFC 9112 section 7.1). Strict: CRLF everywhere, sizes of at
/// most 16 hexadecimal digits, budgets for extensions, trailers and for framing as such.
class ChunkedDecoder
{
public:
    enum class State { Reading, Complete, Failed };

    explicit ChunkedDecoder(const ParserLimits &limits = {}, Leniencies allowed = {})
        : m_limits(limits), m_allowed(allowed)
    {
    }
    void reset();
    void setBodyLimit(std::uint64_t bytes) { m_limits.body = bytes; }
    /// Appends data to `body` and trailer fields to `trailers`; returns how many bytes it took. Stops at the end of
    /// the body.
    std::size_t feed(std::string_view bytes, std::string &body, Headers &trailers);
    State state() const { return m_state; }
    /// Its offset counts from the first byte of the coded body.
    const ParseError &error() const { return m_error; }
    const Leniencies &used() const { return m_used; }
    std::uint64_t taken() const { return m_taken; }

private:
    enum class Stage { Size, Data, DataEnd, Trailer };

    void readSize(std::string_view &rest, std::size_t bodySize);
    void readDataEnd(std::string_view &rest);
    void readTrailer(std::string_view &rest, Headers &trailers);
    void parseSize(std::string_view line, std::size_t bodySize);
    bool parseExtensions(std::string_view text);
    void fail(int status, std::string_view reason, std::uint64_t offset);

    ParserLimits m_limits;
    Leniencies m_allowed;
    Leniencies m_used;
    State m_state = State::Reading;
    Stage m_stage = Stage::Size;
    LineReader m_lines;
    ParseError m_error;
    std::uint64_t m_left = 0;  ///< of the current chunk's data
    std::uint64_t m_taken = 0; ///< up to the current line or datum
    std::uint64_t m_data = 0;
    std::size_t m_extensions = 0;
    std::size_t m_trailerBytes = 0;
    int m_endBytes = 0;
};

} // namespace wardbench::http
