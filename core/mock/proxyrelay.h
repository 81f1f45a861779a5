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
        http::Response sent;                 ///< as it went out, with the beginning of its body
        std::uint64_t bodySize = 0;
        bool tooLarge = false;             ///< to be recorded
        std::chrono::milliseconds time{0}; ///< until the upstream's last byte
    };
    struct Options
    {
        bool keepAlive = false; ///< the imposter leaves connections open unless the upstream says close
        Nanoseconds wait{0};    ///< the client gets nothing for so long after the upstream's head
        std::size_t keep = 0;   ///< bytes of the body that `End::sent` shows
        Recorder recorder{};    ///< null: nothing is recorded
        std::function<void(const End &)> ending{}; ///< called before the last bytes go out, if all is well
    };

    using Done = std::function<void(End &&end)>;

    /// `done` comes once.
    static void start(server::ExchangePtr exchange, const ProxyUpstream &upstream, Options options, Done done);

    void head(http::Response &&head) override;
    void body(std::string &&piece) override;
    void ended(const ProxyEnd &end) override;

private:
    enum class Framing { None, Length, Chunked, Close };

    ProxyRelay(server::ExchangePtr exchange, Options options, Done done);
    void hold();
    void letGo();
    void collect(const std::string &piece);
    void tooLarge();
    void frame(http::Response &head);
    void send(std::string bytes);
    void sendNow(std::string bytes);
    void sent(std::size_t size, bool delivered);
    void complete();
    void finishWhenSent();
    void giveUp();
    void report(bool delivered);

    server::ExchangePtr m_exchange;
    Options m_options;
    const bool m_headRequest;
    const bool m_oldClient; ///< HTTP/1.0
    Done m_done;
    std::weak_ptr<HttpCall> m_call;
    End m_end;
    std::optional<http::Response> m_whole; ///< for the recorder
    Framing m_framing = Framing::None;
    std::string m_held;  ///< the last bytes, while they may be the end that waits for the recorder
    std::string m_early; ///< what the client gets when the wait is over
    bool m_waiting = false;
    std::size_t m_underWay = 0; ///< given to the exchange, not in the kernel's hands yet
    bool m_close = false;
    bool m_complete = false;
    bool m_paused = false;
};

} // namespace wardbench::mock
