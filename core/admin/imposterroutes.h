#pragma once

#include "admin/call.h"
#include "admin/liveimposters.h"
#include "admin/recordings.h"
#include "admin/stubburst.h"
#include "admin/validation.h"
#include "server/accessrule.h"

namespace wardbench::admin {

struct ImposterRules
{
    bool allowInjection = false;
    bool recordAll = false;          ///< `--mock`: requests are recorded, whatever the imposters say
    bool matches = false;            ///< `--debug`: stubs tell their `matches`
    Archive *archive = nullptr;      ///< of what was recorded before; must outlive the server
    std::set<std::string> foreign{}; ///< protocols that others speak
};

/// What the REST API does with imposters and stubs (mountebank.md 1.3). Called on one thread.
class ImposterRoutes
{
public:
    /// `loop` is that of the one thread that calls. `access` may be null.
    ImposterRoutes(LiveImposters &live, const ImposterRules &rules, asio::io_context &loop,
                   std::shared_ptr<const server::AccessRule> access);

    Reply list(const Call &call);
    Reply create(const Call &call);
    Reply replaceAll(const Call &call);
    Reply removeAll(const Call &call);

    Reply show(const Call &call);
    Reply remove(const Call &call);
    Reply forgetRequests(const Call &call);
    Reply forgetRecordings(const Call &call);

    Reply replaceStubs(const Call &call);
    Reply addStub(const Call &call);
    Reply replaceStub(const Call &call);
    Reply removeStub(const Call &call);

    Reply explain(const Call &call);

    /// Requests that come as JSON, and what their askers' proxies said: the mocks take their time to answer. `done` is
    /// called once, on any thread, perhaps at once; not when the mock is stopped before.
    using Replied = std::function<void(Reply)>;
    void ask(const Call &call, Replied done);
    void askAgain(const Call &call, Replied done);

    /// Whether this call may come in the middle of a burst of stubs; before any other, `settle` is due.
    static bool goesOnWithBurst(const Call &call);
    void settle() { m_burst.settle(); }

private:
    using Live = LiveImposters::Live;

    std::optional<Live> asked(const Call &call) const;
    json::Value shape(const Live &live, const Call &call, bool list = false) const;
    json::Value shape(const Live &live, const Call &call, bool replayable, bool proxies) const;
    Reply full(const Call &call) const;
    Reply afterChange(const Result<void> &changed, const Call &call) const;
    std::optional<std::size_t> stubIndex(const Call &call, const Live &live) const;

    LiveImposters &m_live;
    const ImposterRules m_rules;
    const Validation m_validation;
    Recordings m_recordings;
    StubBurst m_burst;
    const std::shared_ptr<const server::AccessRule> m_access;
};

} // namespace wardbench::admin
