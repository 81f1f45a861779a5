#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace wardbench::test {

/// A TCP client without any HTTP of its own: writes the bytes it is told and gives back the bytes that come. Blocking,
/// with a limit of some seconds for everything.
class RawClient
{
public:
    explicit RawClient(std::uint16_t port); ///< to 127.0.0.1
    ~RawClient();
    RawClient(const RawClient &) = delete;
    RawClient &operator=(const RawClient &) = delete;

    bool connected() const { return m_socket >= 0; }
    void send(std::string_view bytes);
    void endSending(); ///< our half of the stream ends; reading goes on
    void reset();      ///< closes with RST

    /// Everything up to and including `mark`; what came when the stream ended or the time was over first.
    std::string readUntil(std::string_view mark);
    std::string readToEnd();
    /// One response with its chunked or length-framed body; `head` tells of a HEAD request.
    std::string readResponse(bool head = false);
    bool atEnd(); ///< the peer has ended its half, nothing is left
    /// When the first byte of the last read came.
    std::chrono::steady_clock::time_point firstByte() const { return m_firstByte; }

private:
    bool fill(); ///< false: end, error or time over

    int m_socket = -1;
    std::string m_buffer;
    std::chrono::steady_clock::time_point m_firstByte;
    bool m_ended = false;
};

/// Sends one request on a connection of its own and gives the whole answer.
std::string roundTrip(std::uint16_t port, std::string_view request);
/// The part behind the blank line, chunked coding removed.
std::string bodyOf(std::string_view response);
/// `GET path` with Host, and further header lines.
std::string get(std::string_view path, std::string_view headerLines = {});

} // namespace wardbench::test
