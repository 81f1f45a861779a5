#include "cli/serving.h"

#include "cli/filecheck.h"
#include "cli/nameglob.h"

#include <QRandomGenerator>

#include <algorithm>
#include <map>
#include <ostream>

namespace wardbench::cli {
namespace {

constexpr const char *standardInput = "-";

std::string shownName(const std::string &path)
{
    return path == standardInput ? "standard input" : path;
}

/// What makes a mock the same one after an edit. Equal ones are told apart by their order.
std::vector<std::string> keysOf(const std::vector<ImposterPtr> &imposters)
{
    std::map<std::string, int> seen;
    std::vector<std::string> keys;
    for (const ImposterPtr &imposter : imposters) {
        const std::string key =
            imposter->name + '\n' + imposter->protocol + '\n' + imposter->host + '\n' + std::to_string(imposter->port);
        keys.push_back(key + '\n' + std::to_string(seen[key]++));
    }
    return keys;
}

std::string readyLine(const ImposterStatus &status)
{
    return "ready " + status.urls.front() + ' ' + status.imposter->displayName() + '\n';
}

} // namespace

Serving::Serving(ServeOptions options, std::ostream &out, std::ostream &err)
    : m_options(std::move(options)), m_out(out), m_err(err), m_service(m_options.mock)
{
    for (const std::string &path : m_options.files)
        m_sources.push_back({path, {}, {}, {}});
}

bool Serving::start()
{
    bool fine = true;
    for (Source &source : m_sources) // the issues of all files at once
        fine = load(source, false) && servable(source, wanted(*source.workspace)) && fine;
    if (!fine)
        return false;
    std::string ready;
    for (Source &source : m_sources) {
        const std::vector<ImposterPtr> imposters = wanted(*source.workspace);
        const std::vector<std::string> keys = keysOf(imposters);
        for (std::size_t i = 0; i < imposters.size(); ++i) {
            if (!startMock(source, keys[i], imposters[i], ready)) {
                m_service.stopAll();
                return false;
            }
        }
    }
    if (ready.empty()) {
        m_err << "error: "
              << (m_options.only.empty() ? "no imposter in these files" : "no imposter has a name that --only asks for")
              << std::endl;
        return false;
    }
    m_out << ready << std::flush;
    return true;
}

bool Serving::load(Source &source, bool again)
{
    source.stamp = source.path == standardInput ? FileStamp{} : codec::stampOf(source.path);
    auto loaded = checkedFile(source.path);
    if (!loaded) {
        m_err << "error: " << loaded.error().message << std::endl;
        return false;
    }
    for (const Issue &issue : loaded->issues)
        m_err << issue.format(shownName(source.path)) << '\n';
    m_err << std::flush;
    if (!loaded->workspace || hasErrors(loaded->issues))
        return false;
    // Decoded once more against what is being served, so that unchanged stubs stay the same stubs.
    source.workspace = again ? codec::decodeWorkspace(loaded->workspace->root, source.workspace) : loaded->workspace;
    return true;
}

std::vector<ImposterPtr> Serving::wanted(const Workspace &workspace) const
{
    std::vector<ImposterPtr> list;
    for (const ImposterPtr &imposter : workspace.imposters) {
        const std::string name = imposter->displayName();
        const auto fits = [&](const std::string &pattern) {
            return fitsGlob(pattern, name);
        };
        if (m_options.only.empty() || std::any_of(m_options.only.begin(), m_options.only.end(), fits))
            list.push_back(imposter);
    }
    return list;
}

bool Serving::servable(const Source &source, const std::vector<ImposterPtr> &imposters) const
{
    bool fine = true;
    for (const ImposterPtr &imposter : imposters) {
        if (imposter->inactive.empty())
            continue;
        m_err << "error: " << shownName(source.path) << ": imposter \"" << imposter->displayName()
              << "\": " << imposter->inactive << std::endl;
        fine = false;
    }
    return fine;
}

bool Serving::startMock(Source &source, std::string key, const ImposterPtr &imposter, std::string &ready)
{
    StartOptions options;
    options.seed = imposter->seed ? *imposter->seed : QRandomGenerator::system()->generate64();
    options.journal = m_options.journal;
    options.folder = codec::folderOf(source.path);
    const auto started = m_service.start(imposter, options);
    if (!started) {
        m_err << "error: " << started.error().message << std::endl;
        return false;
    }
    source.mocks.push_back({std::move(key), started->id});
    ready += readyLine(*started);
    return true;
}

void Serving::reloadChanged()
{
    for (Source &source : m_sources) {
        if (source.path == standardInput)
            continue;
        const FileStamp stamp = codec::stampOf(source.path);
        if (stamp == source.stamp)
            continue;
        if (stamp.exists) {
            reload(source);
        } else {
            source.stamp = stamp;
            m_err << source.path << ": the file is gone; its mocks stay as they are" << std::endl;
        }
    }
}

void Serving::reload(Source &source)
{
    const WorkspacePtr before = source.workspace;
    if (!load(source, true)) {
        m_err << source.path << ": not reloaded; its mocks stay as they are" << std::endl;
        return;
    }
    const std::vector<ImposterPtr> imposters = wanted(*source.workspace);
    if (!servable(source, imposters)) {
        source.workspace = before;
        m_err << source.path << ": not reloaded; its mocks stay as they are" << std::endl;
        return;
    }
    apply(source, imposters);
}

void Serving::apply(Source &source, const std::vector<ImposterPtr> &imposters)
{
    const std::vector<std::string> keys = keysOf(imposters);
    const auto isGone = [&](const Mock &mock) {
        return std::find(keys.begin(), keys.end(), mock.key) == keys.end();
    };
    std::size_t removed = 0;
    for (const Mock &mock : source.mocks) { // first, for a port may pass from one mock to another
        if (isGone(mock)) {
            m_service.stop(mock.id);
            ++removed;
        }
    }
    std::erase_if(source.mocks, isGone);
    std::size_t updated = 0;
    std::string ready;
    for (std::size_t i = 0; i < imposters.size(); ++i) {
        const auto known = std::find_if(source.mocks.begin(), source.mocks.end(),
                                        [&](const Mock &mock) { return mock.key == keys[i]; });
        if (known == source.mocks.end()) {
            startMock(source, keys[i], imposters[i], ready);
        } else if (const auto done = m_service.update(known->id, imposters[i]); done) {
            ++updated;
        } else {
            m_err << "error: " << done.error().message << std::endl;
        }
    }
    const auto added = std::count(ready.begin(), ready.end(), '\n');
    m_err << "reloaded " << source.path << ": " << updated << " updated, " << added << " added, " << removed
          << " removed" << std::endl;
    m_out << ready << std::flush;
}

} // namespace wardbench::cli
