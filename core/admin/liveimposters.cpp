#include "admin/liveimposters.h"

#include "codec/listmatch.h"

#include <algorithm>

namespace wardbench::admin {
namespace {

bool sameAddress(const Imposter &a, const Imposter &b)
{
    return a.port == b.port && a.host == b.host && a.protocol == b.protocol;
}

json::Path imposterPath(std::size_t index)
{
    return {"imposters", std::to_string(index)};
}

} // namespace

/// One change on its way to the running mocks, which can be taken back as long as it is not complete.
class LiveImposters::Step
{
public:
    Step(LiveImposters &live, Entries old, std::vector<Entry> leaving)
        : m_live(live), m_old(std::move(old)), m_leaving(std::move(leaving))
    {
    }

    /// Starts `entry` now when its port is not one that is still held by a mock about to stop.
    Result<void> startEarly(Entry &entry)
    {
        const auto holds = [&](const Entry &old) {
            return old.id && entry.imposter->port && old.port == entry.imposter->port && isLeaving(old.id);
        };
        return std::any_of(m_old.begin(), m_old.end(), holds) ? Result<void>() : startNow(entry);
    }
    Result<void> startNow(Entry &entry)
    {
        const Result<void> started = m_live.start(entry);
        if (started)
            m_started.push_back(entry);
        return started;
    }
    void stopLeaving()
    {
        for (const Entry &entry : m_leaving)
            m_live.stop(entry);
        m_stopped = true;
    }
    /// Stops what was started and, as far as they were stopped, starts the old ones again.
    void takeBack()
    {
        for (const Entry &entry : m_started)
            m_live.stop(entry);
        if (!m_stopped)
            return;
        for (Entry &old : m_old) {
            if (!isLeaving(old.id))
                continue;
            old.id = 0;
            if (const auto again = m_live.start(old); !again)
                old.problem = again.error();
        }
        const std::lock_guard lock(m_live.m_mutex);
        m_live.m_entries = m_old;
    }

private:
    bool isLeaving(ImposterId id) const
    {
        return std::any_of(m_leaving.begin(), m_leaving.end(), [id](const Entry &entry) { return entry.id == id; });
    }

    LiveImposters &m_live;
    Entries m_old;
    std::vector<Entry> m_started;
    std::vector<Entry> m_leaving;
    bool m_stopped = false;
};

LiveImposters::LiveImposters(WorkspaceStore &store, MockService &service, LiveOptions options)
    : m_store(store), m_service(service), m_options(std::move(options)),
      m_updates(service, [this](ImposterId id, const Result<void> &result) { updated(id, result); }),
      m_observer(store.observe([this](const WorkspacePtr &before, const WorkspacePtr &after, const WorkspaceEdit &) {
          observed(before, after);
      }))
{
    for (const ImposterPtr &imposter : store.current()->imposters)
        m_entries.push_back({0, 0, imposter});
}

LiveImposters::~LiveImposters()
{
    m_store.forget(m_observer);
}

LiveImposters::Entries LiveImposters::entries() const
{
    const std::lock_guard lock(m_mutex);
    return m_entries;
}

std::vector<LiveImposters::Live> LiveImposters::list() const
{
    std::vector<Live> list;
    for (const Entry &entry : entries()) {
        if (entry.id)
            list.push_back({entry.id, entry.port, entry.imposter});
    }
    return list;
}

std::optional<LiveImposters::Live> LiveImposters::find(ImposterId id) const
{
    for (const Live &live : list()) {
        if (live.id == id)
            return live;
    }
    return std::nullopt;
}

std::optional<LiveImposters::Live> LiveImposters::atPort(std::uint16_t port) const
{
    for (const Live &live : list()) {
        if (live.port == port)
            return live;
    }
    return std::nullopt;
}

std::optional<std::size_t> LiveImposters::indexOf(ImposterId id) const
{
    const std::lock_guard lock(m_mutex);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (id && m_entries[i].id == id)
            return i;
    }
    return std::nullopt;
}

std::string LiveImposters::problem(ImposterId id) const
{
    for (const Entry &entry : entries()) {
        if (entry.id == id)
            return entry.problem ? entry.problem->message : std::string();
    }
    return {};
}

/// Leaves an entry that cannot be started as it was.
Result<void> LiveImposters::start(Entry &entry, bool anyPort)
{
    if (m_options.allowed) {
        if (const Result<void> allowed = m_options.allowed(*entry.imposter); !allowed)
            return allowed;
    }
    StartOptions options = m_options.start ? m_options.start(*entry.imposter) : StartOptions{};
    options.anyPort = options.anyPort || anyPort;
    const auto status = m_service.start(entry.imposter, options);
    if (!status)
        return status.error();
    entry = {status->id, status->port, entry.imposter, std::nullopt, status->urls};
    if (m_options.told)
        m_options.told(*entry.imposter, entry.port, true);
    return {};
}

void LiveImposters::stop(const Entry &entry)
{
    m_service.stop(entry.id);
    if (m_options.told)
        m_options.told(*entry.imposter, entry.port, false);
}

