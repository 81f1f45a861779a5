#pragma once

#include <sys/uio.h>

#include <cstddef>

namespace wardbench::io {

/// How a read or a write went.
enum class Transfer {
    Done,    ///< some bytes went
    Blocked, ///< none can go now; an event of the poller tells when it is worth another try
    Ended,   ///< the peer has ended its half of the connection
    Failed,  ///< the connection is dead
};

/// A connected, non-blocking socket and what the poller has told about it. The descriptor belongs to whoever holds
/// this.
class Wire
{
public:
    explicit Wire(int descriptor) : m_descriptor(descriptor) {}

    int descriptor() const { return m_descriptor; }
    bool mayRead() const { return m_readable; } ///< there may be bytes, or an end, that were not read yet
    void noteReadable() { m_readable = true; }
    /// An event told of the peer's FIN, so that reading goes on to the end even after a short read.
    void noteEnd() { m_readable = m_endTold = true; }

    Transfer receive(char *into, std::size_t room, std::size_t &received);
    Transfer send(const iovec *pieces, std::size_t count, std::size_t &sent);
    void close(bool reset);

private:
    int m_descriptor;
    bool m_readable = false;
    bool m_endTold = false;
};

} // namespace wardbench::io
