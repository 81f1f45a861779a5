#include "mock/journal.h"

#include <algorithm>

namespace wardbench::mock {

Journal::Journal(std::size_t capacity, std::size_t bytes, std::size_t bodyLimit, bool onDemand)
    : m_capacity(std::max<std::size_t>(capacity, 1)), m_bytesAllowed(bytes), m_bodyLimit(bodyLimit),
      m_onDemand(onDemand)
{
}

void Journal::arrived(JournalRecordPtr record)
{
    const std::lock_guard lock(m_mutex);
    JournalRecordPtr &place = m_underWay[record->sequence];
    place.swap(record); // the old one is freed after the lock
}

std::vector<JournalEntryPtr> Journal::underWay(ImposterId imposter) const
{
    std::vector<JournalRecordPtr> records;
    {
        const std::lock_guard lock(m_mutex);
        for (const auto &[sequence, record] : m_underWay)
            records.push_back(record);
    }
    std::vector<JournalEntryPtr> entries;
    for (const JournalRecordPtr &record : records)
        entries.push_back(entry(imposter, *record, false));
    return entries;
}

void Journal::append(JournalRecordPtr record)
{
    std::vector<JournalRecordPtr> dropped; // freed after the lock
    const std::lock_guard lock(m_mutex);
    if (const auto shown = m_underWay.find(record->sequence); shown != m_underWay.end()) {
        dropped.push_back(std::move(shown->second));
        m_underWay.erase(shown);
    }
    m_bytes += cost(*record);
    m_records.push_back(std::move(record));
    while (m_records.size() > m_capacity || (m_bytes > m_bytesAllowed && m_records.size() > 1)) {
        m_bytes -= cost(*m_records.front());
        dropped.push_back(std::move(m_records.front()));
        m_records.pop_front();
        ++m_firstPosition;
    }
}

void Journal::clear()
{
    std::deque<JournalRecordPtr> dropped;
    const std::lock_guard lock(m_mutex);
    m_firstPosition += m_records.size();
    m_bytes = 0;
    dropped.swap(m_records);
}

JournalPage Journal::page(ImposterId imposter, std::uint64_t since, std::size_t max) const
{
    std::vector<JournalRecordPtr> records;
    JournalPage page;
    {
        const std::lock_guard lock(m_mutex);
        const std::uint64_t end = m_firstPosition + m_records.size();
        const std::uint64_t first = std::clamp(since, m_firstPosition, end);
        const std::uint64_t last = first + std::min<std::uint64_t>(max, end - first);
        const auto at = [this](std::uint64_t position) {
            return m_records.begin() + static_cast<std::ptrdiff_t>(position - m_firstPosition);
        };
        records.assign(at(first), at(last));
        page.dropped = since < first ? first - since : 0;
        page.next = last;
    }
    page.entries.reserve(records.size());
    for (const JournalRecordPtr &record : records)
        page.entries.push_back(entry(imposter, *record, true));
    return page;
}

std::size_t Journal::cost(const JournalRecord &record) const
{
    std::size_t bytes = sizeof(JournalRecord) + record.client.capacity() + record.request.body.capacity() +
                        record.request.target.capacity() * 2;
    if (record.message)
        bytes += record.message->size();
    if (record.made)
        bytes += static_cast<std::size_t>(record.made->bodySize(record.form));
    for (const http::Header &header : record.request.headers)
        bytes += sizeof(http::Header) + header.name.size() + header.value.size();
    return bytes;
}

JournalEntryPtr Journal::entry(ImposterId imposter, const JournalRecord &record, bool finished) const
{
    auto entry = std::make_shared<JournalEntry>();
    entry->sequence = record.sequence;
    entry->imposter = imposter;
    entry->time = record.time;
    entry->client = record.client;
    entry->request = record.request;
    entry->requestBodySize = record.requestBodySize;
    entry->finished = finished;
    if (finished) { // else another thread may be about to say so
        entry->duration = record.duration;
        entry->delivered = record.delivered;
    }
    if (record.answered) {
        entry->fault = record.fault ? record.fault->name : std::string();
        entry->note = record.note;
        if (record.answeredBy)
            describeAnswer(*entry, record);
    }
    if (record.message) {
        entry->message = record.message->request();
        entry->reply = record.message->response();
    }
    return entry;
}

void Journal::describeAnswer(JournalEntry &entry, const JournalRecord &record) const
{
    const PreparedStub &stub = *record.answeredBy;
    entry.stub = stub.stub() ? stub.stub()->id : 0;
    entry.stubName = stub.label();
    entry.responseIndex = stub.stub() ? static_cast<int>(record.responseIndex) : -1;
    if (record.message)
        return;
    const PreparedResponse &response = record.made ? *record.made : stub.response(record.responseIndex);
    entry.response = response.describe(record.form, record.date, m_bodyLimit);
    entry.responseBodySize = record.bodySize.value_or(response.bodySize(record.form));
}

} // namespace wardbench::mock
