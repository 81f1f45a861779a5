#pragma once

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

protected:
    explicit StubProtocol(const ProtocolSetup &setup);
    const std::shared_ptr<RunningImposter> &home() const { return m_home; }

private:
    std::shared_ptr<ScriptHost> scriptsFor(const Imposter &imposter) const;

    const ScriptLog m_log;
    const bool m_allowInjection;
    std::shared_ptr<ScriptHost> m_scripts; ///< null as long as it has no script
    const std::shared_ptr<RunningImposter> m_home;
};

} // namespace wardbench::mock
