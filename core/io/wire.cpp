#include "io/wire.h"

#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace wardbench::io {

Transfer Wire::receive(char *into, std::size_t room, std::size_t &received)
{
    received = 0;
    if (!m_readable)
        return Transfer::Blocked;
    for (;;) {
        const ssize_t got = ::recv(m_descriptor, into, room, MSG_DONTWAIT);
        if (got > 0) {
            received = static_cast<std::size_t>(got);
            // A short read has emptied the socket, and what comes later raises a new event; only a FIN that an event
            // has told already must still be read.
            m_readable = received == room || m_endTold;
            return Transfer::Done;
        }
        if (got == 0)
            return Transfer::Ended;
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            m_readable = false;
            return Transfer::Blocked;
        }
        if (errno != EINTR)
            return Transfer::Failed;
    }
}

Transfer Wire::send(const iovec *pieces, std::size_t count, std::size_t &sent)
{
    sent = 0;
    for (;;) {
        msghdr message{};
        message.msg_iov = const_cast<iovec *>(pieces);
        message.msg_iovlen = count;
        const ssize_t gone =
            count == 1 ? ::send(m_descriptor, pieces[0].iov_base, pieces[0].iov_len, MSG_DONTWAIT | MSG_NOSIGNAL)
                       : ::sendmsg(m_descriptor, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (gone >= 0) {
            sent = static_cast<std::size_t>(gone);
            return Transfer::Done;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            return Transfer::Blocked;
        if (errno != EINTR)
            return Transfer::Failed;
    }
}

void Wire::close(bool reset)
{
    if (m_descriptor < 0)
        return;
    if (reset) {
        const linger now{1, 0};
        setsockopt(m_descriptor, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
    ::close(m_descriptor);
    m_descriptor = -1;
}

} // namespace wardbench::io