/// Of a running mock. What others edit may reach it a moment later.
Result<void> LiveImposters::update(const Entry &entry, bool strict)
{
    if (m_options.allowed) {
        if (const Result<void> allowed = m_options.allowed(*entry.imposter); !allowed)
            return allowed;
    }
    if (!m_options.byHand || strict)
        return m_updates.now(entry.id, entry.imposter);
    m_later.emplace_back(entry.id, entry.imposter);
    return {};
}

void LiveImposters::updated(ImposterId id, const Result<void> &result)
{
    {
        const std::lock_guard lock(m_mutex);
        const auto entry =
            std::find_if(m_entries.begin(), m_entries.end(), [id](const Entry &one) { return one.id == id; });
        if (entry == m_entries.end())
            return;
        entry->problem = result ? std::nullopt : std::optional(result.error());
    }
    if (m_options.changed)
        m_options.changed();
}

Result<std::vector<ImposterStatus>> LiveImposters::startAll()
{
    Entries fresh;
    const auto plan = [](const WorkspacePtr &) {
        return std::vector<WorkspaceEdit>();
    };
    const auto check = [&](const WorkspacePtr &, const WorkspacePtr &after) -> Result<void> {
        Entries now = entries();
        for (Entry &entry : now) {
            if (entry.id)
                continue;
            if (const Result<void> started = start(entry); !started) {
                for (const Entry &one : fresh)
                    stop(one);
                return started;
            }
            fresh.push_back(entry);
        }
        m_prepared = after;
        m_preparedEntries = std::move(now);
        return {};
    };
    if (const auto done = m_store.transact(plan, check); !done)
        return done.error();
    std::vector<ImposterStatus> all;
    for (Entry &entry : fresh)
        all.push_back({entry.id, entry.imposter, entry.port, std::move(entry.urls), {}});
    return all;
}

/// An edit of nothing but one entry.
void LiveImposters::changeEntry(const ImposterPtr &imposter, const std::function<void(Entry &)> &change)
{
    const auto plan = [](const WorkspacePtr &) {
        return std::vector<WorkspaceEdit>();
    };
    const auto check = [&](const WorkspacePtr &, const WorkspacePtr &after) -> Result<void> {
        m_preparedEntries = entries();
        m_prepared = after;
        const auto entry = std::find_if(m_preparedEntries.begin(), m_preparedEntries.end(),
                                        [&](const Entry &one) { return one.imposter == imposter; });
        if (entry != m_preparedEntries.end())
            change(*entry);
        return {};
    };
    (void)m_store.transact(plan, check); // neither of the two fails
}

Result<void> LiveImposters::startOne(const ImposterPtr &imposter, bool anyPort)
{
    Result<void> done = fail("the mock changed at this moment; try again", Error::Code::NotFound);
    changeEntry(imposter, [&](Entry &entry) {
        done = !entry.id ? start(entry, anyPort) : entry.problem ? update(entry, true) : Result<void>();
        entry.problem = done ? std::nullopt : std::optional(done.error());
    });
    return done;
}

void LiveImposters::stopOne(const ImposterPtr &imposter)
{
    changeEntry(imposter, [this](Entry &entry) {
        if (entry.id)
            stop(entry);
        entry = {0, 0, entry.imposter};
    });
}

Result<LiveImposters::Live> LiveImposters::add(const std::string &text, const json::Value &imposter)
{
    std::size_t index = 0;
    Live added;
    const auto plan = [&](const WorkspacePtr &now) {
        index = now->imposters.size();
        const json::Path path{"imposters"};
        return std::vector{now->root.find("imposters") ? WorkspaceEdit::insert(text, {"imposters", "-"}, imposter)
                                                       : WorkspaceEdit::set(text, path, json::Array{imposter})};
    };
    const auto check = [&](const WorkspacePtr &before, const WorkspacePtr &after) -> Result<void> {
        auto next = follow(*before, *after, false, true);
        if (!next)
            return next.error();
        const Entry &entry = next->at(index);
        added = {entry.id, entry.port, entry.imposter};
        m_prepared = after;
        m_preparedEntries = std::move(*next);
        return {};
    };
    if (const auto done = m_store.transact(plan, check); !done)
        return done.error();
    return added;
}

Result<void> LiveImposters::replaceAll(const std::string &text, const json::Array &imposters)
{
    const auto plan = [&](const WorkspacePtr &) {
        return std::vector{WorkspaceEdit::set(text, {"imposters"}, json::Value::array()),
                           WorkspaceEdit::set(text, {"imposters"}, imposters)};
    };
    return transact(plan, true);
}

Result<void> LiveImposters::remove(const std::string &text, const std::vector<ImposterId> &ids)
{
    const auto plan = [&](const WorkspacePtr &) {
        WorkspaceEdit edit(text);
        const Entries now = entries();
        for (std::size_t i = now.size(); i-- > 0;) { // backwards: the indices before stay right
            if (now[i].id && std::find(ids.begin(), ids.end(), now[i].id) != ids.end())
                edit.add({WorkspaceEdit::Step::Kind::Remove, imposterPath(i), {}});
        }
        return edit.steps().empty() ? std::vector<WorkspaceEdit>() : std::vector{edit};
    };
    return transact(plan, false);
}

