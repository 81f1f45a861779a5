#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench::test {

/// A plain blocking TCP client for tests that speak raw bytes. Errors throw.
class RawSocket
{
public:
    explicit RawSocket(std::uint16_t port, const std::string &address = "127.0.0.1");
    ~RawSocket();
    RawSocket(const RawSocket &) = delete;
    RawSocket &operator=(const RawSocket &) = delete;

    /// Sends everything; stops quietly when the peer has closed (error answers come early).
    void send(std::string_view bytes);
    void endOutput(); ///< FIN; reading goes on
    void close();
    void reset(); ///< RST
    void shrinkReceiveBuffer(int bytes);

    enum class End { Open, Fin, Reset };
    /// Reads until the peer ends, `enough` bytes are there, or `limit` has passed without any byte.
    std::string read(std::size_t enough = static_cast<std::size_t>(-1),
                     std::chrono::milliseconds limit = std::chrono::seconds(10));
    End end() const { return m_end; } ///< what the last `read` met

private:
    int m_socket = -1;
    End m_end = End::Open;
};

/// One answer cut out of a byte stream.
struct RawResponse
{
    int status = 0;
    std::string head; ///< with the blank line
    std::string body;
    bool has(std::string_view line) const; ///< a header line, exactly
};

/// The answers at the start of `bytes`, framed by Content-Length alone (bodies of answers to HEAD must be absent:
/// `headRequests` says which). Bytes that are no answer end up as one with status 0.
std::vector<RawResponse> splitResponses(std::string_view bytes, const std::vector<bool> &headRequests = {});

} // namespace wardbench::test
