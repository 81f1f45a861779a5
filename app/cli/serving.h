#pragma once

#include "admin/adminserver.h"
#include "admin/proxyrecorder.h"
#include "codec/workspacefile.h"
#include "mock/mockservice.h"

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wardbench::cli {

/// What `serve` was asked for.
struct ServeOptions
{
    std::vector<std::string> files; ///< "-" is standard input
    std::vector<std::string> only;  ///< globs; empty: all imposters
    MockOptions mock;
    bool journal = false;
    std::optional<admin::AdminOptions> admin; ///< absent: no REST API
};

/// The files of `serve`, the one workspace that their imposters make, and the mocks that run it. On a reload of a
/// changed file its imposters are added, removed and updated by name and port; a file with errors changes nothing.
class Serving
{
public:
    /// `out` gets the ready lines, `err` messages and issues.
    Serving(ServeOptions options, std::ostream &out, std::ostream &err);
    ~Serving();

    /// Loads every file and opens every port; false, with nothing left open and the reasons told, when one of them
    /// fails.
    bool start();
    /// Loads the files that changed on disk since they were last looked at.
    void reloadChanged();
    /// The end: no REST call and no mock runs on return.
    void stop();
    MockService &service() { return m_service; }
    const std::vector<std::string> &files() const { return m_options.files; }

private:
    struct Mock
    {
        std::string key; ///< name, host, port
        ImposterId id = 0;
    };
    struct Source
    {
        std::string path;
        FileStamp stamp;
        WorkspacePtr workspace;
        std::vector<Mock> mocks;
    };

    MockOptions mockOptions() const;
    bool load(Source &source);
    std::vector<ImposterPtr> wanted(const Workspace &workspace) const;
    bool servable(const Source &source, const std::vector<ImposterPtr> &imposters) const;
    bool openAll();
    bool openAdmin(std::string &ready);
    StartOptions startOptions(const Imposter &imposter) const;
    void addMock(Source &source, std::string key, const ImposterPtr &imposter, std::string &ready);
    Result<void> updateMock(ImposterId id, const ImposterPtr &imposter);
    void reload(Source &source);
    void apply(Source &source, const std::vector<ImposterPtr> &imposters);

    const ServeOptions m_options;
    std::ostream &m_out;
    std::ostream &m_err;
    admin::ProxyRecorder m_recorder;
    MockService m_service;
    WorkspaceStore m_store;
    std::unique_ptr<admin::LiveImposters> m_live; ///< follows from the first complete workspace on
    std::unique_ptr<admin::AdminServer> m_admin;
    std::vector<Source> m_sources;
    std::map<const void *, std::string> m_folders; ///< by an imposter's node: where its files are
};

} // namespace wardbench::cli
