#include "warden/cache.h"

namespace wardbench::warden {

Cache::Cache(const CacheConfig &config, const Clock &clock)
    : m_config(config), m_methods(config.methods), m_clock(clock)
{
}

void Cache::send(Call &call)
{
    if (!isFor(call)) {
        m_networkSide->send(call);
        return;
    }
    const auto found = m_index.find(call.keyView());
    if (found != m_index.end()) {
        const Entries::iterator entry = found->second;
        const TimePoint now = m_clock.now();
        if (now < entry->deadline) {
            ++m_hits;
            m_entries.splice(m_entries.begin(), m_entries, entry);
            call.fromCache = true;
            Reply hit;
            hit.response = entry->response;
            hit.timings.done = now;
            m_callerSide->answer(call, hit);
            return;
        }
        m_index.erase(found);
        m_entries.erase(entry);
    }
    ++m_misses;
    m_networkSide->send(call);
}

void Cache::answer(Call &call, const Reply &reply)
{
    if (reply.response && isFor(call)) {
        if (m_config.cachesStatus(reply.response->status) && (m_config.cacheWithCookie || !setsCookie(reply)))
            store(call, reply);
        else
            ++m_skipped;
    }
    m_callerSide->answer(call, reply);
}

void Cache::store(const Call &call, const Reply &reply)
{
    ++m_stored;
    if (const auto found = m_index.find(call.keyView()); found != m_index.end()) {
        m_entries.splice(m_entries.begin(), m_entries, found->second);
        m_entries.front().response = reply.response;
        m_entries.front().deadline = deadline();
        return;
    }
    if (m_entries.size() >= m_config.maxEntries) {
        ++m_evicted;
        m_index.erase(m_entries.back().keyView());
        m_entries.pop_back();
    }
    m_entries.push_front({call.key, call.hash, reply.response, deadline()});
    m_index.emplace(m_entries.front().keyView(), m_entries.begin());
}

TimePoint Cache::deadline() const
{
    const TimePoint now = m_clock.now();
    return m_config.duration < TimePoint::max() - now ? now + m_config.duration : TimePoint::max();
}

ModuleCounters Cache::counters() const
{
    return {
        "cache",
        {{"hits", m_hits}, {"misses", m_misses}, {"stored", m_stored}, {"evicted", m_evicted}, {"skipped", m_skipped}}};
}

} // namespace wardbench::warden
