#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "warden/callpool.h"

#include <functional>
#include <memory>

namespace wardbench::warden {

/// What the modules of one pipeline share: time, chance, and calls of their own.
class Surroundings
{
public:
    Surroundings(Scheduler &scheduler, std::uint64_t seed, std::uint64_t repetition)
        : m_scheduler(scheduler), m_seed(seed), m_repetition(repetition)
    {
    }
    /// What owns the pipeline's parts: nothing runs later once it is gone.
    void setOwner(std::weak_ptr<void> owner) { m_owner = std::move(owner); }
    const std::weak_ptr<void> &owner() const { return m_owner; }

    Scheduler &scheduler() { return m_scheduler; }
    const Clock &clock() const { return m_scheduler.clock(); }
    TimePoint now() const { return m_scheduler.clock().now(); }
    void after(Nanoseconds delay, std::function<void()> work)
    {
        m_scheduler.after(delay, [owner = m_owner, work = std::move(work)] {
            if (!owner.expired())
                work();
        });
    }

    /// A module's stream of random numbers, by the run's seed and repetition.
    RandomStream random(std::string_view module) const { return {m_seed, m_repetition, module}; }

    CallPool &calls() { return m_calls; }
    /// A call of `owner`'s own, with the request and key of `original`. Its outcome comes to `owner`'s `answer`, which
    /// gives it back to the pool.
    Call &copyOf(const Call &original, Module &owner)
    {
        Call &call = m_calls.take(now());
        call.request = original.request;
        call.key = original.key;
        call.hash = original.hash;
        call.owner = &owner;
        return call;
    }

private:
    Scheduler &m_scheduler;
    std::uint64_t m_seed, m_repetition;
    std::weak_ptr<void> m_owner;
    CallPool m_calls;
};

/// An outcome that a module makes itself.
inline Reply refusal(TransportError error, TimePoint now)
{
    Reply reply;
    reply.error = error;
    reply.errorText = errorName(error);
    reply.timings.done = now;
    return reply;
}

} // namespace wardbench::warden
