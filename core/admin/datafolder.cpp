#include "admin/datafolder.h"

#include "admin/oldformats.h"
#include "admin/serverlog.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace wardbench::admin {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t batch = 2'000;

/// Ports in their order, then what else there is.
bool before(const std::string &a, const std::string &b)
{
    const auto key = [](const std::string &name) {
        std::uint64_t number = 0;
        const bool isNumber = std::from_chars(name.data(), name.data() + name.size(), number).ec == std::errc();
        return std::make_tuple(!isNumber, number, name);
    };
    return key(a) < key(b);
}

std::uint16_t portOf(const json::Value &imposter)
{
    return static_cast<std::uint16_t>(imposter["port"].toInteger().value_or(0));
}

} // namespace

DataFolder::DataFolder(std::string path, LiveImposters &live, ServerLog &log, const Rules &rules)
    : m_path(std::move(path)), m_live(live), m_log(log), m_rules(rules),
      m_observer(
          live.store().observe([this](const WorkspacePtr &, const WorkspacePtr &, const WorkspaceEdit &) { sync(); }))
{
}

DataFolder::~DataFolder()
{
    m_live.store().forget(m_observer);
}

std::string DataFolder::folderOf(std::uint16_t port) const
{
    return m_path + '/' + std::to_string(port);
}

void DataFolder::check(const Result<void> &written)
{
    if (!written)
        m_log.write(LogLevel::Error, "--datadir: " + written.error().message);
}

Result<void> DataFolder::load()
{
    std::vector<std::string> names;
    std::error_code problem;
    for (const fs::directory_entry &entry : fs::directory_iterator(m_path, problem))
        names.push_back(entry.path().filename().string());
    if (problem && problem != std::errc::no_such_file_or_directory)
        return fail("--datadir: cannot read " + m_path + ": " + problem.message(), Error::Code::BadInput);
    std::sort(names.begin(), names.end(), before);
    for (const std::string &name : names) {
        if (!fs::exists(m_path + '/' + name + "/imposter.json", problem))
            m_log.write(LogLevel::Warn, "Skipping " + name + " during loading; missing imposter.json");
        else if (const auto loaded = load(name); !loaded)
            return fail("--datadir: " + loaded.error().message, loaded.error().code);
    }
    return {};
}

Result<void> DataFolder::load(const std::string &name)
{
    auto stored = readImposter(m_path + '/' + name);
    if (!stored)
        return stored.error();
    const json::Value imposter = modernImposter(stored->imposter);
    if (std::to_string(portOf(imposter)) != name)
        return fail(m_path + '/' + name + "/imposter.json: the port must be that of its folder, " + name,
                    Error::Code::BadInput);
    m_log.write(LogLevel::Info, "Loading " + imposter["protocol"].text() + ':' + name + " from datadir");
    {
        const std::lock_guard lock(m_mutex);
        m_loading = std::move(*stored);
    }
    const auto added = m_live.add("Load imposter", imposter);
    const std::lock_guard lock(m_mutex);
    m_loading.reset();
    return added ? Result<void>() : Result<void>(added.error());
}

std::vector<std::uint64_t> DataFolder::cursors(const Imposter &imposter) const
{
    const std::lock_guard lock(m_mutex);
    std::vector<std::uint64_t> cursors;
    if (!m_loading || imposter.port != portOf(m_loading->imposter))
        return cursors;
    for (const StoredStub &stub : m_loading->stubs)
        cursors.push_back(stub.cursor);
    return cursors;
}

/// The files become what runs.
void DataFolder::sync()
{
    const std::vector<LiveImposters::Live> list = m_live.list();
    const std::lock_guard lock(m_mutex);
    bool removed = false;
    std::error_code problem;
    for (auto one = m_kept.begin(); one != m_kept.end();) { // first, for a port may pass to another
        const auto runs = [&one](const LiveImposters::Live &live) {
            return live.id == one->first;
        };
        if (std::any_of(list.begin(), list.end(), runs)) {
            ++one;
            continue;
        }
        fs::remove_all(folderOf(one->second.port), problem);
        if (problem)
            m_log.write(LogLevel::Error,
                        "--datadir: cannot remove " + folderOf(one->second.port) + ": " + problem.message());
        one = m_kept.erase(one);
        removed = true;
    }
    for (const LiveImposters::Live &live : list) {
        Kept &kept = m_kept[live.id];
        if (!kept.imposter && m_loading && portOf(m_loading->imposter) == live.port)
            adopt(kept, live);
        else if (kept.imposter != live.imposter)
            write(kept, live);
    }
    if (removed && list.empty())
        fs::remove(m_path, problem); // only when nothing else is in it
}