Result<void> LiveImposters::change(ImposterId id, const Change &change)
{
    const auto plan = [&](const WorkspacePtr &now) -> Result<std::vector<WorkspaceEdit>> {
        const auto index = indexOf(id);
        if (!index || *index >= now->imposters.size())
            return fail("this mock is not running", Error::Code::NotFound);
        return change(*now->imposters[*index], imposterPath(*index));
    };
    return transact(plan, false);
}

Result<void> LiveImposters::transact(const WorkspaceStore::Plan &plan, bool afresh)
{
    const auto check = [&](const WorkspacePtr &before, const WorkspacePtr &after) -> Result<void> {
        if (before == after)
            return {};
        auto next = follow(*before, *after, afresh, true);
        if (!next)
            return next.error();
        m_prepared = after;
        m_preparedEntries = std::move(*next);
        return {};
    };
    const auto done = m_store.transact(plan, check);
    return done ? Result<void>() : Result<void>(done.error());
}

void LiveImposters::observed(const WorkspacePtr &before, const WorkspacePtr &after)
{
    Entries next;
    if (m_prepared == after)
        next = std::move(m_preparedEntries);
    else if (auto followed = follow(*before, *after, false, false))
        next = std::move(*followed);
    m_prepared = nullptr;
    m_preparedEntries.clear();
    {
        const std::lock_guard lock(m_mutex);
        m_entries = std::move(next);
    }
    for (const auto &[id, imposter] : std::exchange(m_later, {}))
        m_updates.later(id, imposter);
    if (m_options.changed)
        m_options.changed();
}

/// Whether what stood for nothing running (or for what runs elsewhere) is to be started.
bool LiveImposters::wantsStart(const Entry *old, bool strict) const
{
    return !m_options.byHand || (old ? old->id != 0 : strict);
}

/// What becomes of each imposter, and what is to be done for it; nothing is done yet.
Result<LiveImposters::Course> LiveImposters::courseTo(const Workspace &before, const Workspace &after, bool afresh,
                                                      bool strict) const
{
    Course course;
    course.old = entries();
    std::vector<bool> kept(course.old.size(), false);
    const codec::ListMatch match =
        codec::matchLists(afresh ? json::Array{} : before.root["imposters"].items(), after.root["imposters"].items());
    for (std::size_t i = 0; i < after.imposters.size(); ++i) {
        const ImposterPtr &imposter = after.imposters[i];
        const std::size_t from = i < match.items.size() ? match.items[i].old : codec::ListMatch::none;
        const Entry *old = from < course.old.size() ? &course.old[from] : nullptr;
        if (old && old->id && sameAddress(*old->imposter, *imposter)) {
            kept[from] = true;
            course.next.push_back(*old);
            course.next.back().imposter = imposter;
            if (old->imposter != imposter)
                course.toUpdate.push_back(i);
        } else {
            course.next.push_back({0, 0, imposter, old ? old->problem : std::nullopt});
            if (!wantsStart(old, strict))
                continue;
            course.toStart.push_back(i);
        }
        if (strict && !imposter->inactive.empty())
            return fail("imposter \"" + imposter->displayName() + "\": " + imposter->inactive, Error::Code::BadInput);
    }
    for (std::size_t i = 0; i < course.old.size(); ++i) {
        if (course.old[i].id && !kept[i])
            course.leaving.push_back(course.old[i]);
    }
    return course;
}

/// Brings the mocks from `before` to `after`. `strict`: an error takes everything back; else it becomes the entry's
/// problem. `afresh`: nothing is continued.
Result<LiveImposters::Entries> LiveImposters::follow(const Workspace &before, const Workspace &after, bool afresh,
                                                     bool strict)
{
    auto course = courseTo(before, after, afresh, strict);
    if (!course)
        return course.error();
    Entries next = std::move(course->next);
    Step step(*this, std::move(course->old), std::move(course->leaving));
    const auto run = [&](auto startOne) -> Result<void> {
        for (const std::size_t i : course->toStart) {
            const Result<void> done = next[i].id ? Result<void>() : (step.*startOne)(next[i]);
            if (!done && strict)
                return done;
            next[i].problem = done ? std::nullopt : std::optional(done.error());
        }
        return {};
    };
    Result<void> fine = run(&Step::startEarly);
    if (fine) {
        step.stopLeaving();
        fine = run(&Step::startNow);
    }
    if (!fine) {
        step.takeBack();
        return fine.error();
    }
    for (const std::size_t i : course->toUpdate) {
        const Result<void> done = update(next[i], strict);
        if (!done)
            next[i].problem = done.error();
        else if (m_later.empty() || m_later.back().first != next[i].id) // else it turns out a moment later
            next[i].problem.reset();
    }
    return next;
}

} // namespace wardbench::admin
