#include "io/stream.h"

#include <algorithm>

#include <arpa/inet.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

namespace wardbench::io {

Stream::Stream(int descriptor, const TlsContext *tls)
    : m_wire(descriptor),
      m_tls(tls ? std::make_unique<TlsSession>(*tls, m_wire, nullptr, std::string_view()) : nullptr), m_readable(false)
{
}

Stream::~Stream()
{
    m_wire.close(false);
}

std::string Stream::peerName() const
{
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (getpeername(descriptor(), reinterpret_cast<sockaddr *>(&address), &size) != 0)
        return "unknown";
    char text[INET6_ADDRSTRLEN] = {};
    std::uint16_t port = 0;
    if (address.ss_family == AF_INET) {
        const auto *ipv4 = reinterpret_cast<const sockaddr_in *>(&address);
        inet_ntop(AF_INET, &ipv4->sin_addr, text, sizeof text);
        port = ntohs(ipv4->sin_port);
    } else {
        const auto *ipv6 = reinterpret_cast<const sockaddr_in6 *>(&address);
        inet_ntop(AF_INET6, &ipv6->sin6_addr, text, sizeof text);
        port = ntohs(ipv6->sin6_port);
    }
    return std::string(text) + ':' + std::to_string(port);
}

void Stream::startTls(const TlsContext &context, std::string_view received)
{
    m_tls = std::make_unique<TlsSession>(context, m_wire, std::move(m_tls), received);
    m_readable = true;
}

void Stream::note(std::uint32_t events)
{
    if (events & (EPOLLRDHUP | EPOLLHUP))
        m_wire.noteEnd();
    if (events & EPOLLIN)
        m_wire.noteReadable();
    m_readable = m_readable || m_wire.mayRead() || (m_tls && m_tls->waitsForRoom());
}

Transfer Stream::read(char *into, std::size_t room, std::size_t &received)
{
    Transfer how = Transfer::Failed;
    if (!m_tls || !m_tls->failure().empty()) {
        how = m_wire.receive(into, room, received);
        m_readable = m_wire.mayRead();
    } else {
        how = m_tls->read(into, room, received);
        m_readable = how != Transfer::Blocked && m_tls->mayRead();
    }
    m_ended = m_ended || how == Transfer::Ended;
    return how;
}

Transfer Stream::write(const iovec *pieces, std::size_t count, std::size_t &sent)
{
    if (!m_tls)
        return m_wire.send(pieces, count, sent);
    sent = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const char *bytes = static_cast<const char *>(pieces[i].iov_base);
        for (std::size_t done = 0; done < pieces[i].iov_len;) {
            std::size_t written = 0;
            const Transfer how = m_tls->write(bytes + done, pieces[i].iov_len - done, written);
            if (how != Transfer::Done)
                return sent > 0 && how == Transfer::Blocked ? Transfer::Done : how;
            done += written;
            sent += written;
        }
    }
    return Transfer::Done;
}

Transfer Stream::endOutput()
{
    if (m_tls && m_tls->endOutput() == Transfer::Blocked)
        return Transfer::Blocked;
    ::shutdown(descriptor(), SHUT_WR);
    return Transfer::Done;
}

void Stream::close(bool reset)
{
    if (m_tls && !reset && open())
        m_tls->endOutput(); // as much of it as can go now
    m_wire.close(reset);
}

std::size_t Stream::unacknowledged() const
{
    int bytes = 0;
    if (!open() || ::ioctl(descriptor(), SIOCOUTQ, &bytes) != 0)
        return 0;
    return static_cast<std::size_t>(std::max(bytes, 0));
}

} // namespace wardbench::io
