#pragma once

#include "warden/cachecontrol.h"
#include "warden/call.h"

#include <list>
#include <unordered_map>

namespace wardbench::warden {

/// One stored answer, shared and immutable.
struct CacheEntry
{
    std::string key;
    std::size_t hash = 0;
    std::shared_ptr<const http::Response> response;
    TimePoint storedAt;
    Freshness freshness;
    bool revalidating = false; ///< a new one is being fetched behind the callers' backs
    std::size_t bytes = 0;

    KeyView keyView() const { return {key, hash}; }
    Nanoseconds age(TimePoint now) const { return now - storedAt + freshness.initialAge; }
};

/// A bounded map: the least recently used entry goes first.
class CacheStore
{
public:
    CacheStore(std::size_t maxEntries, std::optional<std::uint64_t> maxBytes)
        : m_maxEntries(maxEntries), m_maxBytes(maxBytes)
    {
    }

    CacheEntry *find(const KeyView &key); ///< null when there is none; does not count as use
    void touch(const CacheEntry &entry);
    void erase(const KeyView &key);
    void clear();
    /// Stores or replaces; says how many others had to go. An entry larger than the whole store is not kept.
    std::size_t put(CacheEntry entry);

private:
    using Entries = std::list<CacheEntry>; ///< most recently used first; key texts of the index live here

    bool isOverFull() const { return m_entries.size() > m_maxEntries || (m_maxBytes && m_bytes > *m_maxBytes); }

    const std::size_t m_maxEntries;
    const std::optional<std::uint64_t> m_maxBytes;
    Entries m_entries;
    std::unordered_map<KeyView, Entries::iterator, KeyHash> m_index;
    std::uint64_t m_bytes = 0;
};

} // namespace wardbench::warden
