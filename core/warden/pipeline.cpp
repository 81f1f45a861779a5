#include "warden/pipeline.h"

#include "warden/head.h"
#include "warden/identifier.h"
#include "warden/modulelist.h"
#include "warden/network.h"

namespace wardbench {

using namespace warden;

class Pipeline::Private
{
public:
    Private(Identifier name, const Policy &policy, Transport &transport, Surroundings around)
        : identifier(std::move(name)), keyed(policy.holder || policy.cache), surroundings(std::move(around)),
          head(surroundings), network(transport, surroundings), modules(modulesOf(policy, transport, surroundings))
    {
        if (!modules.empty())
            network.rememberSends();
        chain.push_back(&head);
        for (const auto &module : modules)
            chain.push_back(module.get());
        chain.push_back(&network);
        for (std::size_t i = 0; i < chain.size(); ++i)
            chain[i]->setNeighbours(i > 0 ? chain[i - 1] : nullptr, i + 1 < chain.size() ? chain[i + 1] : nullptr);
    }

    Identifier identifier;
    const bool keyed; ///< a module needs the key
    Surroundings surroundings;
    Head head;
    Network network;
    std::vector<std::unique_ptr<Module>> modules;
    std::vector<Module *> chain; ///< from head to network
};

Pipeline::Pipeline(std::shared_ptr<Private> data) : d(std::move(data))
{
    d->surroundings.setOwner(d);
}

Pipeline::~Pipeline()
{
    d->head.close();
}

Result<std::unique_ptr<Pipeline>> Pipeline::make(const Policy &policy, Transport &network, Scheduler &scheduler,
                                                 std::uint64_t seed, std::uint64_t repetition)
{
    auto identifier = Identifier::compile(policy.name, policy.identifier);
    if (!identifier)
        return identifier.error();
    const std::string where = "cache of policy '" + policy.name + "': ";
    if (policy.cache && policy.cache->duration <= Nanoseconds(0))
        return fail(where + "the duration must be above zero", Error::Code::BadInput);
    if (policy.cache && policy.cache->maxEntries == 0)
        return fail(where + "maxEntries must be at least 1", Error::Code::BadInput);
    auto data =
        std::make_shared<Private>(std::move(*identifier), policy, network, Surroundings(scheduler, seed, repetition));
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
    for (const auto &module : d->modules)
        list.push_back(module->counters());
    return list;
}

std::vector<ModuleEvents> Pipeline::events() const
{
    std::vector<ModuleEvents> list;
    for (const auto &module : d->modules) {
        for (const Counter &counter : module->counterList()) {
            if (!counter.marks().empty())
                list.push_back({module->name(), counter.name(), counter.marks()});
        }
    }
    return list;
}

void Pipeline::resetCounters()
{
    for (const auto &module : d->modules)
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
