#pragma once

#include "support/faketransport.h"
#include "support/manualscheduler.h"
#include "warden/pipeline.h"

#include <stdexcept>

namespace wardbench::test {

using namespace std::chrono_literals;

inline ClientRequestPtr request(std::string path = "/u", std::string method = "GET", std::string body = {})
{
    auto made = std::make_shared<ClientRequest>();
    made->host = "h";
    made->path = std::move(path);
    made->method = std::move(method);
    made->body = std::move(body);
    return made;
}

/// A pipeline on the manual clock in front of a fake server, and everything its callers were told.
class Harness
{
public:
    struct Outcome
    {
        int call = 0;      ///< number of the call, from 1
        Nanoseconds at{0}; ///< since the harness was made
        Reply reply;
    };

    template <typename Server>
    Harness(const Policy &policy, Server server) : network(scheduler, std::move(server))
    {
        auto made = Pipeline::make(policy, network, scheduler);
        if (!made)
            throw std::runtime_error(made.error().message);
        pipeline = std::move(*made);
    }

    /// Calls now; `then` runs in its callback, after the outcome was noted.
    int call(const ClientRequestPtr &what, std::function<void()> then = {})
    {
        const int number = ++m_calls;
        m_sending = true;
        pipeline->send(what, [this, number, then = std::move(then)](const Reply &reply) {
            insideSend = insideSend || m_sending;
            outcomes.push_back({number, scheduler.now() - m_start, reply});
            if (then)
                then();
        });
        m_sending = false;
        return number;
    }
    int call(std::string path = "/u") { return call(request(std::move(path))); }
    void parallel(int count, const std::string &path = "/u")
    {
        for (int i = 0; i < count; ++i)
            call(path);
    }
    void run(Nanoseconds span) { scheduler.advance(span); }

    std::vector<int> order() const
    {
        std::vector<int> calls;
        for (const Outcome &outcome : outcomes)
            calls.push_back(outcome.call);
        return calls;
    }
    std::uint64_t counter(std::string_view module, std::string_view name) const
    {
        for (const ModuleCounters &counters : pipeline->counters()) {
            for (const auto &[counter, count] : counters.counters) {
                if (counters.module == module && counter == name)
                    return count;
            }
        }
        throw std::out_of_range("no counter " + std::string(module) + '.' + std::string(name));
    }
    int status(std::size_t index) const
    {
        return outcomes.at(index).reply.response ? outcomes[index].reply.response->status : 0;
    }

    ManualScheduler scheduler;
    FakeTransport network;
    std::unique_ptr<Pipeline> pipeline;
    std::vector<Outcome> outcomes;
    bool insideSend = false; ///< a callback ran inside send(): never allowed

private:
    bool m_sending = false;
    TimePoint m_start = scheduler.now();
    int m_calls = 0;
};

inline Policy policy(const char *identifier = "{url}_{query.a}")
{
    Policy made;
    made.name = "p";
    made.identifier = identifier;
    return made;
}
inline Policy holderPolicy(const char *identifier = "{url}_{query.a}")
{
    Policy made = policy(identifier);
    made.holder = HolderConfig{};
    return made;
}
inline Policy cachePolicy(Nanoseconds duration = std::chrono::minutes(1))
{
    Policy made = policy();
    made.cache = CacheConfig{};
    made.cache->duration = duration;
    return made;
}
inline Policy retryPolicy(int count, Nanoseconds delay = Nanoseconds(0))
{
    Policy made = policy();
    made.retry = RetryConfig{};
    made.retry->count = count;
    made.retry->delay = delay;
    return made;
}

} // namespace wardbench::test
