#include "mock/preparedresponse.h"

#include "http/characters.h"
#include "http/messagewriter.h"
#include "mock/wiretext.h"
#include "json/writer.h"

#include <charconv>
#include <cmath>
#include <utility>

namespace wardbench::mock {
namespace {

/// Bodies up to this size travel in the head's buffer: one copy is cheaper than a second piece for the kernel.
constexpr std::size_t inlineBody = 2048;

constexpr std::string_view lineEnd = "\r\n";

bool hasToken(std::string_view list, std::string_view token)
{
    bool found = false;
    http::forEachElement(list, [&](std::string_view element) {
        found = http::equalsIgnoringCase(element, token);
        return !found;
    });
    return found;
}

bool isToken(std::string_view text)
{
    return !text.empty() && http::allOf(text, http::TokenChar);
}

/// A status as Node takes it: a number or numeric text, cut to an integer. 0 for what is not one.
int statusNumber(const json::Value &value)
{
    double number = 0;
    if (value.isNumber()) {
        number = value.toDouble();
    } else if (value.isString()) {
        std::string_view text = value.text();
        while (!text.empty() && (text.front() == ' ' || text.front() == '+'))
            text.remove_prefix(1);
        while (!text.empty() && text.back() == ' ')
            text.remove_suffix(1);
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (problem != std::errc() || end != text.data() + text.size())
            return 0;
    }
    return std::isfinite(number) && std::abs(number) < 1e6 ? static_cast<int>(number) : 0;
}

template <typename T>
const T *firstTruthy(const std::optional<T> &mine, const std::optional<T> &fallback)
{
    if (mine && mine->isTruthy())
        return &*mine;
    return fallback && fallback->isTruthy() ? &*fallback : nullptr;
}

/// What an answer that was worked out says, without the checks that a file gets.
IsResponse readAnswer(const json::Value &answer)
{
    IsResponse is;
    const auto member = [&answer](std::string_view name) {
        const json::Value *value = answer.find(name);
        return value ? std::optional(*value) : std::nullopt;
    };
    is.statusCode = member("statusCode");
    is.body = member("body");
    is.mode = answer["_mode"].text();
    is.hasHeaders = answer["headers"].isObject();
    for (const json::Member &header : answer["headers"].members())
        is.headers.emplace_back(header.first, header.second);
    return is;
}

std::string bodyBytes(const json::Value *body, bool binary)
{
    if (!body)
        return {};
    const bool structured = body->isObject() || body->isArray();
    std::string text = structured ? json::writePretty(*body, 4) : scalarText(*body);
    return binary ? decodeBase64(text) : text;
}

void appendLines(std::string &out, const http::Headers &headers)
{
    std::string value;
    for (const http::Header &header : headers) {
        toHeaderBytes(header.value, value); // checked when it was prepared
        out.append(header.name).append(": ").append(value).append(lineEnd);
    }
}

} // namespace

AnswerForm AnswerForm::of(const server::Exchange &exchange)
{
    const http::Request &request = exchange.request();
    return {request.method == "HEAD", request.versionMinor == 0, exchange.wantsClose()};
}

PreparedResponse PreparedResponse::prepare(const Response &response, const std::optional<IsResponse> &fallback,
                                           bool keepAlive)
{
    static const IsResponse none;
    PreparedResponse prepared = merge(response.is, fallback ? *fallback : none, keepAlive);
    for (const Behavior &behavior : response.behaviors) {
        if (!response.fault.named && behavior.kind == Behavior::Kind::Wait && behavior.wait.kind != Delay::Kind::None)
            prepared.m_waits.push_back(behavior.wait);
    }
    return prepared;
}

PreparedResponse PreparedResponse::plain(int status, std::string contentType, std::string body, bool keepAlive)
{
    PreparedResponse prepared;
    prepared.m_status = status;
    prepared.m_keepAlive = keepAlive;
    prepared.m_headers.add("Content-Type", std::move(contentType));
    prepared.setBody(std::move(body));
    prepared.makeReady();
    return prepared;
}

PreparedResponse PreparedResponse::failure(std::string_view code, const std::string &message, std::string_view kind,
                                           bool keepAlive)
{
    return failure(json::Value(json::Members{{"code", code}, {"message", message}, {"name", kind}}), keepAlive);
}

PreparedResponse PreparedResponse::of(const json::Value &answer, const std::optional<IsResponse> &fallback,
                                      bool keepAlive, std::optional<std::uint64_t> fileSize)
{
    static const IsResponse none;
    return merge(readAnswer(answer), fallback ? *fallback : none, keepAlive, fileSize);
}

PreparedResponse PreparedResponse::verbatim(const http::Response &upstream, bool keepAlive)
{
    PreparedResponse prepared;
    prepared.m_status = upstream.status;
    prepared.m_keepAlive = keepAlive;
    prepared.setBody(upstream.body);
    bool hasLength = false;
    for (const http::Header &header : upstream.headers) {
        if (!http::equalsIgnoringCase(header.name, "Content-Length"))
            prepared.m_headers.add(header.name, header.value);
        else if (!std::exchange(hasLength, true))
            prepared.m_headers.add(header.name, std::to_string(prepared.m_bodySize));
    }
    prepared.makeReady();
    return prepared;
}

PreparedResponse PreparedResponse::failure(const json::Value &error, bool keepAlive)
{
    const json::Value answer(json::Members{{"errors", json::Array{error}}});
    PreparedResponse prepared;
    prepared.m_status = 500;
    prepared.m_keepAlive = keepAlive;
    prepared.m_headers.add("content-type", "application/json");
    prepared.setBody(json::writeCompact(answer));
    prepared.makeReady();
    return prepared;
}

PreparedResponse PreparedResponse::merge(const IsResponse &is, const IsResponse &fallback, bool keepAlive,
                                         std::optional<std::uint64_t> fileSize)
{
    PreparedResponse prepared;
    prepared.m_keepAlive = keepAlive;
    if (const json::Value *status = firstTruthy(is.statusCode, fallback.statusCode)) {
        prepared.m_status = statusNumber(*status);
        if (prepared.m_status < 100 || prepared.m_status > 999) {
            return failure("ERR_HTTP_INVALID_STATUS_CODE", "Invalid status code: " + scalarText(*status), "RangeError",
                           keepAlive);
        }
    }
    const std::string &mode = is.mode.empty() ? fallback.mode : is.mode;
    if (fileSize) {
        prepared.m_inFile = true;
        prepared.m_bodySize = *fileSize;
    } else {
        prepared.setBody(bodyBytes(firstTruthy(is.body, fallback.body), mode == "binary"));
    }

    std::string bytes;
    bool hasLength = false;
    for (const auto &[name, value] : is.hasHeaders ? is.headers : fallback.headers) {
        if (!isToken(name)) {
            return failure("ERR_INVALID_HTTP_TOKEN",
                           "Header name must be a valid HTTP token [" + json::quoted(name) + "]", "TypeError",
                           keepAlive);
        }
        const json::Array single{value};
        for (const json::Value &one : value.isArray() ? value.items() : single) {
            std::string text = scalarText(one);
            if (!toHeaderBytes(text, bytes)) {
                return failure("ERR_INVALID_CHAR", "Invalid character in header content [" + json::quoted(name) + "]",
                               "TypeError", keepAlive);
            }
            if (http::equalsIgnoringCase(name, "Content-Length")) {
                if (std::exchange(hasLength, true))
                    continue;
                text = std::to_string(prepared.m_bodySize);
            }
            prepared.m_headers.add(name, std::move(text));
        }
    }
    if (fileSize) {
        if (!hasLength)
            prepared.m_headers.add("Content-Length", std::to_string(*fileSize));
        return prepared;
    }
    prepared.makeReady();
    return prepared;
}

void PreparedResponse::setBody(std::string body)
{
    m_bodySize = body.size();
    std::string framed = http::chunkWhole(body);
    // Behind the chunk's size, before its line end and the last chunk.
    m_bodyOffset = body.empty() ? 0 : framed.size() - http::lastChunk.size() - lineEnd.size() - body.size();
    m_framed = std::make_shared<const std::string>(std::move(framed));
}

bool PreparedResponse::bodiless(const AnswerForm &form) const
{
    return form.head || m_status == 204 || m_status == 304 || m_status < 200;
}

std::uint64_t PreparedResponse::bodySize(const AnswerForm &form) const
{
    return bodiless(form) ? 0 : m_bodySize;
}

PreparedResponse::Plan PreparedResponse::plan(const AnswerForm &form) const
{
    Plan plan;
    plan.body = !bodiless(form);
    const bool noFraming = m_status == 204 || m_status < 200; // RFC 9112 6.1 and 6.3
    const std::string *coding = form.http10 ? nullptr : m_headers.find("Transfer-Encoding");
    // A body has one length: a chunked coding of the stub's own beats its Content-Length (RFC 9112 6.2).
    const bool ownCoding = coding && plan.body;
    const bool ownLength = !ownCoding && !noFraming && m_headers.has("Content-Length");
    plan.chunked = ownCoding ? hasToken(*coding, "chunked") : plan.body && !ownLength && !form.http10;

    for (const http::Header &header : m_headers) {
        if (http::equalsIgnoringCase(header.name, "Transfer-Encoding") && !ownCoding)
            continue;
        if (http::equalsIgnoringCase(header.name, "Content-Length") && !ownLength)
            continue;
        if (http::equalsIgnoringCase(header.name, "Date"))
            plan.date = false;
        plan.beforeDate.add(header.name, header.value);
    }
    planConnection(plan, form, plan.body && !plan.chunked && !ownLength);
    if (plan.chunked && !ownCoding)
        plan.afterDate.add("Transfer-Encoding", "chunked");
    return plan;
}

void PreparedResponse::planConnection(Plan &plan, const AnswerForm &form, bool closeDelimited) const
{
    // A final answer with an interim status leaves the client waiting for more: only the end of the connection tells
    // it.
    plan.close = form.close || closeDelimited || m_status < 200;
    bool given = false;
    bool saysClose = false;
    for (const http::Header &header : plan.beforeDate) {
        if (http::equalsIgnoringCase(header.name, "Connection")) {
            given = true;
            saysClose = saysClose || hasToken(header.value, "close");
        }
    }
    plan.close = plan.close || saysClose || (!given && !m_keepAlive);
    if (!given) {
        if (plan.close)
            plan.beforeDate.add("Connection", "close");
        else if (form.http10)
            plan.beforeDate.add("Connection", "keep-alive");
    } else if (plan.close && !saysClose) {
        plan.beforeDate.set("Connection", "close");
    }
}

PreparedResponse::Ready PreparedResponse::readyHead(const Plan &plan) const
{
    Ready ready;
    ready.date = plan.date;
    ready.close = plan.close;
    ready.beforeDate = "HTTP/1.1 " + std::to_string(m_status) + ' ';
    ready.beforeDate.append(http::reasonPhrase(m_status)).append(lineEnd);
    appendLines(ready.beforeDate, plan.beforeDate);
    if (plan.date)
        ready.beforeDate.append("Date: ");
    else
        appendLines(ready.beforeDate, plan.afterDate);
    if (plan.date) {
        ready.tail.append(lineEnd);
        appendLines(ready.tail, plan.afterDate);
    }
    ready.tail.append(lineEnd);
    return ready;
}

PreparedResponse::Ready PreparedResponse::ready(const AnswerForm &form) const
{
    const Plan plan = this->plan(form);
    Ready ready = readyHead(plan);
    if (!plan.body)
        return ready;
    if (m_bodySize <= inlineBody)
        ready.tail.append(plan.chunked ? std::string_view(*m_framed) : body());
    else
        ready.body = plan.chunked ? m_framed : std::make_shared<const std::string>(body());
    return ready;
}

void PreparedResponse::makeReady()
{
    m_common[0] = ready({});
    m_common[1] = m_common[0].close ? Ready{} : ready({false, false, true});
}

void PreparedResponse::setHeaders(const http::Headers &headers)
{
    for (const http::Header &header : headers)
        m_headers.set(header.name, header.value);
    makeReady();
}

server::Outgoing PreparedResponse::outgoing(const AnswerForm &form, std::string_view date) const
{
    Ready made;
    const Ready *ready = &m_common[form.close && !m_common[0].close ? 1 : 0];
    if (form.head || form.http10) {
        made = this->ready(form);
        ready = &made;
    }
    server::Outgoing answer;
    answer.close = ready->close;
    answer.head.reserve(ready->beforeDate.size() + date.size() + ready->tail.size());
    answer.head.append(ready->beforeDate);
    if (ready->date)
        answer.head.append(date);
    answer.head.append(ready->tail);
    answer.body = ready->body;
    return answer;
}

AnswerParts PreparedResponse::parts(const AnswerForm &form, std::string_view date) const
{
    const Plan plan = this->plan(form);
    const Ready ready = readyHead(plan);
    AnswerParts parts;
    parts.head = ready.beforeDate;
    if (ready.date)
        parts.head.append(date);
    parts.head.append(ready.tail);
    if (plan.body && !m_inFile)
        parts.body = BodySource::memory(m_framed, m_bodyOffset, static_cast<std::size_t>(m_bodySize));
    parts.chunked = plan.chunked;
    parts.close = plan.close;
    return parts;
}

http::Response PreparedResponse::describe(const AnswerForm &form, std::string_view date, std::size_t bodyLimit) const
{
    Plan plan = this->plan(form);
    http::Response response;
    response.status = m_status;
    response.reason = http::reasonPhrase(m_status);
    response.headers = std::move(plan.beforeDate);
    if (plan.date)
        response.headers.add("Date", std::string(date));
    for (const http::Header &header : plan.afterDate)
        response.headers.add(header.name, header.value);
    if (plan.body)
        response.body = body().substr(0, bodyLimit);
    return response;
}

Nanoseconds PreparedResponse::wait(const RandomStream &stream, std::uint64_t k) const
{
    constexpr Nanoseconds longest = std::chrono::hours(24 * 365);
    Nanoseconds sum{0};
    for (std::size_t i = 0; i < m_waits.size(); ++i)
        sum = std::min(longest, sum + std::min(longest, m_waits[i].draw(stream, k, i)));
    return sum;
}

} // namespace wardbench::mock
