#pragma once

#include "model/policy.h"
#include "warden/deadlines.h"
#include "warden/module.h"

#include <deque>

namespace wardbench::warden {

/// At most so many calls at once; one that finds no place waits for one, first in, first out, or is refused.
/// "entered", "queued" (events), "rejected" (events; waits that took too long among them), "mostAtOnce".
class Bulkhead final : public Module
{
public:
    Bulkhead(const BulkheadConfig &config, Surroundings &surroundings);

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override;
    void abandon(Call &call) override;
    void forgetCalls() override;

private:
    void enter(Call &call);
    bool leave(Call &call); ///< false when it was not inside
    void serveQueue();
    void reject(Call &call);

    const BulkheadConfig m_config;
    Surroundings &m_surroundings;
    std::int64_t m_atOnce = 0;
    PerCall<bool> m_inside;
    std::deque<Call *> m_queue;
    Deadlines m_waits;
    Counter &m_entered = counter("entered"), &m_queued = counter("queued"), &m_rejected = counter("rejected");
    Counter &m_mostAtOnce = counter("mostAtOnce");
};

} // namespace wardbench::warden
