#pragma once

#include "mock/proxyupstream.h"

#include <asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace wardbench::mock {

/// The upstream of a tcp proxy response (mountebank.md 2.8.8): one connection per request. Made once for its stub; any
/// thread.
class TcpUpstream
{
public:
    using Ptr = std::shared_ptr<const TcpUpstream>;
    static constexpr std::size_t mostHeld = 64u << 20;

    /// Errors are the messages of mountebank's `invalid proxy`.
    static Result<Ptr> make(const Proxy &proxy, const ProxyRules &rules = {});

    struct Reply
    {
        std::string data; ///< bytes
        std::optional<ProxyFailure> failure;
        std::chrono::milliseconds time{0};
    };
    /// Says, at once or later and on the loop's thread, whether these bytes are a whole reply. Null: each read is one.
    using WholeRule = std::function<void(const std::string &bytes, std::function<void(bool)> answer)>;

    /// One request on its way.
    class Call
    {
    public:
        virtual ~Call() = default;
        /// Nothing is called any more, the connection is cut.
        virtual void cancel() = 0;
    };

    /// Sends `bytes` and waits for the reply: until the rule holds, or the upstream ends. `done` is called once, on the
    /// loop's thread, never inside this call. Without `keepalive` the connection is closed then.
    std::shared_ptr<Call> ask(std::string bytes, asio::io_context &loop, WholeRule rule,
                              std::function<void(Reply &&)> done) const;

private:
    class Running;
    TcpUpstream() = default;

    std::string m_to;
    std::string m_host;
    std::uint16_t m_port = 0;
    bool m_keepAlive = false;
    ProxyRules m_rules;
};

} // namespace wardbench::mock
