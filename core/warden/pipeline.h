#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "model/policy.h"
#include "transport/transport.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace wardbench {

/// What a module did, summed since the pipeline was made. Names are fixed: holder "led", "joined"; cache "hits",
/// "misses", "stored", "evicted", "skipped"; retry "retries", "recovered", "exhausted".
struct ModuleCounters
{
    std::string module;
    std::vector<std::pair<std::string, std::uint64_t>> counters;
};

/// A policy's modules in front of a transport, in the fixed order holder, cache, retry, network
/// (reference/warden.md, recommended semantics). Belongs to one thread and takes no lock; results are delivered from
/// the scheduler's ready queue, never inside `send`, each exactly once.
class Pipeline final : public Transport
{
public:
    /// Errors of the policy itself (a broken identifier) with what was expected.
    static Result<std::unique_ptr<Pipeline>> make(const Policy &policy, Transport &network, Scheduler &scheduler);
    ~Pipeline() override;

    void send(const ClientRequestPtr &request, ReplyCallback callback) override;
    void cancelAll() override;
    std::uint64_t sentCount() const override;

    std::vector<ModuleCounters> counters() const;
    /// The key of a request, as holder and cache use it.
    std::string key(const ClientRequest &request) const;

private:
    Pipeline();
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wardbench
