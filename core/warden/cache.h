#pragma once

#include "warden/cachestore.h"
#include "warden/module.h"
#include "warden/surroundings.h"

namespace wardbench::warden {

/// Cache aside. What is stored is the outcome after all retries, shared and immutable; how long it is good for says
/// the policy (Ttl) or the answer (RFC 9111), and is checked at every look-up: there are no timers.
///
/// Not stored: errors, status codes the policy does not list, answers that set a cookie (unless `cacheWithCookie`). An
/// answer past its lifetime may be given at once while a new one is fetched (stale-while-revalidate), asked for again
/// with its validators, or stand in for an outage (stale-if-error: no connection, 500, 502, 503, 504). In RFC 9111
/// mode Vary tells answers of one key apart, and an unsafe method that succeeds invalidates its URI.
///
/// "hits", "misses" (all that had to wait for the network), "stored", "evicted", "skipped": answers not stored, errors
/// not included. Where it applies: "stale" (of the hits), "notModified" (of the misses), "bytesSaved" by them,
/// "staleOnError" (events), "invalidated".
class Cache final : public Module
{
public:
    Cache(const CacheConfig &config, Surroundings &surroundings);

    void send(Call &call) override;
    void answer(Call &call, const Reply &reply) override;
    void abandon(Call &call) override;
    void forgetCalls() override { m_states.clear(); }

private:
    /// Of a call whose answer may be stored.
    struct State
    {
        bool active = false;
        bool conditional = false;
        TimePoint sentAt;
        ClientRequestPtr request; ///< the caller's, when another one was sent
        std::string key;          ///< of the variant, when there are variants
        std::shared_ptr<const http::Response> stale;
        Freshness freshness; ///< of `stale`
        TimePoint storedAt;
    };
    enum class Use { Fresh, Stale, No };

    bool isHttp() const { return m_config.mode == CacheConfig::Mode::Rfc9111; }
    bool isFor(const Call &call) const { return m_methods.contains(call.request->method); }
    CacheEntry *lookUp(const Call &call, std::string &variant);
    Use useOf(const CacheEntry &entry, const CacheControl &asked, TimePoint now) const;
    void give(Call &call, const CacheEntry &entry, Use use, TimePoint now);
    void prepare(Call &call, std::string variant, const CacheEntry *stale);
    Call *refreshBehind(const Call &call, CacheEntry &entry, const std::string &variant);
    void store(const Call &call, const State &state, const std::shared_ptr<const http::Response> &response);
    std::shared_ptr<const http::Response> confirmed(const State &state, const Reply &reply);
    bool bridgesOutage(const State &state, const Reply &reply) const;
    std::string variantKey(const Call &call, const std::vector<std::string> &names) const;
    bool wasInvalidated(const Call &call, const CacheEntry &entry) const;
    void invalidate(const Call &call, const Reply &reply);
    void endBehind(Call &call, const State &state);

    const CacheConfig m_config;
    const MethodList m_methods;
    Surroundings &m_surroundings;
    CacheStore m_store;
    std::unordered_map<std::string, std::vector<std::string>> m_vary; ///< by key: fields that tell its answers apart
    std::unordered_map<std::string, TimePoint> m_invalid;             ///< by URI: what was stored until then is no good
    PerCall<State> m_states;
    Counter &m_hits = counter("hits"), &m_misses = counter("misses"), &m_stored = counter("stored");
    Counter &m_evicted = counter("evicted"), &m_skipped = counter("skipped");
    Counter *m_stale = nullptr, *m_staleOnError = nullptr, *m_notModified = nullptr, *m_bytesSaved = nullptr;
    Counter *m_invalidated = nullptr;
};

} // namespace wardbench::warden
