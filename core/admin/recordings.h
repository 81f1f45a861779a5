#pragma once

#include "admin/liveimposters.h"

#include <map>
#include <mutex>

namespace wardbench::admin {

/// What was recorded before the mocks were started. Any thread.
class Archive
{
public:
    virtual ~Archive() = default;
    virtual json::Array requests(ImposterId id) const = 0;
    virtual std::map<StubId, json::Array> matches(ImposterId id) const = 0;
    virtual void forgetRequests(ImposterId id) = 0;
};

/// A recorded request as the REST API shows it, with its `timestamp`.
json::Value recordedJson(const JournalEntry &entry);
/// What one use of `stub` looked like (`matches`, mountebank.md 2.3).
json::Value matchJson(const JournalEntry &entry, const Stub &stub);

/// What the running imposters received, as the REST API tells it. Thread-safe.
class Recordings
{
public:
    /// `archive` may be null; it must outlive this.
    explicit Recordings(const MockService &service, Archive *archive = nullptr) : m_service(service), m_archive(archive)
    {
    }

    /// Requests since the start, or since they were forgotten.
    std::uint64_t count(ImposterId id) const;
    /// Recorded requests in the order of arrival, with their `timestamp`.
    json::Array requests(ImposterId id) const;
    /// By stub: what each use of it looked like.
    std::map<StubId, json::Array> matches(const LiveImposters::Live &live) const;
    /// No requests, and counting from 0.
    void forget(ImposterId id);

private:
    std::vector<JournalEntryPtr> entries(ImposterId id) const;

    const MockService &m_service;
    Archive *const m_archive;
    mutable std::mutex m_mutex;
    std::map<ImposterId, std::uint64_t> m_before; ///< received when they were forgotten
    std::map<ImposterId, std::uint64_t> m_since;  ///< journal position then
    std::map<ImposterId, std::uint64_t> m_last;   ///< and the highest number of a request
};

} // namespace wardbench::admin
