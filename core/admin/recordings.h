#pragma once

#include "admin/liveimposters.h"

#include <map>
#include <mutex>

namespace wardbench::admin {

/// What the running imposters received, as the REST API tells it. Thread-safe.
class Recordings
{
public:
    explicit Recordings(const MockService &service) : m_service(service) {}

    /// Requests since the start, or since they were forgotten.
    std::uint64_t count(ImposterId id) const;
    /// Recorded requests in the order of arrival, with their `timestamp`.
    json::Array requests(ImposterId id) const;
    /// By stub: what each use of it looked like (`matches`, mountebank.md 2.3).
    std::map<StubId, json::Array> matches(const LiveImposters::Live &live) const;
    /// No requests, and counting from 0.
    void forget(ImposterId id);

private:
    std::vector<JournalEntryPtr> entries(ImposterId id) const;

    const MockService &m_service;
    mutable std::mutex m_mutex;
    std::map<ImposterId, std::uint64_t> m_before; ///< received when they were forgotten
    std::map<ImposterId, std::uint64_t> m_since;  ///< journal position then
};

} // namespace wardbench::admin
