#pragma once

#include "admin/datafiles.h"
#include "admin/liveimposters.h"
#include "admin/recordings.h"

#include <mutex>
#include <optional>

namespace wardbench::admin {

class ServerLog;

/// `--datadir`: the running imposters as files of mountebank's layout. Every edit is written before whoever made it
/// hears that it is done; cursors and what was recorded are written by `keep`. One process has the folder: mountebank's
/// locks are not taken.
class DataFolder final : public Archive
{
public:
    struct Rules
    {
        bool requests = false; ///< keep requests of all imposters, not only of those with recordRequests
        bool matches = false;  ///< keep matches
    };

    /// `live` and `log` must outlive this. What cannot be written is logged as an error.
    DataFolder(std::string path, LiveImposters &live, ServerLog &log, const Rules &rules);
    ~DataFolder() override; ///< stops following; keep first
    DataFolder(const DataFolder &) = delete;
    DataFolder &operator=(const DataFolder &) = delete;

    /// Starts what the folder holds. Errors name the file or the imposter.
    Result<void> load();
    /// Of the imposter that is being loaded: where each stub's ring of responses goes on. Empty for others.
    std::vector<std::uint64_t> cursors(const Imposter &imposter) const;
    /// Writes what happened since the last call. Any thread; call it from time to time and at the end.
    void keep();

    json::Array requests(ImposterId id) const override;
    std::map<StubId, json::Array> matches(ImposterId id) const override;
    void forgetRequests(ImposterId id) override;

private:
    struct Kept
    {
        std::uint16_t port = 0;
        ImposterPtr imposter;
        std::vector<StoredStub> stubs;
        json::Array requests{};    ///< of earlier runs
        std::uint64_t written = 0; ///< position in the journal
    };

    std::string folderOf(std::uint16_t port) const;
    Result<void> load(const std::string &name);
    void sync();
    void adopt(Kept &kept, const LiveImposters::Live &live);
    void write(Kept &kept, const LiveImposters::Live &live);
    void keepCursors(ImposterId id, Kept &kept);
    void keepRecorded(ImposterId id, Kept &kept);
    void keepEntry(const Kept &kept, const JournalEntry &entry);
    void check(const Result<void> &written);

    const std::string m_path;
    LiveImposters &m_live;
    ServerLog &m_log;
    const Rules m_rules;
    const int m_observer;
    mutable std::mutex m_mutex; ///< what follows, and the files
    std::map<ImposterId, Kept> m_kept;
    std::optional<StoredImposter> m_loading;
};

} // namespace wardbench::admin
