#pragma once

#include "http/chunkeddecoder.h"
#include "http/leniency.h"
#include "http/linereader.h"
#include "http/message.h"
#include "http/parseerror.h"
#include "http/requesttarget.h"

#include <optional>

namespace wardbench::http {

/// Reads HTTP/1.x requests from a byte stream (RFC 9112), strictly and incrementally: the result does not depend on
/// how the bytes are cut. No sockets, no clock. What it accepts and refuses is the table of
/// tests/data/http/conformance.json.
///
/// Feed bytes until `state()` is Complete, take the request, `next()`, go on with what was not consumed. After
/// Failed nothing more of the stream may be believed: answer `error().status` and close.
class RequestParser
{
public:
    enum class State { Head, Body, Complete, Failed };

    explicit RequestParser(const ParserLimits &limits = {}, Leniencies allowed = {});

    /// Returns how many bytes were taken; fewer than given only when Complete or Failed.
    std::size_t feed(std::string_view bytes);
    /// Makes ready for the next request of the stream, keeping allocations.
    void next();

    /// Of the bodies of this and the following requests only the first `most` bytes are kept; the rest is read, counted
    /// and dropped, and the limit on bodies does not hold. Absent: bodies are kept whole, up to the limit. Call it when
    /// made or after `next()`.
    void keepBody(std::optional<std::uint64_t> most);

    /// CONNECT becomes a request like any other, its target in `authority`; else it is refused with 501.
    void takeConnect(bool take) { m_takeConnect = take; }

    State state() const;
    const ParseError &error() const { return m_error; }
    /// True when no byte of a request has come yet (empty lines before one do not count).
    bool idle() const;
    /// Body bytes seen so far, before the transfer coding is undone: tells progress.
    std::uint64_t bodyBytes() const { return m_bodyBytes; }

    /// Whole when Complete; head only while Body. Move or swap it out when Complete.
    Request &request() { return m_request; }
    /// `Expect: 100-continue` in an HTTP/1.1 request that has a body.
    bool expectsContinue() const { return m_expectsContinue; }
    /// The connection ends after this request (version, Connection, or a relaxed rule that asks for it).
    bool closes() const { return m_closes; }
    /// The client asked to keep an HTTP/1.0 connection: the answer should say so too.
    bool keepsOldConnection() const { return m_keepAlive && !m_closes && m_request.versionMinor == 0; }

    /// A request without version and headers (Leniency::Http09): its answer is the body alone.
    bool isHttp09() const { return m_used.has(Leniency::Http09); }

private:
    enum class Stage { RequestLine, Fields, FixedBody, ChunkedBody, Complete, Failed };

    void step(std::string_view &rest);
    void readRequestLine(std::string_view &rest);
    void readField(std::string_view &rest);
    void readFixedBody(std::string_view &rest);
    void readChunkedBody(std::string_view &rest);
    void parseRequestLine(std::string_view line);
    bool parseVersion(std::string_view text, std::size_t at);
    void fillTarget(const RequestTarget &target);
    void finishHead();
    bool checkHead();
    bool readExpectation(std::string_view value);
    void startBody();
    void finish();
    std::uint64_t bodyLimit() const;
    void dropSurplus();
    void fail(int status, std::string_view reason, std::uint64_t offset);

    ParserLimits m_limits;
    Leniencies m_allowed;
    Leniencies m_used;
    Stage m_stage = Stage::RequestLine;
    LineReader m_lines;
    Request m_request;
    ChunkedDecoder m_chunks;
    ParseError m_error;
    std::uint64_t m_offset = 0;  ///< of the current line, from the start of the message
    std::size_t m_headBytes = 0; ///< request line and fields so far
    std::size_t m_emptyLines = 0;
    std::uint64_t m_left = 0; ///< of a body with Content-Length
    std::uint64_t m_bodyBytes = 0;
    std::optional<std::uint64_t> m_keep;
    bool m_takeConnect = false;
    bool m_expectsContinue = false;
    bool m_closes = false;
    bool m_keepAlive = false;
};

} // namespace wardbench::http
