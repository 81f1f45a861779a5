#include "warden/cachestore.h"

namespace wardbench::warden {
namespace {

std::size_t sizeOf(const CacheEntry &entry)
{
    std::size_t bytes = entry.key.size() + entry.response->body.size();
    for (const http::Header &field : entry.response->headers)
        bytes += field.name.size() + field.value.size();
    return bytes;
}

} // namespace

CacheEntry *CacheStore::find(const KeyView &key)
{
    const auto found = m_index.find(key);
    return found == m_index.end() ? nullptr : &*found->second;
}

void CacheStore::touch(const CacheEntry &entry)
{
    if (&m_entries.front() != &entry)
        m_entries.splice(m_entries.begin(), m_entries, m_index.find(entry.keyView())->second);
}

void CacheStore::erase(const KeyView &key)
{
    const auto found = m_index.find(key);
    if (found == m_index.end())
        return;
    const Entries::iterator entry = found->second;
    m_bytes -= entry->bytes;
    m_index.erase(found);
    m_entries.erase(entry);
}

void CacheStore::clear()
{
    m_index.clear();
    m_entries.clear();
    m_bytes = 0;
}

std::size_t CacheStore::put(CacheEntry entry)
{
    erase(entry.keyView());
    entry.bytes = sizeOf(entry);
    if (m_maxBytes && entry.bytes > *m_maxBytes)
        return 0;
    m_bytes += entry.bytes;
    m_entries.push_front(std::move(entry));
    m_index.emplace(m_entries.front().keyView(), m_entries.begin());
    std::size_t evicted = 0;
    for (; isOverFull(); ++evicted)
        erase(m_entries.back().keyView());
    return evicted;
}

} // namespace wardbench::warden
