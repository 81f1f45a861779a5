#pragma once

#include "base/result.h"
#include "model/workspace.h"
#include "model/workspaceedit.h"

#include <functional>
#include <mutex>
#include <vector>

namespace wardbench {

/// The one owner of the current workspace. Applies edits one at a time and tells its clients; window, watcher, REST and
/// recorder are clients. Calls from any thread are serialised; observers run on the caller's thread,
/// outside the lock, and may read but not edit.
class WorkspaceStore
{
public:
    /// Turns a tree into a workspace, sharing with `previous` what did not change. `codec` supplies it.
    using Decoder = std::function<WorkspacePtr(const json::Value &root, const WorkspacePtr &previous)>;
    /// `inverse` takes the change back; it has no steps when everything was replaced.
    using Observer =
        std::function<void(const WorkspacePtr &before, const WorkspacePtr &after, const WorkspaceEdit &inverse)>;

    WorkspaceStore(Decoder decoder, WorkspacePtr initial);

    WorkspacePtr current() const;
    /// Applies and returns the inverse.
    Result<WorkspaceEdit> apply(const WorkspaceEdit &edit);

    /// Makes edits of the workspace as it is at that moment; nobody else edits meanwhile.
    using Plan = std::function<Result<std::vector<WorkspaceEdit>>(const WorkspacePtr &current)>;
    /// Sees what would become of the workspace before anybody else does; an error leaves everything as it was.
    using Check = std::function<Result<void>(const WorkspacePtr &before, const WorkspacePtr &after)>;
    /// Applies planned edits as one change and returns its inverse. Each is decoded by itself, so that an array which
    /// one edit empties and the next one fills holds new things, even where they look like the old ones.
    Result<WorkspaceEdit> transact(const Plan &plan, const Check &check = {});
    /// Replaces everything (open, reload).
    void replace(WorkspacePtr workspace);
    int observe(Observer observer);
    void forget(int observer);

private:
    void publish(const WorkspacePtr &before, const WorkspacePtr &after, const WorkspaceEdit &inverse);

    std::mutex m_editing;       ///< held through an edit and its notifications, so observers see edits in order
    mutable std::mutex m_mutex; ///< guards the members below
    Decoder m_decoder;
    WorkspacePtr m_current;
    std::vector<std::pair<int, Observer>> m_observers;
    int m_nextObserver = 1;
};

} // namespace wardbench
