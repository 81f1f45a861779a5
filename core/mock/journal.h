#pragma once

#include "mock/compiledimposter.h"
#include "mock/mockservice.h"

#include <atomic>
#include <deque>
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
    Nanoseconds duration{0};
    bool delivered = false;
};
using JournalRecordPtr = std::shared_ptr<const JournalRecord>;

/// The requests one imposter received, the oldest dropped when there are too many or they take too much memory. Any
/// thread; the lock is held for a push, or for copying pointers.
class Journal
{
public:
    Journal(std::size_t capacity, std::size_t bytes, std::size_t bodyLimit);

    /// Number of an arriving request, from 1.
    std::uint64_t nextSequence() { return m_sequence.fetch_add(1, std::memory_order_relaxed) + 1; }
    std::size_t bodyLimit() const { return m_bodyLimit; }
    void append(JournalRecordPtr record);
    void clear();
    JournalPage page(ImposterId imposter, std::uint64_t since, std::size_t max) const;

private:
    std::size_t cost(const JournalRecord &record) const;
    JournalEntryPtr entry(ImposterId imposter, const JournalRecord &record) const;
    void describeAnswer(JournalEntry &entry, const JournalRecord &record) const;

    const std::size_t m_capacity;
    const std::size_t m_bytesAllowed;
    const std::size_t m_bodyLimit;
    std::atomic<std::uint64_t> m_sequence{0};

    mutable std::mutex m_mutex;
    std::deque<JournalRecordPtr> m_records;
    std::uint64_t m_firstPosition =
        0; ///< of m_records.front(), counted from the imposter's start in the order of finishing
    std::size_t m_bytes = 0;
};

} // namespace wardbench::mock
