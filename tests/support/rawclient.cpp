#include "support/rawclient.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace wardbench::test {
namespace {

constexpr int patienceMs = 10'000;

std::string lower(std::string_view text)
{
    std::string result(text);
    for (char &c : result)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return result;
}

} // namespace

RawClient::RawClient(std::uint16_t port)
{
    m_socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(m_socket, reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0) {
        ::close(m_socket);
        m_socket = -1;
    }
}

RawClient::~RawClient()
{
    if (m_socket >= 0)
        ::close(m_socket);
}

void RawClient::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void RawClient::endSending()
{
    ::shutdown(m_socket, SHUT_WR);
}

void RawClient::reset()
{
    const linger now{1, 0};
    ::setsockopt(m_socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    ::close(m_socket);
    m_socket = -1;
}

bool RawClient::fill()
{
    pollfd waiting{m_socket, POLLIN, 0};
    if (m_ended || ::poll(&waiting, 1, patienceMs) != 1)
        return false;
    std::array<char, 65536> bytes;
    const ssize_t got = ::recv(m_socket, bytes.data(), bytes.size(), 0);
    if (got <= 0) {
        m_ended = true;
        return false;
    }
    if (m_buffer.empty())
        m_firstByte = std::chrono::steady_clock::now();
    m_buffer.append(bytes.data(), static_cast<std::size_t>(got));
    return true;
}

std::string RawClient::readUntil(std::string_view mark)
{
    std::size_t at = m_buffer.find(mark);
    while (at == std::string::npos && fill())
        at = m_buffer.find(mark);
    const std::size_t size = at == std::string::npos ? m_buffer.size() : at + mark.size();
    std::string taken = m_buffer.substr(0, size);
    m_buffer.erase(0, size);
    return taken;
}

std::string RawClient::readToEnd()
{
    while (fill()) {
    }
    return std::exchange(m_buffer, {});
}

std::string RawClient::readResponse(bool head)
{
    std::string response = readUntil("\r\n\r\n");
    const std::string fields = lower(response);
    if (head)
        return response;
    if (fields.find("transfer-encoding: chunked") != std::string::npos)
        return response + readUntil(m_buffer.starts_with("0\r\n\r\n") ? "0\r\n\r\n" : "\r\n0\r\n\r\n");
    const std::size_t length = fields.find("content-length: ");
    if (length == std::string::npos)
        return response;
    const std::size_t size = std::stoul(fields.substr(length + 16));
    while (m_buffer.size() < size && fill()) {
    }
    response += m_buffer.substr(0, size);
    m_buffer.erase(0, size);
    return response;
}

bool RawClient::atEnd()
{
    return m_buffer.empty() && !fill() && m_ended;
}

std::string roundTrip(std::uint16_t port, std::string_view request)
{
    RawClient client(port);
    client.send(request);
    client.endSending();
    return client.readToEnd();
}

std::string bodyOf(std::string_view response)
{
    const std::size_t blank = response.find("\r\n\r\n");
    if (blank == std::string_view::npos)
        return {};
    std::string_view rest = response.substr(blank + 4);
    if (lower(response.substr(0, blank)).find("transfer-encoding: chunked") == std::string::npos)
        return std::string(rest);
    std::string body;
    for (;;) {
        const std::size_t line = rest.find("\r\n");
        const std::size_t size =
            line == std::string_view::npos ? 0 : std::stoul(std::string(rest.substr(0, line)), nullptr, 16);
        if (size == 0)
            return body;
        body += rest.substr(line + 2, size);
        rest.remove_prefix(std::min(rest.size(), line + 2 + size + 2));
    }
}

std::string get(std::string_view path, std::string_view headerLines)
{
    return "GET " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n" + std::string(headerLines) + "\r\n";
}

} // namespace wardbench::test
