#pragma once

#include "mock/jsonanswer.h"
#include "mock/protocol.h"
#include "mock/runningimposter.h"

#include <memory>

namespace wardbench::mock {

/// A protocol whose requests meet stubs: one running imposter, and the scripts it has.
class StubProtocol : public Protocol
{
public:
    Result<void> update(const ImposterPtr &imposter, const StartOptions &options) override;
    void startOver(const StartOptions &options) override;
    void goOnFrom(const std::vector<std::uint64_t> &uses) override { m_home->imposter()->goOnFrom(uses); }
    void drain() override { m_home->drain(); }
    void letGo() override { m_home->letGo(); }
    ImposterPtr imposter() const override { return m_home->imposter()->imposter(); }
    ImposterCounters counters() const override { return m_home->counters(); }
    std::shared_ptr<const AnswerTimings> timings() const override { return m_home->services().timings; }
    void ask(const JsonRequest &request, asio::io_context &loop, MockService::Asked done) override
    {
        answer(request, loop, nullptr, std::move(done));
    }

protected:
    explicit StubProtocol(const ProtocolSetup &setup);
    const std::shared_ptr<RunningImposter> &home() const { return m_home; }
    /// `away` null: proxies are asked here.
    void answer(const JsonRequest &request, asio::io_context &loop, std::shared_ptr<AskersAway> away,
                MockService::Asked done);

private:
    std::shared_ptr<ScriptHost> scriptsFor(const Imposter &imposter) const;

    const ScriptLog m_log;
    const bool m_allowInjection;
    std::shared_ptr<ScriptHost> m_scripts; ///< null as long as it has no script
    const std::shared_ptr<RunningImposter> m_home;
    const std::shared_ptr<JsonStubs> m_jsonStubs = std::make_shared<JsonStubs>();
};

} // namespace wardbench::mock
