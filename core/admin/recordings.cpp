#include "admin/recordings.h"

#include "admin/serverlog.h"
#include "match/requestjson.h"

#include <algorithm>

namespace wardbench::admin {
namespace {

json::Value askedJson(const JournalEntry &entry)
{
    return entry.message.isNull() ? requestJson(entry.request, entry.client) : entry.message;
}

json::Value answerJson(const http::Response &response)
{
    json::Members headers;
    for (const http::Header &header : response.headers)
        headers.emplace_back(header.name, header.value);
    return json::Members{{"statusCode", response.status}, {"headers", std::move(headers)}, {"body", response.body}};
}

/// The stored response, a proxy with its mode.
json::Value configured(const json::Value &response)
{
    const json::Value &proxy = response["proxy"];
    if (!proxy.isObject() || proxy.find("mode"))
        return response;
    return response.withMember("proxy", proxy.withMember("mode", "proxyOnce"));
}

} // namespace

json::Value recordedJson(const JournalEntry &entry)
{
    return askedJson(entry).withMember("timestamp", isoTime(entry.time));
}

json::Value matchJson(const JournalEntry &entry, const Stub &stub)
{
    const auto &responses = stub.source["responses"].items();
    const auto index = static_cast<std::size_t>(entry.responseIndex);
    const json::Value config = index < responses.size() ? responses[index] : json::Value();
    const bool plain = config["is"].isObject() && config["behaviors"].size() == 0;
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(entry.duration).count();
    return json::Members{{"timestamp", isoTime(entry.time)},
                         {"request", askedJson(entry)},
                         {"response", plain                    ? config["is"]
                                      : entry.message.isNull() ? answerJson(entry.response)
                                                               : entry.reply},
                         {"responseConfig", configured(config)},
                         {"processingTime", static_cast<std::int64_t>(ms)}};
}

std::uint64_t Recordings::count(ImposterId id) const
{
    const std::uint64_t received = m_service.counters(id).received;
    const std::lock_guard lock(m_mutex);
    const auto before = m_before.find(id);
    return before == m_before.end() || before->second > received ? received : received - before->second;
}

std::vector<JournalEntryPtr> Recordings::entries(ImposterId id) const
{
    constexpr std::size_t atOnce = 10'000;
    std::uint64_t since = 0, last = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (const auto found = m_since.find(id); found != m_since.end()) {
            since = found->second;
            last = m_last.at(id);
        }
    }
    std::vector<JournalEntryPtr> all = m_service.underWay(id); // first: what ends meanwhile is in a page
    for (;;) {
        JournalPage page = m_service.journal(id, since, atOnce);
        if (page.entries.empty())
            break;
        all.insert(all.end(), page.entries.begin(), page.entries.end());
        since = page.next;
    }
    std::erase_if(all, [last](const JournalEntryPtr &entry) { return entry->sequence <= last; });
    const auto key = [](const JournalEntryPtr &entry) {
        return std::pair(entry->sequence, !entry->finished); // the finished one of two before the other
    };
    std::sort(all.begin(), all.end(),
              [&key](const JournalEntryPtr &a, const JournalEntryPtr &b) { return key(a) < key(b); });
    const auto same = [](const JournalEntryPtr &a, const JournalEntryPtr &b) {
        return a->sequence == b->sequence;
    };
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
    return all;
}

json::Array Recordings::requests(ImposterId id) const
{
    json::Array list = m_archive ? m_archive->requests(id) : json::Array();
    for (const JournalEntryPtr &entry : entries(id))
        list.push_back(recordedJson(*entry));
    return list;
}

std::map<StubId, json::Array> Recordings::matches(const LiveImposters::Live &live) const
{
    std::map<StubId, StubPtr> stubs;
    for (const StubPtr &stub : live.imposter->stubs)
        stubs.emplace(stub->id, stub);
    std::map<StubId, json::Array> matches = m_archive ? m_archive->matches(live.id) : std::map<StubId, json::Array>();
    for (const JournalEntryPtr &entry : entries(live.id)) {
        const auto stub = stubs.find(entry->stub);
        if (stub != stubs.end())
            matches[entry->stub].push_back(matchJson(*entry, *stub->second));
    }
    return matches;
}

void Recordings::forget(ImposterId id)
{
    if (m_archive)
        m_archive->forgetRequests(id);
    const std::uint64_t received = m_service.counters(id).received;
    std::uint64_t last = 0;
    for (const JournalEntryPtr &entry : entries(id))
        last = std::max(last, entry->sequence);
    // Not the journal's own clearing: the log and the window go on reading it.
    const std::uint64_t end = m_service.journal(id, std::numeric_limits<std::uint64_t>::max(), 0).next;
    const std::lock_guard lock(m_mutex);
    m_before[id] = received;
    m_since[id] = end;
    m_last[id] = std::max(m_last[id], last);
}

} // namespace wardbench::admin