/// It was just read from these files.
void DataFolder::adopt(Kept &kept, const LiveImposters::Live &live)
{
    kept.port = live.port;
    kept.imposter = live.imposter;
    kept.requests = std::move(m_loading->requests);
    kept.stubs = std::move(m_loading->stubs);
    for (std::size_t i = 0; i < kept.stubs.size() && i < live.imposter->stubs.size(); ++i) {
        StoredStub &stub = kept.stubs[i];
        stub.id = live.imposter->stubs[i]->id;
        stub.stub = live.imposter->stubs[i]->source;
        for (std::size_t j = 0; j < stub.responses.size(); ++j)
            stub.responses[j].response = stub.stub["responses"].at(j);
    }
}

void DataFolder::write(Kept &kept, const LiveImposters::Live &live)
{
    const std::string folder = folderOf(live.port);
    std::error_code ignored;
    if (!kept.imposter) // what a process that was killed left behind
        fs::remove_all(folder + "/stubs", ignored);
    std::vector<StoredStub> old = std::move(kept.stubs);
    kept.stubs.clear();
    for (const StubPtr &stub : live.imposter->stubs) {
        const auto known =
            std::find_if(old.begin(), old.end(), [&stub](const StoredStub &one) { return one.id == stub->id; });
        const bool isKnown = known != old.end();
        kept.stubs.push_back(isKnown ? *known : StoredStub{stub->id, {}, "stubs/" + newStoredName(), {}});
        StoredStub &now = kept.stubs.back();
        if (!isKnown || !now.stub.sameNode(stub->source)) {
            now.stub = stub->source;
            check(writeStub(folder, now, isKnown ? &*known : nullptr));
        }
        if (isKnown)
            old.erase(known);
    }
    kept.port = live.port;
    kept.imposter = live.imposter;
    json::Value header = live.imposter->source.withMember("port", static_cast<int>(live.port));
    for (const char *name : {"requests", "numberOfRequests", "_links"}) {
        if (header.find(name))
            header = header.withoutMember(name);
    }
    check(writeImposter(folder, header, kept.stubs));
    for (const StoredStub &gone : old)
        fs::remove_all(folder + '/' + gone.folder, ignored);
}

void DataFolder::keep()
{
    const std::lock_guard lock(m_mutex);
    for (auto &[id, kept] : m_kept) {
        keepCursors(id, kept);
        keepRecorded(id, kept);
    }
}

void DataFolder::keepCursors(ImposterId id, Kept &kept)
{
    const ImposterCounters counters = m_live.service().counters(id);
    for (const StubCounters &counter : counters.stubs) {
        const auto stub = std::find_if(kept.stubs.begin(), kept.stubs.end(),
                                       [&counter](const StoredStub &one) { return one.id == counter.stub; });
        if (stub == kept.stubs.end() || stub->cursor == counter.matched % stub->turns)
            continue;
        stub->cursor = counter.matched % stub->turns;
        check(writeMeta(folderOf(kept.port), *stub));
    }
}

void DataFolder::keepRecorded(ImposterId id, Kept &kept)
{
    if (!kept.imposter->recordRequests && !m_rules.requests && !m_rules.matches)
        return;
    for (;;) {
        const JournalPage page = m_live.service().journal(id, kept.written, batch);
        if (page.entries.empty())
            return;
        kept.written = page.next;
        for (const JournalEntryPtr &entry : page.entries)
            keepEntry(kept, *entry);
    }
}

void DataFolder::keepEntry(const Kept &kept, const JournalEntry &entry)
{
    const std::string folder = folderOf(kept.port);
    if (kept.imposter->recordRequests || m_rules.requests)
        check(writeRecorded(folder + "/requests", recordedJson(entry), entry.time));
    const auto &stubs = kept.imposter->stubs;
    for (std::size_t i = 0; m_rules.matches && i < stubs.size() && i < kept.stubs.size(); ++i) {
        if (stubs[i]->id == entry.stub)
            check(writeRecorded(folder + '/' + kept.stubs[i].folder + "/matches", matchJson(entry, *stubs[i]),
                                entry.time));
    }
}

json::Array DataFolder::requests(ImposterId id) const
{
    const std::lock_guard lock(m_mutex);
    const auto kept = m_kept.find(id);
    return kept == m_kept.end() ? json::Array() : kept->second.requests;
}

std::map<StubId, json::Array> DataFolder::matches(ImposterId id) const
{
    const std::lock_guard lock(m_mutex);
    std::map<StubId, json::Array> matches;
    const auto kept = m_kept.find(id);
    if (kept == m_kept.end())
        return matches;
    for (const StoredStub &stub : kept->second.stubs) {
        if (!stub.matches.empty())
            matches.emplace(stub.id, stub.matches);
    }
    return matches;
}

void DataFolder::forgetRequests(ImposterId id)
{
    const std::lock_guard lock(m_mutex);
    const auto kept = m_kept.find(id);
    if (kept == m_kept.end())
        return;
    keepRecorded(id, kept->second); // matches stay
    kept->second.written = m_live.service().journal(id, std::numeric_limits<std::uint64_t>::max(), 0).next;
    kept->second.requests.clear();
    std::error_code ignored;
    fs::remove_all(folderOf(kept->second.port) + "/requests", ignored);
}

} // namespace wardbench::admin
