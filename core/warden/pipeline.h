#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "model/policy.h"
#include "transport/transport.h"
#include "warden/module.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wardbench {

/// A policy's modules in front of a transport, in a fixed order whatever the order in the file: fallback, rate limiter,
/// bulkhead, holder, cache, schema, shadow, total timeout, hedging, retry, breaker, attempt timeout, network
/// (reference/warden.md, recommended semantics); a module that is not configured is not there. Belongs to one thread
/// and takes no lock; results are delivered from the scheduler's ready queue, never inside `send`, each exactly once,
/// in the order they became ready. A callback may send, cancel, or destroy the pipeline; what it throws is caught.
///
/// `Reply::timings` are the caller's: `called` is this `send`, `called..sent` the time in the transport's queue over
/// all attempts. Transport and scheduler must outlive the pipeline. Destroying it calls nobody: `cancelAll` first when
/// callbacks must run.
class Pipeline final : public Transport
{
public:
    /// Errors of the policy itself (a broken identifier, a cache without duration) with what was expected.
    /// Seed and repetition: of the random numbers that modules draw (jitter, shares).
    static Result<std::unique_ptr<Pipeline>> make(const Policy &policy, Transport &network, Scheduler &scheduler,
                                                  std::uint64_t seed = 0, std::uint64_t repetition = 0);
    ~Pipeline() override;

    void send(const ClientRequestPtr &request, ReplyCallback callback) override;
    /// Every request under way ends as Cancelled, from the ready queue, in the order they were sent; outcomes that are
    /// already in the queue stay. Cache contents stay.
    void cancelAll() override;
    std::uint64_t sentCount() const override; ///< of the transport

    std::vector<ModuleCounters> counters() const; ///< of the modules that are on, in order
    /// What was counted with its time, in the order of `counters`, each with at least one mark.
    std::vector<ModuleEvents> events() const;
    /// Counters and events from zero; cache contents and flights stay (between warm-up and measured phase).
    void resetCounters();
    /// Callbacks that threw.
    std::uint64_t failedCallbacks() const;
    /// The key of a request, as holder and cache use it.
    std::string key(const ClientRequest &request) const;

private:
    class Private;
    explicit Pipeline(std::shared_ptr<Private> data);
    std::shared_ptr<Private> d;
};

} // namespace wardbench
