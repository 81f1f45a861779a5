#pragma once

#include "base/clock.h"
#include "model/policy.h"
#include "warden/module.h"

#include <list>
#include <unordered_map>

namespace wardbench::warden {

/// Cache aside with a fixed time to live, counted from storing and checked at every look-up (64-bit deadlines, no
/// timers). Bounded: the least recently used entry goes first. What is stored is the outcome after all retries, shared
/// and immutable. Not stored: errors, status codes the policy does not list, answers that set a cookie (unless
/// `cacheWithCookie`). "skipped" counts answers that were not stored, errors not included.
class Cache final : public Module
{
public:
    Cache(const CacheConfig &config, const Clock &clock);

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override;
    ModuleCounters counters() const override;
    void resetCounters() override { m_hits = m_misses = m_stored = m_evicted = m_skipped = 0; }

private:
    struct Entry
    {
        std::string key;
        std::size_t hash = 0;
        std::shared_ptr<const http::Response> response;
        TimePoint deadline;

        KeyView keyView() const { return {key, hash}; }
    };
    using Entries = std::list<Entry>; ///< most recently used first; key texts of the index live here

    bool isFor(const Call &call) const { return m_methods.contains(call.request->method); }
    void store(const Call &call, const Reply &reply);
    TimePoint deadline() const;

    CacheConfig m_config;
    MethodList m_methods;
    const Clock &m_clock;
    Entries m_entries;
    std::unordered_map<KeyView, Entries::iterator, KeyHash> m_index;
    std::uint64_t m_hits = 0, m_misses = 0, m_stored = 0, m_evicted = 0, m_skipped = 0;
};

} // namespace wardbench::warden
