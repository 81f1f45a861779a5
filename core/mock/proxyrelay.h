#pragma once

#include "mock/proxyupstream.h"
#include "server/requesthandler.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace wardbench::mock {

/// Passes an upstream's answer on to an exchange's client as it comes: its header lines and bytes, and no faster than
/// the client takes them. Belongs to its exchange's thread and keeps itself alive until the answer is over.
class ProxyRelay final : public ProxyReceiver, public std::enable_shared_from_this<ProxyRelay>
{
public:
    /// Gets the whole answer for recording; `go` lets the client have the end, so that what it does next meets what was
    /// recorded; call it on this thread. Not called after a failure, nor for bodies over ProxyUpstream::mostHeld.
    using Recorder = std::function<void(http::Response &&whole, const ProxyEnd &end, std::function<void()> go)>;

    struct End
    {
        bool delivered = false;              ///< everything was handed to the kernel
        std::optional<ProxyFailure> failure; ///< nothing was answered yet if it came before the head: answer it
        bool answered = false;               ///< the head went out
        http::Response head;                 ///< as it went out, without body
        std::uint64_t bodySize = 0;
    };
    using Done = std::function<void(End &&end)>;

    /// `keepAlive`: the imposter leaves connections open unless the upstream says close. A null `recorder` records
    /// nothing. `done` comes once.
    static void start(server::ExchangePtr exchange, const ProxyUpstream &upstream, bool keepAlive, Recorder recorder,
                      Done done);

    void head(http::Response &&head) override;
    void body(std::string &&piece) override;
    void ended(const ProxyEnd &end) override;

private:
    enum class Framing { None, Length, Chunked, Close };

    ProxyRelay(server::ExchangePtr exchange, bool keepAlive, Recorder recorder, Done done);
    void frame(http::Response &head);
    void send(std::string bytes);
    void sendNow(std::string bytes);
    void sent(std::size_t size, bool delivered);
    void complete();
    void finishWhenSent();
    void giveUp();
    void report(bool delivered);

    server::ExchangePtr m_exchange;
    const bool m_keepAlive;
    const bool m_headRequest;
    const bool m_oldClient; ///< HTTP/1.0
    Recorder m_recorder;
    Done m_done;
    std::weak_ptr<HttpCall> m_call;
    End m_end;
    std::optional<http::Response> m_whole; ///< for the recorder
    Framing m_framing = Framing::None;
    std::string m_held;         ///< the last bytes, while they may be the end that waits for the recorder
    std::size_t m_underWay = 0; ///< given to the exchange, not in the kernel's hands yet
    bool m_close = false;
    bool m_complete = false;
    bool m_paused = false;
};

} // namespace wardbench::mock
