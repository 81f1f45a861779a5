#pragma once

#include "mock/answerstep.h"
#include "mock/proxyupstream.h"

namespace wardbench::mock {

/// A proxy whose answers nothing changes on their way, so that they need not be held: its upstream's answer goes out as
/// it comes, after the waits, and is recorded when it is whole.
class PassedProxy
{
public:
    /// Null when it asks scripts what to record: they may spoil the answer. `step` is its proxyStep.
    static std::shared_ptr<const PassedProxy> of(const Response &response, AnswerStepPtr step);

    /// Null when there is none that can be asked; the steps say why.
    const ProxyUpstream *upstream(const AnswerServices &services) const;
    Nanoseconds wait(const AnswerContext &context) const;
    bool records(const AnswerServices &services) const { return m_record && services.recorder; }
    /// Records the whole answer; `go` is called once, on the context's thread.
    void record(AnswerContext &context, const http::Response &whole, const ProxyEnd &end,
                const std::function<void()> &go) const;

private:
    PassedProxy() = default;

    AnswerStepPtr m_proxy;
    std::vector<Delay> m_waits;
    AnswerStepPtr m_record; ///< null: transparent
};

/// Fetches the answer from the upstream (mountebank.md 2.8).
AnswerStepPtr proxyStep(const Proxy &proxy);
/// Keeps the answer as it is by now, after the behaviors; done once it is live. Null for a transparent proxy.
AnswerStepPtr recordStep(const Proxy &proxy);

} // namespace wardbench::mock
