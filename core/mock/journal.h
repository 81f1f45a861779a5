#pragma once

#include "mock/compiledimposter.h"
#include "mock/mockservice.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

namespace wardbench::mock {

/// A request of a protocol other than http, with its answer, as the journal keeps them. Immutable.
class RecordedMessage
{
public:
    virtual ~RecordedMessage() = default;
    virtual json::Value request() const = 0;  ///< mountebank's request object
    virtual json::Value response() const = 0; ///< and its answer; null: none
    virtual std::size_t size() const = 0;     ///< bytes of memory, about
};

/// One finished exchange as the I/O thread leaves it: moved parts and shared answers. It becomes a JournalEntry only
/// when somebody looks.
struct JournalRecord
{
    std::uint64_t sequence = 0;
    std::chrono::system_clock::time_point time;
    std::string client;
    http::Request request;
    std::uint64_t requestBodySize = 0;
    std::shared_ptr<const RecordedMessage> message; ///< null: http
    PreparedStubPtr answeredBy;                     ///< null: nothing that can be prepared
    std::size_t responseIndex = 0;
    const Fault *fault = nullptr;                 ///< in `answeredBy`
    std::shared_ptr<const PreparedResponse> made; ///< the answer, when it was made for this request alone
    AnswerForm form;
    std::string date;
    std::optional<std::uint64_t> bodySize; ///< of the answer, when `made` holds only the beginning of its body
    std::string note;                      ///< what the log should tell
    bool answered = false;                 ///< what stands above is what it will be
    Nanoseconds duration{0};
    bool delivered = false;
};
using JournalRecordPtr = std::shared_ptr<const JournalRecord>;

/// The requests one imposter received, the oldest dropped when there are too many or they take too much memory. Any
/// thread; the lock is held for a push, or for copying pointers.
class Journal
{
public:
    /// `onDemand`: for imposters that ask for it only.
    Journal(std::size_t capacity, std::size_t bytes, std::size_t bodyLimit, bool onDemand = false);

    /// Whether requests of this imposter are to be kept.
    bool wants(const Imposter &imposter) const
    {
        return !m_onDemand || imposter.recordRequests || imposter.recordMatches;
    }

    /// Number of an arriving request, from 1.
    std::uint64_t nextSequence() { return m_sequence.fetch_add(1, std::memory_order_relaxed) + 1; }
    std::size_t bodyLimit() const { return m_bodyLimit; }
    /// Shows a request before it is over, until one of its number is appended. Of a record that is `answered` only
    /// duration and delivery may still change.
    void arrived(JournalRecordPtr record);
    void append(JournalRecordPtr record);
    void clear();
    JournalPage page(ImposterId imposter, std::uint64_t since, std::size_t max) const;
    /// What arrived and is not over, in the order of arrival.
    std::vector<JournalEntryPtr> underWay(ImposterId imposter) const;

private:
    std::size_t cost(const JournalRecord &record) const;
    JournalEntryPtr entry(ImposterId imposter, const JournalRecord &record, bool finished) const;
    void describeAnswer(JournalEntry &entry, const JournalRecord &record) const;

    const std::size_t m_capacity;
    const std::size_t m_bytesAllowed;
    const std::size_t m_bodyLimit;
    const bool m_onDemand;
    std::atomic<std::uint64_t> m_sequence{0};

    mutable std::mutex m_mutex;
    std::map<std::uint64_t, JournalRecordPtr> m_underWay; ///< by number
    std::deque<JournalRecordPtr> m_records;
    std::uint64_t m_firstPosition =
        0; ///< of m_records.front(), counted from the imposter's start in the order of finishing
    std::size_t m_bytes = 0;
};

} // namespace wardbench::mock
