#include "transport/clientstream.h"

#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace wardbench {
namespace {

socklen_t fill(sockaddr_storage &storage, const asio::ip::address &address, std::uint16_t port)
{
    if (address.is_v4()) {
        auto &ipv4 = reinterpret_cast<sockaddr_in &>(storage);
        ipv4.sin_family = AF_INET;
        ipv4.sin_port = htons(port);
        const auto bytes = address.to_v4().to_bytes();
        std::memcpy(&ipv4.sin_addr, bytes.data(), bytes.size());
        return sizeof ipv4;
    }
    auto &ipv6 = reinterpret_cast<sockaddr_in6 &>(storage);
    ipv6.sin6_family = AF_INET6;
    ipv6.sin6_port = htons(port);
    ipv6.sin6_scope_id = static_cast<std::uint32_t>(address.to_v6().scope_id());
    const auto bytes = address.to_v6().to_bytes();
    std::memcpy(&ipv6.sin6_addr, bytes.data(), bytes.size());
    return sizeof ipv6;
}

} // namespace

int ClientStream::connect(const asio::ip::address &address, std::uint16_t port)
{
    close();
    sockaddr_storage storage{};
    const socklen_t size = fill(storage, address, port);
    const int descriptor = ::socket(storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return errno;
    m_wire.emplace(descriptor);
    const int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(descriptor, reinterpret_cast<sockaddr *>(&storage), size) != 0 && errno != EINPROGRESS)
        return errno;
    return 0;
}

int ClientStream::connectResult() const
{
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(descriptor(), SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        return errno;
    if (error != 0)
        return error;
    sockaddr_storage peer{};
    size = sizeof peer;
    if (getpeername(descriptor(), reinterpret_cast<sockaddr *>(&peer), &size) == 0)
        return 0;
    return errno == ENOTCONN ? EINPROGRESS : errno;
}

void ClientStream::note(std::uint32_t events)
{
    if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR))
        m_wire->noteEnd();
    if (events & EPOLLIN)
        m_wire->noteReadable();
    m_mayRead = m_mayRead || m_wire->mayRead() || (m_tls && m_tls->waitsForRoom());
}

io::Transfer ClientStream::read(char *into, std::size_t room, std::size_t &received)
{
    if (!m_tls)
        return m_wire->receive(into, room, received);
    const io::Transfer how = m_tls->read(into, room, received);
    m_mayRead = how != io::Transfer::Blocked && m_tls->mayRead();
    return how;
}

io::Transfer ClientStream::write(const iovec *pieces, std::size_t count, std::size_t &sent)
{
    if (!m_tls)
        return m_wire->send(pieces, count, sent);
    sent = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const char *bytes = static_cast<const char *>(pieces[i].iov_base);
        for (std::size_t done = 0; done < pieces[i].iov_len;) {
            std::size_t written = 0;
            const io::Transfer how = m_tls->write(bytes + done, pieces[i].iov_len - done, written);
            if (how != io::Transfer::Done)
                return sent > 0 && how == io::Transfer::Blocked ? io::Transfer::Done : how;
            done += written;
            sent += written;
        }
    }
    return io::Transfer::Done;
}

bool ClientStream::endedBelow()
{
    char byte = 0;
    std::size_t received = 0;
    m_wire->noteReadable();
    return m_wire->receive(&byte, 1, received) == io::Transfer::Ended;
}

void ClientStream::close()
{
    if (m_tls)
        m_tls->endOutput(); // as much of it as can go now
    m_tls.reset();
    if (m_wire)
        m_wire->close(false);
    m_wire.reset();
    m_mayRead = false;
}

} // namespace wardbench
