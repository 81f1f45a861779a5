#pragma once

#include "http/message.h"
#include "mock/delivery.h"
#include "model/imposter.h"
#include "server/requesthandler.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench::mock {

/// What of a request shapes the bytes of its answer.
struct AnswerForm
{
    bool head = false;   ///< HEAD: no body byte
    bool http10 = false; ///< no chunked coding
    bool close = false;  ///< the client, or a stop, asks for the connection's end

    static AnswerForm of(const server::Exchange &exchange);
};

/// One answer made ready when its stub is compiled (mountebank.md 2.2.2), so that giving it is a few appends.
/// Immutable; any thread.
class PreparedResponse
{
public:
    /// The stub's response merged with the imposter's default and the built-in one. What cannot be sent (a status out
    /// of range, a header value with a line break) becomes the 500 that says so.
    static PreparedResponse prepare(const Response &response, const std::optional<IsResponse> &fallback,
                                    bool keepAlive);
    /// The same for an answer that was worked out for one request: mountebank's response object. `fileSize`: its body
    /// is a file of so many bytes, which `parts` leaves to the caller.
    static PreparedResponse of(const json::Value &answer, const std::optional<IsResponse> &fallback, bool keepAlive,
                               std::optional<std::uint64_t> fileSize = {});
    /// An upstream's answer with its own header lines and bytes.
    static PreparedResponse verbatim(const http::Response &upstream, bool keepAlive);
    /// The 500 with mountebank's error object.
    static PreparedResponse failure(const json::Value &error, bool keepAlive);
    /// One of our own answers.
    static PreparedResponse plain(int status, std::string contentType, std::string body, bool keepAlive);

    /// Sets these headers, in place of any of the same name. Their values are sent as they are.
    void setHeaders(const http::Headers &headers);

    /// The bytes for a request of this form. `date` is the Date header's value.
    server::Outgoing outgoing(const AnswerForm &form, std::string_view date) const;
    /// The same for a delivery in pieces.
    AnswerParts parts(const AnswerForm &form, std::string_view date) const;
    /// The same answer in parts, for the journal; the body cut to `bodyLimit` bytes.
    http::Response describe(const AnswerForm &form, std::string_view date, std::size_t bodyLimit) const;
    /// Body bytes an answer of this form carries, without transfer coding.
    std::uint64_t bodySize(const AnswerForm &form) const;

    int status() const { return m_status; }
    bool waits() const { return !m_waits.empty(); }
    /// The sum of the waits for decision `k`.
    Nanoseconds wait(const RandomStream &stream, std::uint64_t k) const;

private:
    /// An answer's header in two halves, as the Date goes between them.
    struct Plan
    {
        http::Headers beforeDate;
        bool date = true;
        http::Headers afterDate;
        bool close = false;
        bool chunked = false;
        bool body = true;
    };
    /// The bytes of a Plan, a small body included in `tail`.
    struct Ready
    {
        std::string beforeDate;
        std::string tail;
        bool date = true;
        bool close = false;
        std::shared_ptr<const std::string> body;
    };

    PreparedResponse() = default;
    void setBody(std::string body);
    void makeReady();
    bool bodiless(const AnswerForm &form) const;
    Plan plan(const AnswerForm &form) const;
    void planConnection(Plan &plan, const AnswerForm &form, bool closeDelimited) const;
    Ready ready(const AnswerForm &form) const;
    Ready readyHead(const Plan &plan) const;
    std::string_view body() const
    {
        return m_inFile ? std::string_view() : std::string_view(*m_framed).substr(m_bodyOffset, m_bodySize);
    }

    static PreparedResponse failure(std::string_view code, const std::string &message, std::string_view kind,
                                    bool keepAlive);
    static PreparedResponse merge(const IsResponse &is, const IsResponse &fallback, bool keepAlive,
                                  std::optional<std::uint64_t> fileSize = {});

    int m_status = 200;
    http::Headers m_headers; ///< as configured, UTF-8, Content-Length corrected
    bool m_keepAlive = false;
    std::shared_ptr<const std::string> m_framed; ///< the body in chunked coding; the plain body is a part of it
    std::size_t m_bodyOffset = 0;
    std::uint64_t m_bodySize = 0;
    bool m_inFile = false; ///< no bytes here
    std::vector<Delay> m_waits;
    std::array<Ready, 2> m_common; ///< HTTP/1.1, not HEAD: connection kept, and closed
};

} // namespace wardbench::mock
