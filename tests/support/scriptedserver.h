#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace wardbench::test {

/// A TCP server on 127.0.0.1 that does to each connection, one after the other, what a test says. Blocking, on a thread
/// of its own.
class ScriptedServer
{
public:
    class Peer
    {
    public:
        explicit Peer(int descriptor) : m_descriptor(descriptor) {}
        ~Peer();
        /// Everything up to the blank line; what came when the stream ended first.
        std::string readHead();
        std::string read(std::size_t bytes);
        std::string readToEnd();
        void send(std::string_view bytes);
        void close(); ///< FIN
        void reset(); ///< RST

    private:
        std::string readUntil(const std::function<bool(const std::string &)> &enough);

        int m_descriptor;
        std::string m_buffer;
    };
    using Script = std::function<void(Peer &)>;

    /// One script per connection; a further connection is closed at once.
    explicit ScriptedServer(std::vector<Script> scripts);
    ~ScriptedServer();

    std::uint16_t port = 0;

private:
    void run(const std::vector<Script> &scripts);

    int m_listener = -1;
    std::thread m_thread;
};

} // namespace wardbench::test
