#include "support/rawsocket.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstdlib>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace wardbench::test {

namespace {

[[noreturn]] void fail(const char *what)
{
    throw std::system_error(errno, std::generic_category(), what);
}

int connectTo(std::uint16_t port, const std::string &address)
{
    const bool ipv6 = address.find(':') != std::string::npos;
    const int socket = ::socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0)
        fail("socket");
    int result = 0;
    if (ipv6) {
        sockaddr_in6 target{};
        target.sin6_family = AF_INET6;
        target.sin6_port = htons(port);
        inet_pton(AF_INET6, address.c_str(), &target.sin6_addr);
        result = ::connect(socket, reinterpret_cast<const sockaddr *>(&target), sizeof target);
    } else {
        sockaddr_in target{};
        target.sin_family = AF_INET;
        target.sin_port = htons(port);
        inet_pton(AF_INET, address.c_str(), &target.sin_addr);
        result = ::connect(socket, reinterpret_cast<const sockaddr *>(&target), sizeof target);
    }
    if (result != 0) {
        const int error = errno;
        ::close(socket);
        errno = error;
        fail("connect");
    }
    return socket;
}

} // namespace

RawSocket::RawSocket(std::uint16_t port, const std::string &address) : m_socket(connectTo(port, address)) {}

RawSocket::~RawSocket()
{
    close();
}

void RawSocket::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0) {
            if (errno == EINTR)
                continue;
            if (errno == EPIPE || errno == ECONNRESET)
                return;
            fail("send");
        }
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void RawSocket::endOutput()
{
    ::shutdown(m_socket, SHUT_WR);
}

void RawSocket::close()
{
    if (m_socket >= 0)
        ::close(m_socket);
    m_socket = -1;
}

void RawSocket::reset()
{
    const linger now{1, 0};
    setsockopt(m_socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
}

void RawSocket::shrinkReceiveBuffer(int bytes)
{
    setsockopt(m_socket, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

std::string RawSocket::read(std::size_t enough, std::chrono::milliseconds limit)
{
    std::string bytes;
    std::string block(256 * 1024, '\0');
    m_end = End::Open;
    while (bytes.size() < enough) {
        pollfd wait{m_socket, POLLIN, 0};
        const int ready = ::poll(&wait, 1, static_cast<int>(limit.count()));
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return bytes;
        const ssize_t got = ::recv(m_socket, block.data(), std::min(block.size(), enough - bytes.size()), 0);
        if (got > 0) {
            bytes.append(block, 0, static_cast<std::size_t>(got));
        } else if (got == 0 || errno != EINTR) {
            m_end = got == 0 ? End::Fin : End::Reset;
            return bytes;
        }
    }
    return bytes;
}

bool RawResponse::has(std::string_view line) const
{
    return head.find("\r\n" + std::string(line) + "\r\n") != std::string::npos;
}

std::vector<RawResponse> splitResponses(std::string_view bytes, const std::vector<bool> &headRequests)
{
    std::vector<RawResponse> responses;
    while (!bytes.empty()) {
        RawResponse response;
        const std::size_t end = bytes.find("\r\n\r\n");
        if (!bytes.starts_with("HTTP/1.1 ") || end == std::string_view::npos) {
            response.body = std::string(bytes);
            responses.push_back(response);
            return responses;
        }
        response.head = std::string(bytes.substr(0, end + 4));
        response.status = std::atoi(response.head.c_str() + 9);
        bytes.remove_prefix(end + 4);
        const bool toHead = responses.size() < headRequests.size() && headRequests[responses.size()];
        const std::size_t field = response.head.find("\r\nContent-Length: ");
        if (!toHead && field != std::string::npos) {
            const std::size_t length = std::strtoul(response.head.c_str() + field + 18, nullptr, 10);
            response.body = std::string(bytes.substr(0, length));
            bytes.remove_prefix(std::min(length, bytes.size()));
        }
        responses.push_back(response);
    }
    return responses;
}

} // namespace wardbench::test
