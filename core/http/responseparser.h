#pragma once

#include "http/chunkeddecoder.h"
#include "http/framing.h"
#include "http/leniency.h"
#include "http/linereader.h"
#include "http/message.h"
#include "http/parseerror.h"

namespace wardbench::http {

/// Reads HTTP/1.x responses from a byte stream (RFC 9112), strictly and incrementally: the result does not depend on
/// how the bytes are cut. No sockets, no clock.
///
/// For each response: `begin` with the request's method, feed bytes until `state()` is Complete or Failed, and say
/// `end()` when the stream ends before that. The body gathers in `response().body` unless it is taken with `takeBody`
/// as it comes.
class ResponseParser
{
public:
    enum class State { Head, Body, Complete, Failed };
    /// What was wrong, as classes that tell faults apart.
    enum class Problem {
        None,
        BadStatusLine, ///< not an HTTP/1.x status line
        BadHeader,     ///< a header line that is none, or too many or too long ones
        BadFraming,    ///< lengths or codings that contradict each other
        BadChunk,      ///< the chunked coding is broken
        TooLarge,      ///< a body over ParserLimits::body
        EmptyReply,    ///< the stream ended before the first byte
        Truncated,     ///< the stream ended in the middle
    };

    explicit ResponseParser(const ParserLimits &limits = {}, Leniencies allowed = {});

    /// Makes ready for the response to a request with this method, keeping allocations.
    void begin(std::string_view method);
    /// Returns how many bytes were taken; fewer than given only when Complete or Failed. Interim responses (1xx but
    /// 101) are read and dropped.
    std::size_t feed(std::string_view bytes);
    /// The stream has ended. Completes a body that only the end delimits, else fails. `clean` false: the end may be
    /// forged (TLS without its closing message), which such a body cannot survive.
    void end(bool clean = true);

    State state() const;
    Problem problem() const { return m_problem; }
    const ParseError &error() const { return m_error; } ///< its status is 502, a gateway's answer to such a response
    /// True when no byte of a response, an interim one included, has come.
    bool idle() const { return !m_begun; }

    /// Whole when Complete; the head from Body on. Move it out when wanted.
    Response &response() { return m_response; }
    bool headComplete() const { return m_headComplete; }
    int versionMinor() const { return m_versionMinor; }
    Headers &trailers() { return m_trailers; }
    /// The part of the body that came since the last call.
    std::string takeBody();
    BodyKind bodyKind() const { return m_kind; }
    /// The connection may serve another request after this response.
    bool keepsAlive() const { return m_keepsAlive; }

private:
    enum class Stage { StatusLine, Fields, FixedBody, ChunkedBody, OpenBody, Complete, Failed };

    void readStatusLine(std::string_view &rest);
    void parseStatusLine(std::string_view line);
    void readField(std::string_view &rest);
    void finishHead();
    void readFixedBody(std::string_view &rest);
    void readChunkedBody(std::string_view &rest);
    void readOpenBody(std::string_view &rest);
    bool readConnection() const;
    void startHead();
    void fail(Problem problem, std::string_view reason, std::uint64_t offset);

    ParserLimits m_limits;
    Leniencies m_allowed;
    Leniencies m_used;
    Stage m_stage = Stage::StatusLine;
    LineReader m_lines;
    Response m_response;
    Headers m_trailers;
    ChunkedDecoder m_chunks;
    ParseError m_error;
    Problem m_problem = Problem::None;
    BodyKind m_kind = BodyKind::None;
    std::string m_method;
    std::uint64_t m_offset = 0;  ///< of the current line, from the start of the (first interim) response
    std::size_t m_headBytes = 0; ///< of the current head so far
    std::uint64_t m_left = 0;    ///< of a body with Content-Length
    std::uint64_t m_taken = 0;   ///< body bytes given out by `takeBody`
    int m_interim = 0;           ///< interim responses so far
    int m_versionMinor = 1;
    bool m_begun = false;
    bool m_headComplete = false;
    bool m_keepsAlive = false;
};

/// "bad-status-line", "truncated", ...
std::string_view problemName(ResponseParser::Problem problem);

} // namespace wardbench::http
