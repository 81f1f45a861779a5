#include "http/messagewriter.h"

#include "http/characters.h"

#include <algorithm>
#include <charconv>
#include <ctime>

namespace wardbench::http {

namespace {

/// What would end the line, or the string in a C client.
bool breaksLine(std::string_view text)
{
    return text.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos;
}

void appendNumber(std::string &out, std::uint64_t value, int base)
{
    char digits[20];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), value, base).ptr;
    out.append(digits, end);
}

void appendStatusLine(std::string &out, int status, std::string_view reason)
{
    out.append("HTTP/1.1 ");
    appendNumber(out, static_cast<std::uint64_t>(status), 10);
    out.push_back(' ');
    out.append(reason.empty() ? reasonPhrase(status) : reason).append("\r\n");
}

std::size_t sizeOf(const Headers &headers)
{
    std::size_t size = 2;
    for (const Header &field : headers)
        size += field.name.size() + field.value.size() + 4;
    return size;
}

/// `out` with the fields and the blank line.
Result<std::string> appendFields(std::string out, const Headers &headers)
{
    for (const Header &field : headers) {
        if (field.name.empty() || !allOf(field.name, TokenChar))
            return fail("header name \"" + field.name + "\" is not a token", Error::Code::BadInput);
        if (breaksLine(field.value))
            return fail("the value of header " + field.name + " holds CR, LF or NUL", Error::Code::BadInput);
        out.append(field.name).append(": ").append(field.value).append("\r\n");
    }
    out.append("\r\n");
    return out;
}

} // namespace

Result<std::string> writeResponseHead(int status, std::string_view reason, const Headers &headers)
{
    if (status < 100 || status > 999)
        return fail("status code " + std::to_string(status) + " is not between 100 and 999", Error::Code::BadInput);
    if (breaksLine(reason))
        return fail("the reason phrase holds CR, LF or NUL", Error::Code::BadInput);
    std::string out;
    out.reserve(64 + reason.size() + sizeOf(headers));
    appendStatusLine(out, status, reason);
    return appendFields(std::move(out), headers);
}

Result<std::string> writeRequestHead(std::string_view method, std::string_view target, const Headers &headers)
{
    if (method.empty() || !allOf(method, TokenChar))
        return fail("the method is not a token", Error::Code::BadInput);
    const auto isBad = [](char c) {
        return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f;
    };
    if (target.empty() || std::any_of(target.begin(), target.end(), isBad))
        return fail("the request target is empty or holds a blank or a control character", Error::Code::BadInput);
    std::string out;
    out.reserve(method.size() + target.size() + 16 + sizeOf(headers));
    out.append(method).append(1, ' ').append(target).append(" HTTP/1.1\r\n");
    return appendFields(std::move(out), headers);
}

void appendChunk(std::string &out, std::string_view data)
{
    if (data.empty())
        return;
    appendNumber(out, data.size(), 16);
    out.append("\r\n").append(data).append("\r\n");
}

std::string chunkWhole(std::string_view body)
{
    std::string out;
    out.reserve(body.size() + 32);
    appendChunk(out, body);
    out.append(lastChunk);
    return out;
}

std::string formatDate(std::int64_t secondsSinceEpoch)
{
    // strftime would follow the locale.
    static constexpr const char *days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr const char *months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                             "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto time = static_cast<std::time_t>(secondsSinceEpoch);
    std::tm parts{};
    gmtime_r(&time, &parts);
    const auto two = [](int value) {
        const char digits[] = {static_cast<char>('0' + value / 10 % 10), static_cast<char>('0' + value % 10)};
        return std::string(digits, 2);
    };
    return std::string(days[parts.tm_wday]) + ", " + two(parts.tm_mday) + ' ' + months[parts.tm_mon] + ' ' +
           std::to_string(parts.tm_year + 1900) + ' ' + two(parts.tm_hour) + ':' + two(parts.tm_min) + ':' +
           two(parts.tm_sec) + " GMT";
}

std::string_view dateNow()
{
    thread_local std::time_t formatted = -1;
    thread_local std::string text;
    const std::time_t now = std::time(nullptr);
    if (now != formatted) {
        text = formatDate(now);
        formatted = now;
    }
    return text;
}

std::string writeErrorAnswer(int status, std::string_view text)
{
    std::string body(text);
    body.push_back('\n');
    std::string out;
    appendStatusLine(out, status, {});
    out.append("Content-Type: text/plain; charset=utf-8\r\nContent-Length: ");
    appendNumber(out, body.size(), 10);
    out.append("\r\nDate: ").append(dateNow()).append("\r\nConnection: close\r\n\r\n").append(body);
    return out;
}

} // namespace wardbench::http
