#pragma once

#include "base/result.h"
#include "stats/runresult.h"

#include <string>
#include <vector>

namespace wardbench {

/// One run that was kept.
struct StoredRun
{
    std::string path;
    std::string scenario; ///< its name; a very long one is cut
    std::string started;  ///< "2026-11-30T14:05:01.120Z", UTC
};

/// Run files kept without asking in the user's data folder, the last 50 of each workspace. Stateless: window and
/// command line may use the same folder at once. Any thread.
class RunStore
{
public:
    static constexpr std::size_t keptPerWorkspace = 50;

    /// `folder` empty: `wardbench/runs` in the user's data folder.
    explicit RunStore(std::string folder = {});

    /// Writes the run file and removes the oldest ones beyond the limit; returns its path. `workspaceFile` as the user
    /// named it, or empty for one without a file.
    Result<std::string> save(const std::string &workspaceFile, const RunResult &result) const;
    /// Newest first.
    std::vector<StoredRun> list(const std::string &workspaceFile) const;
    void prune(const std::string &workspaceFile, std::size_t keep = keptPerWorkspace) const;
    /// Read with report::loadRun. Where a workspace's runs are.
    std::string folderOf(const std::string &workspaceFile) const;

private:
    std::string m_folder;
};

} // namespace wardbench
