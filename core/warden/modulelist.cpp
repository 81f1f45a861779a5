#include "warden/modulelist.h"

#include "warden/breaker.h"
#include "warden/bulkhead.h"
#include "warden/cache.h"
#include "warden/fallback.h"
#include "warden/hedging.h"
#include "warden/holder.h"
#include "warden/ratelimiter.h"
#include "warden/retry.h"
#include "warden/schema.h"
#include "warden/shadow.h"
#include "warden/timeout.h"

namespace wardbench::warden {
namespace {

using Made = std::unique_ptr<Module>;

template <typename Kind, auto Config>
Made make(const Policy &policy, Transport &, Surroundings &surroundings)
{
    return policy.*Config ? std::make_unique<Kind>(*(policy.*Config), surroundings) : Made();
}

Made makeRetry(const Policy &policy, Transport &network, Surroundings &surroundings)
{
    return policy.retry && policy.retry->mostRetries() > 0 ? make<Retry, &Policy::retry>(policy, network, surroundings)
                                                           : Made();
}

Made makeShadow(const Policy &policy, Transport &network, Surroundings &surroundings)
{
    return policy.shadow ? std::make_unique<Shadow>(*policy.shadow, network, surroundings) : Made();
}

template <auto Config>
Made makeTimeout(const Policy &policy, Transport &, Surroundings &surroundings)
{
    const char *name = Config == &Policy::totalTimeout ? "total timeout" : "attempt timeout";
    return policy.*Config ? std::make_unique<Timeout>(name, *(policy.*Config), surroundings) : Made();
}

/// One line a module, from the caller to the network (reference/warden.md 4.2: puzzle-warden's order is kept).
constexpr Made (*order[])(const Policy &, Transport &, Surroundings &) = {
    make<Fallback, &Policy::fallback>,
    make<RateLimiter, &Policy::rateLimiter>,
    make<Bulkhead, &Policy::bulkhead>,
    make<Holder, &Policy::holder>,
    make<Cache, &Policy::cache>,
    make<Schema, &Policy::schema>,
    makeShadow,
    makeTimeout<&Policy::totalTimeout>,
    make<Hedging, &Policy::hedging>,
    makeRetry,
    make<Breaker, &Policy::breaker>,
    makeTimeout<&Policy::attemptTimeout>,
};

} // namespace

std::vector<std::unique_ptr<Module>> modulesOf(const Policy &policy, Transport &network, Surroundings &surroundings)
{
    std::vector<std::unique_ptr<Module>> modules;
    for (const auto &makeOne : order) {
        if (Made made = makeOne(policy, network, surroundings))
            modules.push_back(std::move(made));
    }
    return modules;
}

} // namespace wardbench::warden
