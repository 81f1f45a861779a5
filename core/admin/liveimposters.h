#pragma once

#include "mock/mockservice.h"
#include "model/workspacestore.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace wardbench::admin {

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
    using Start = std::function<StartOptions(const Imposter &)>;
    /// Told of every mock that was opened or closed, by whomever.
    using Told = std::function<void(const Imposter &imposter, std::uint16_t port, bool open)>;

    /// Starts nothing by itself yet. `start` says how each one is started.
    LiveImposters(WorkspaceStore &store, MockService &service, Start start = {}, Told told = {});
    ~LiveImposters(); ///< stops following; the mocks go on
    LiveImposters(const LiveImposters &) = delete;
    LiveImposters &operator=(const LiveImposters &) = delete;

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
    struct Entry
    {
        ImposterId id = 0; ///< 0: not running
        std::uint16_t port = 0;
        ImposterPtr imposter;
        std::string problem;
    };
    using Entries = std::vector<Entry>;
    class Step;
    struct Course
    {
        Entries old, next;
        std::vector<std::size_t> toStart, toUpdate; ///< positions in `next`
        std::vector<Entry> leaving;
    };

    Result<void> transact(const WorkspaceStore::Plan &plan, bool afresh);
    void observed(const WorkspacePtr &before, const WorkspacePtr &after);
    Result<Course> courseTo(const Workspace &before, const Workspace &after, bool afresh, bool strict) const;
    Result<Entries> follow(const Workspace &before, const Workspace &after, bool afresh, bool strict);
    Result<ImposterStatus> start(const ImposterPtr &imposter);
    void stop(const Entry &entry);
    Entries entries() const;

    WorkspaceStore &m_store;
    MockService &m_service;
    const Start m_start;
    const Told m_told;
    const int m_observer;
    WorkspacePtr m_prepared; ///< what `m_preparedEntries` belong to; touched inside the store's edits only
    Entries m_preparedEntries;

    mutable std::mutex m_mutex; ///< what follows
    Entries m_entries;          ///< one for each imposter of the workspace
};

} // namespace wardbench::admin
