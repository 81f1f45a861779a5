#include "warden/cache.h"

#include "http/characters.h"

namespace wardbench::warden {
namespace {

std::size_t hashOf(const std::string &key)
{
    return std::hash<std::string>()(key);
}

bool isUnsafe(std::string_view method)
{
    return method != "GET" && method != "HEAD" && method != "OPTIONS" && method != "TRACE";
}

std::string uriOf(const ClientRequest &request)
{
    return request.host + ':' + std::to_string(request.port) + request.path;
}

/// The field names of Vary, in lower case and in order.
std::vector<std::string> varyNames(const http::Response &response)
{
    std::vector<std::string> names;
    for (const http::Header &field : response.headers) {
        if (!http::equalsIgnoringCase(field.name, "vary"))
            continue;
        std::string_view rest = field.value;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(','), rest.size());
            if (const std::string_view name = http::trimBlanks(rest.substr(0, end)); !name.empty())
                names.push_back(http::toLower(name));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

Cache::Cache(const CacheConfig &config, Surroundings &surroundings)
    : Module("cache"), m_config(config), m_methods(config.methods), m_surroundings(surroundings),
      m_store(config.maxEntries, config.maxBytes)
{
    if (isHttp() || config.staleWhileRevalidate > Nanoseconds(0))
        m_stale = &counter("stale");
    if (isHttp() || config.staleIfError > Nanoseconds(0))
        m_staleOnError = &counter("staleOnError");
    if (isHttp()) {
        m_notModified = &counter("notModified");
        m_bytesSaved = &counter("bytesSaved");
        m_invalidated = &counter("invalidated");
    }
}

void Cache::send(Call &call)
{
    if (!isFor(call) || (isHttp() && isConditional(*call.request))) {
        m_networkSide->send(call);
        return;
    }
    const TimePoint now = m_surroundings.now();
    const CacheControl asked = isHttp() ? CacheControl::of(call.request->headers) : CacheControl();
    std::string variant;
    CacheEntry *const entry = lookUp(call, variant);
    const Use use = entry ? useOf(*entry, asked, now) : Use::No;
    if (use != Use::No) {
        Call *const behind = use == Use::Stale && !asked.acceptsStale ? refreshBehind(call, *entry, variant) : nullptr;
        give(call, *entry, use, now);
        if (behind)
            m_networkSide->send(*behind);
        return;
    }
    ++m_misses;
    if (asked.onlyIfCached) {
        auto response = std::make_shared<http::Response>();
        response->status = 504;
        Reply reply;
        reply.response = std::move(response);
        reply.timings.done = now;
        m_callerSide->answer(call, reply);
        return;
    }
    const bool mayHelp = entry && (entry->age(now) < entry->freshness.lifetime + entry->freshness.mostStale() ||
                                   (isHttp() && hasValidator(*entry->response)));
    if (entry && !mayHelp)
        m_store.erase(entry->keyView());
    prepare(call, std::move(variant), mayHelp ? entry : nullptr);
    m_networkSide->send(call);
}

/// The entry for this request, and in `variant` its key when that is not the call's own.
CacheEntry *Cache::lookUp(const Call &call, std::string &variant)
{
    if (!isHttp())
        return m_store.find(call.keyView());
    const auto vary = m_vary.empty() ? m_vary.end() : m_vary.find(call.key);
    if (vary != m_vary.end() || call.request->method == "HEAD")
        variant = variantKey(call, vary == m_vary.end() ? std::vector<std::string>() : vary->second);
    CacheEntry *const entry = variant.empty() ? m_store.find(call.keyView()) : m_store.find({variant, hashOf(variant)});
    if (!entry || !wasInvalidated(call, *entry))
        return entry;
    ++*m_invalidated;
    m_store.erase(entry->keyView());
    return nullptr;
}

std::string Cache::variantKey(const Call &call, const std::vector<std::string> &names) const
{
    std::string key = call.key;
    if (call.request->method == "HEAD")
        key += "\nHEAD";
    for (const std::string &name : names) {
        key += '\n' + name + ':';
        for (const http::Header &field : call.request->headers) {
            if (http::equalsIgnoringCase(field.name, name))
                key += field.value + '\n';
        }
    }
    return key;
}

Cache::Use Cache::useOf(const CacheEntry &entry, const CacheControl &asked, TimePoint now) const
{
    const Freshness &freshness = entry.freshness;
    const Nanoseconds age = entry.age(now);
    if (freshness.alwaysRevalidate || asked.noCache || (asked.maxAge && age > *asked.maxAge))
        return Use::No;
    const Nanoseconds spare = asked.minFresh ? Nanoseconds(*asked.minFresh) : Nanoseconds(0);
    if (age < freshness.lifetime && age + spare < freshness.lifetime)
        return Use::Fresh;
    if (freshness.neverStale)
        return Use::No;
    const Nanoseconds over = age - freshness.lifetime;
    if (asked.acceptsStale && (!asked.maxStale || over <= *asked.maxStale))
        return Use::Stale;
    return over >= Nanoseconds(0) && over < freshness.whileRevalidate ? Use::Stale : Use::No;
}

void Cache::give(Call &call, const CacheEntry &entry, Use use, TimePoint now)
{
    ++m_hits;
    if (use == Use::Stale)
        ++*m_stale;
    m_store.touch(entry);
    call.fromCache = true;
    Reply hit;
    hit.response = entry.response;
    hit.timings.done = now;
    m_callerSide->answer(call, hit);
}

void Cache::prepare(Call &call, std::string variant, const CacheEntry *stale)
{
    State &state = m_states[call];
    state.active = true;
    state.sentAt = m_surroundings.now();
    state.key = std::move(variant);
    if (!stale)
        return;
    state.stale = stale->response;
    state.freshness = stale->freshness;
    state.storedAt = stale->storedAt;
    if (isHttp() && hasValidator(*stale->response)) {
        state.conditional = true;
        state.request = std::exchange(call.request, conditionalRequest(*call.request, *stale->response));
    }
}

/// A call of our own that fetches a new answer, ready to be sent; null when one is under way.
Call *Cache::refreshBehind(const Call &call, CacheEntry &entry, const std::string &variant)
{
    if (std::exchange(entry.revalidating, true))
        return nullptr;
    Call &own = m_surroundings.copyOf(call, *this);
    prepare(own, variant, &entry);
    return &own;
}

void Cache::answer(Call &call, const Reply &reply)
{
    State &state = m_states[call];
    if (!state.active) {
        if (isHttp() && isUnsafe(call.request->method))
            invalidate(call, reply);
        m_callerSide->answer(call, reply);
        return;
    }
    const State mine = std::exchange(state, {});
    if (mine.request)
        call.request = mine.request;
    const bool bridged = bridgesOutage(mine, reply);
    const auto instead = bridged ? mine.stale : confirmed(mine, reply);
    if (reply.response && !bridged)
        store(call, mine, instead ? instead : reply.response);
    if (call.owner == this) {
        endBehind(call, mine);
    } else if (instead) {
        if (bridged)
            m_staleOnError->note(m_surroundings.now());
        call.fromCache = true;
        Reply own = reply;
        own.response = instead;
        own.error = TransportError::None;
        own.errorText.clear();
        m_callerSide->answer(call, own);
    } else {
        m_callerSide->answer(call, reply);
    }
}

/// The stored answer when a 304 says that it is still good, else null.
std::shared_ptr<const http::Response> Cache::confirmed(const State &state, const Reply &reply)
{
    if (!state.conditional || !reply.response || reply.response->status != 304)
        return nullptr;
    ++*m_notModified;
    *m_bytesSaved += state.stale->body.size();
    return refreshed(*state.stale, *reply.response);
}

bool Cache::bridgesOutage(const State &state, const Reply &reply) const
{
    if (!state.stale || state.freshness.neverStale)
        return false;
    const int status = reply.response ? reply.response->status : 0;
    const bool outage =
        reply.response ? status == 500 || (status >= 502 && status <= 504) : isConnectionError(reply.error);
    const Nanoseconds age = m_surroundings.now() - state.storedAt + state.freshness.initialAge;
    return outage && age < state.freshness.lifetime + state.freshness.ifError;
}

void Cache::store(const Call &call, const State &state, const std::shared_ptr<const http::Response> &response)
{
    const TimePoint now = m_surroundings.now();
    const Freshness freshness = isHttp() ? httpFreshness(m_config, *call.request, *response, now - state.sentAt)
                                         : ttlFreshness(m_config, *response);
    if (!freshness.storable) {
        ++m_skipped;
        if (isHttp() && response->status < 500) // the older one is no good either
            m_store.erase(state.key.empty() ? call.keyView() : KeyView{state.key, hashOf(state.key)});
        return;
    }
    CacheEntry entry{call.key, call.hash, response, now, freshness};
    if (isHttp()) {
        const std::vector<std::string> names = varyNames(*response);
        if (names.empty())
            m_vary.erase(call.key);
        else
            m_vary[call.key] = names;
        if (!names.empty() || call.request->method == "HEAD") {
            entry.key = variantKey(call, names);
            entry.hash = hashOf(entry.key);
        }
        if (m_vary.size() > m_config.maxEntries) { // names of keys long gone; begin anew
            m_vary.clear();
            m_store.clear();
            return;
        }
    }
    ++m_stored;
    m_evicted += m_store.put(std::move(entry));
}

bool Cache::wasInvalidated(const Call &call, const CacheEntry &entry) const
{
    if (m_invalid.empty())
        return false;
    const auto found = m_invalid.find(uriOf(*call.request));
    return found != m_invalid.end() && entry.storedAt <= found->second;
}

void Cache::invalidate(const Call &call, const Reply &reply)
{
    if (!reply.response || reply.response->status >= 400)
        return;
    if (m_invalid.size() > m_config.maxEntries) {
        m_invalid.clear();
        m_store.clear();
    }
    m_invalid[uriOf(*call.request)] = m_surroundings.now();
}

void Cache::endBehind(Call &call, const State &state)
{
    CacheEntry *const entry = m_store.find(state.key.empty() ? call.keyView() : KeyView{state.key, hashOf(state.key)});
    if (entry)
        entry->revalidating = false; // a failed one may be tried again
    m_surroundings.calls().giveBack(call);
}

void Cache::abandon(Call &call)
{
    m_states[call] = {};
    m_networkSide->abandon(call);
}

} // namespace wardbench::warden
