#include "warden/pipeline.h"

#include "warden/cache.h"
#include "warden/head.h"
#include "warden/holder.h"
#include "warden/identifier.h"
#include "warden/network.h"
#include "warden/retry.h"

#include <optional>

namespace wardbench {

using namespace warden;

class Pipeline::Private
{
public:
    Private(Identifier name, const Policy &policy, Transport &transport, Scheduler &scheduler)
        : identifier(std::move(name)), head(scheduler), network(transport)
    {
        if (policy.holder)
            holder.emplace(*policy.holder);
        if (policy.cache)
            cache.emplace(*policy.cache, scheduler.clock());
        if (policy.retry && policy.retry->count > 0)
            retry.emplace(*policy.retry, scheduler);
        keyed = holder || cache;
        link();
    }

    void setOwner(const std::weak_ptr<void> &owner)
    {
        head.setOwner(owner);
        network.setOwner(owner);
        if (retry)
            retry->setOwner(owner);
    }

    Identifier identifier;
    bool keyed = false;
    Head head;
    std::optional<Holder> holder;
    std::optional<Cache> cache;
    std::optional<Retry> retry;
    Network network;
    std::vector<Module *> chain; ///< from head to network

private:
    void link()
    {
        chain.push_back(&head);
        if (holder)
            chain.push_back(&*holder);
        if (cache)
            chain.push_back(&*cache);
        if (retry)
            chain.push_back(&*retry);
        chain.push_back(&network);
        for (std::size_t i = 0; i < chain.size(); ++i)
            chain[i]->setNeighbours(i > 0 ? chain[i - 1] : nullptr, i + 1 < chain.size() ? chain[i + 1] : nullptr);
    }
};

Pipeline::Pipeline(std::shared_ptr<Private> data) : d(std::move(data))
{
    d->setOwner(d);
}

Pipeline::~Pipeline()
{
    d->head.close();
}

Result<std::unique_ptr<Pipeline>> Pipeline::make(const Policy &policy, Transport &network, Scheduler &scheduler)
{
    auto identifier = Identifier::compile(policy.name, policy.identifier);
    if (!identifier)
        return identifier.error();
    const std::string where = "cache of policy '" + policy.name + "': ";
    if (policy.cache && policy.cache->duration <= Nanoseconds(0))
        return fail(where + "the duration must be above zero", Error::Code::BadInput);
    if (policy.cache && policy.cache->maxEntries == 0)
        return fail(where + "maxEntries must be at least 1", Error::Code::BadInput);
    auto data = std::make_shared<Private>(std::move(*identifier), policy, network, scheduler);
    return std::unique_ptr<Pipeline>(new Pipeline(std::move(data)));
}

void Pipeline::send(const ClientRequestPtr &request, ReplyCallback callback)
{
    Call &call = d->head.open(request, std::move(callback));
    if (d->keyed) {
        d->identifier.appendKey(*request, call.key);
        call.hash = std::hash<std::string>()(call.key);
    }
    d->head.send(call);
}

void Pipeline::cancelAll()
{
    for (Module *module : d->chain)
        module->forgetCalls();
    d->head.cancelCalls();
    d->network.transport().cancelAll();
}

std::uint64_t Pipeline::sentCount() const
{
    return d->network.transport().sentCount();
}

std::vector<ModuleCounters> Pipeline::counters() const
{
    std::vector<ModuleCounters> list;
    for (const Module *module : d->chain) {
        if (ModuleCounters counters = module->counters(); !counters.module.empty())
            list.push_back(std::move(counters));
    }
    return list;
}

void Pipeline::resetCounters()
{
    for (Module *module : d->chain)
        module->resetCounters();
}

std::uint64_t Pipeline::failedCallbacks() const
{
    return d->head.failedCallbacks();
}

std::string Pipeline::key(const ClientRequest &request) const
{
    return d->identifier.key(request);
}

} // namespace wardbench
