#pragma once

#include "admin/imposterupdates.h"
#include "mock/mockservice.h"
#include "model/workspacestore.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace wardbench::admin {

/// How a LiveImposters follows its store. The functions are called on the thread of whoever edits, inside the edit.
struct LiveOptions
{
    std::function<StartOptions(const Imposter &)> start{}; ///< how each one is started
    /// Told of every mock that was opened or closed, by whomever.
    std::function<void(const Imposter &imposter, std::uint16_t port, bool open)> told{};
    /// Whether an imposter may run as it is; an error keeps it from being started or updated. Absent: it may.
    std::function<Result<void>(const Imposter &)> allowed{};
    /// For a client that starts and stops each one itself and does not wait, the window: what others add to the
    /// workspace is not started, and running mocks get the edits of others a moment later, several at once.
    bool byHand = false;
    /// `entries` gives something else now; also from the thread that updates a moment later.
    std::function<void()> changed{};
};

/// The imposters of a workspace store, running. Every edit of the store, whoever makes it, goes live: changed imposters
/// are updated under their connections, gone ones stop, new ones start, a new address restarts.
///
/// Its own edits (`add`, `change`, ...) go through the store as well, but take effect on the running mocks first: when
/// a port cannot be opened, the workspace stays as it was. Thread-safe; calls block until done.
class LiveImposters
{
public:
    struct Live
    {
        ImposterId id = 0;
        std::uint16_t port = 0;
        ImposterPtr imposter;
    };
    /// One imposter of the workspace.
    struct Entry
    {
        ImposterId id = 0; ///< 0: not running
        std::uint16_t port = 0;
        ImposterPtr imposter;
        std::optional<Error> problem{}; ///< why it does not run, or not as the workspace says
        std::vector<std::string> urls{};
    };
    using Entries = std::vector<Entry>;

    /// Starts nothing by itself yet.
    LiveImposters(WorkspaceStore &store, MockService &service, LiveOptions options = {});
    ~LiveImposters(); ///< stops following; the mocks go on
    LiveImposters(const LiveImposters &) = delete;
    LiveImposters &operator=(const LiveImposters &) = delete;

    /// All of the workspace, in its order.
    Entries entries() const;
    /// Running ones, in the order of the workspace.
    std::vector<Live> list() const;
    std::optional<Live> find(ImposterId id) const;
    std::optional<Live> atPort(std::uint16_t port) const;
    /// Where the imposter stands in the workspace now.
    std::optional<std::size_t> indexOf(ImposterId id) const;
    MockService &service() const { return m_service; }
    WorkspaceStore &store() const { return m_store; }

    /// Starts what the workspace has and does not run yet: all or none.
    Result<std::vector<ImposterStatus>> startAll();
    /// Starts this one, or has another try at an update that failed. NotFound when the workspace has it no longer.
    Result<void> startOne(const ImposterPtr &imposter, bool anyPort = false);
    /// Stops it and forgets its problem.
    void stopOne(const ImposterPtr &imposter);
    /// Appends an imposter to the workspace, running.
    Result<Live> add(const std::string &text, const json::Value &imposter);
    /// The workspace's imposters become these, all of them started afresh. When one cannot be started, the old ones run
    /// on.
    Result<void> replaceAll(const std::string &text, const json::Array &imposters);
    Result<void> remove(const std::string &text, const std::vector<ImposterId> &ids);
    /// Edits of one imposter, made from what it is at that moment. `at` is its path.
    using Change = std::function<Result<std::vector<WorkspaceEdit>>(const Imposter &now, const json::Path &at)>;
    Result<void> change(ImposterId id, const Change &change);

    /// Why an imposter does not run as the workspace says; empty when all is well. From edits of others.
    std::string problem(ImposterId id) const;

private:
    class Step;
    struct Course
    {
        Entries old, next;
        std::vector<std::size_t> toStart, toUpdate; ///< positions in `next`
        std::vector<Entry> leaving;
    };

    void changeEntry(const ImposterPtr &imposter, const std::function<void(Entry &)> &change);
    bool wantsStart(const Entry *old, bool strict) const;
    void updated(ImposterId id, const Result<void> &result);
    Result<void> transact(const WorkspaceStore::Plan &plan, bool afresh);
    void observed(const WorkspacePtr &before, const WorkspacePtr &after);
    Result<Course> courseTo(const Workspace &before, const Workspace &after, bool afresh, bool strict) const;
    Result<Entries> follow(const Workspace &before, const Workspace &after, bool afresh, bool strict);
    Result<void> start(Entry &entry, bool anyPort = false);
    void stop(const Entry &entry);
    Result<void> update(const Entry &entry, bool strict);

    WorkspaceStore &m_store;
    MockService &m_service;
    const LiveOptions m_options;
    WorkspacePtr m_prepared; ///< what `m_preparedEntries` belong to; touched inside the store's edits only
    Entries m_preparedEntries;
    std::vector<std::pair<ImposterId, ImposterPtr>> m_later; ///< updates to be made once the edit is; likewise

    mutable std::mutex m_mutex; ///< what follows
    Entries m_entries;          ///< one for each imposter of the workspace
    ImposterUpdates m_updates;  ///< last but one: its thread reports to what stands above
    const int m_observer;
};

} // namespace wardbench::admin
