#pragma once

#include "io/stream.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench::server {

/// Bytes waiting to be sent on one connection. Small pieces are gathered so that several answers leave in one write;
/// large bodies are referred to, not copied.
class OutputQueue
{
public:
    bool empty() const { return m_sent == m_end; }
    std::uint64_t size() const { return m_end - m_sent; }
    /// Position after the last byte appended / sent, counted over the connection's life.
    std::uint64_t end() const { return m_end; }
    std::uint64_t sent() const { return m_sent; }

    void append(std::string_view text);
    void append(const std::shared_ptr<const std::string> &body);
    void clear();

    /// Sends until everything is gone (Done), the stream takes no more (Blocked) or it is dead (Failed).
    io::Transfer send(io::Stream &stream);

private:
    struct Segment
    {
        std::string text;
        std::shared_ptr<const std::string> body; ///< instead of the text
        std::string_view bytes() const { return body ? std::string_view(*body) : std::string_view(text); }
    };

    std::size_t gather(iovec *vectors, std::size_t most) const;
    void consume(std::size_t bytes);

    std::vector<Segment> m_segments; ///< the first one keeps its allocation while the queue is empty
    std::size_t m_first = 0;
    std::size_t m_firstSent = 0; ///< bytes of the first segment that are gone
    std::uint64_t m_end = 0;
    std::uint64_t m_sent = 0;
};

} // namespace wardbench::server
