#include "support/scriptedserver.h"

#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace wardbench::test {

ScriptedServer::Peer::~Peer()
{
    close();
}

std::string ScriptedServer::Peer::readUntil(const std::function<bool(const std::string &)> &enough)
{
    while (!enough(m_buffer)) {
        char bytes[16 * 1024];
        const ssize_t got = ::recv(m_descriptor, bytes, sizeof bytes, 0);
        if (got <= 0)
            break;
        m_buffer.append(bytes, static_cast<std::size_t>(got));
    }
    return m_buffer;
}

std::string ScriptedServer::Peer::readHead()
{
    readUntil([](const std::string &text) { return text.find("\r\n\r\n") != std::string::npos; });
    const std::size_t end = m_buffer.find("\r\n\r\n");
    const std::size_t size = end == std::string::npos ? m_buffer.size() : end + 4;
    std::string head = m_buffer.substr(0, size);
    m_buffer.erase(0, size);
    return head;
}

std::string ScriptedServer::Peer::read(std::size_t bytes)
{
    readUntil([bytes](const std::string &text) { return text.size() >= bytes; });
    std::string part = m_buffer.substr(0, bytes);
    m_buffer.erase(0, part.size());
    return part;
}

std::string ScriptedServer::Peer::readToEnd()
{
    readUntil([](const std::string &) { return false; });
    return std::exchange(m_buffer, {});
}

void ScriptedServer::Peer::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t sent = ::send(m_descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void ScriptedServer::Peer::close()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    m_descriptor = -1;
}

void ScriptedServer::Peer::reset()
{
    const linger now{1, 0};
    setsockopt(m_descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
}

ScriptedServer::ScriptedServer(std::vector<Script> scripts)
{
    m_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto *plain = reinterpret_cast<sockaddr *>(&address);
    if (::bind(m_listener, plain, size) != 0 || ::listen(m_listener, 16) != 0 ||
        ::getsockname(m_listener, plain, &size) != 0)
        throw std::runtime_error("no port to listen on");
    port = ntohs(address.sin_port);
    m_thread = std::thread([this, scripts = std::move(scripts)] { run(scripts); });
}

ScriptedServer::~ScriptedServer()
{
    ::shutdown(m_listener, SHUT_RDWR);
    m_thread.join();
    ::close(m_listener);
}

void ScriptedServer::run(const std::vector<Script> &scripts)
{
    for (std::size_t i = 0;; ++i) {
        const int descriptor = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (descriptor < 0)
            return;
        const timeval limit{10, 0};
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
        Peer peer(descriptor);
        if (i < scripts.size())
            scripts[i](peer);
    }
}

} // namespace wardbench::test
