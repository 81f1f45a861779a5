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
    : m_options(std::move(options)), m_out(out), m_err(err), m_service(mockOptions()),
      m_store(&codec::decodeWorkspace, codec::decodeWorkspace(codec::newWorkspace({}), nullptr))
{
    for (const std::string &path : m_options.files)
        m_sources.push_back({path, {}, {}, {}});
}

Serving::~Serving()
{
    m_recorder.use(nullptr);
}

MockOptions Serving::mockOptions() const
{
    MockOptions mock = m_options.mock;
    mock.recorder = m_recorder.recorder();
    return mock;
}

bool Serving::start()
{
    bool fine = true;
    for (Source &source : m_sources) // the issues of all files at once
        fine = load(source) && servable(source, wanted(*source.workspace)) && fine;
    return fine && openAll();
}

/// One workspace of all wanted imposters, started.
bool Serving::openAll()
{
    json::Array all;
    for (const Source &source : m_sources) {
        for (const ImposterPtr &imposter : wanted(*source.workspace)) {
            all.push_back(imposter->source);
            m_folders[imposter->source.node()] = codec::folderOf(source.path);
        }
    }
    if (all.empty() && !m_options.admin) {
        m_err << "error: "
              << (m_options.only.empty() ? "no imposter in these files" : "no imposter has a name that --only asks for")
              << std::endl;
        return false;
    }
    const WorkspacePtr decoded = m_sources.empty() ? nullptr : m_sources.front().workspace;
    m_store.replace(codec::decodeWorkspace(codec::newWorkspace({}).withMember("imposters", std::move(all)), decoded));
    m_live = std::make_unique<admin::LiveImposters>(m_store, m_service,
                                                    admin::LiveOptions{.start = [this](const Imposter &imposter) {
                                                        return startOptions(imposter);
                                                    }});
    m_recorder.use(m_live.get());
    const auto started = m_live->startAll();
    if (!started) {
        m_err << "error: " << started.error().message << std::endl;
        return false;
    }
    std::string ready;
    auto next = started->begin();
    for (Source &source : m_sources) {
        for (std::string &key : keysOf(wanted(*source.workspace))) {
            source.mocks.push_back({std::move(key), next->id});
            ready += readyLine(*next++);
        }
    }
    if (m_options.admin && !openAdmin(ready)) {
        m_service.stopAll();
        return false;
    }
    m_out << ready << std::flush;
    return true;
}

bool Serving::openAdmin(std::string &ready)
{
    m_admin = std::make_unique<admin::AdminServer>(*m_live, *m_options.admin);
    if (const auto opened = m_admin->start(); !opened) {
        m_err << "error: REST API: " << opened.error().message << std::endl;
        return false;
    }
    ready += "admin " + m_admin->url() + '\n';
    return true;
}

void Serving::stop()
{
    if (m_admin)
        m_admin->stop();
    m_service.stopAll();
}

StartOptions Serving::startOptions(const Imposter &imposter) const
{
    StartOptions options;
    options.seed = imposter.seed ? *imposter.seed : QRandomGenerator::system()->generate64();
    options.journal = true;
    options.journalOnDemand = !m_options.journal; // the log wants every request
    const auto folder = m_folders.find(imposter.source.node());
    options.folder = folder == m_folders.end() ? std::string() : folder->second;
    return options;
}

bool Serving::load(Source &source)
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
    source.workspace = loaded->workspace;
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

void Serving::addMock(Source &source, std::string key, const ImposterPtr &imposter, std::string &ready)
{
    m_folders[imposter->source.node()] = codec::folderOf(source.path);
    const auto added = m_live->add("Add imposter of " + shownName(source.path), imposter->source);
    if (!added) {
        m_err << "error: " << added.error().message << std::endl;
        return;
    }
    source.mocks.push_back({std::move(key), added->id});
    for (const ImposterStatus &status : m_service.status()) {
        if (status.id == added->id)
            ready += readyLine(status);
    }
}

Result<void> Serving::updateMock(ImposterId id, const ImposterPtr &imposter)
{
    return m_live->change(id,
                          [&imposter](const Imposter &, const json::Path &at) -> Result<std::vector<WorkspaceEdit>> {
                              return std::vector{WorkspaceEdit::set("Reload imposter", at, imposter->source)};
                          });
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
    if (!load(source)) {
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
    std::vector<ImposterId> gone;
    for (const Mock &mock : source.mocks) { // first, for a port may pass from one mock to another
        if (isGone(mock))
            gone.push_back(mock.id);
    }
    if (const auto done = m_live->remove("Remove imposters that are gone", gone); !done)
        m_err << "error: " << done.error().message << std::endl;
    std::erase_if(source.mocks, isGone);
    std::size_t updated = 0;
    std::string ready;
    for (std::size_t i = 0; i < imposters.size(); ++i) {
        const auto known = std::find_if(source.mocks.begin(), source.mocks.end(),
                                        [&](const Mock &mock) { return mock.key == keys[i]; });
        if (known == source.mocks.end()) {
            addMock(source, keys[i], imposters[i], ready);
        } else if (const auto done = updateMock(known->id, imposters[i]); done) {
            ++updated;
        } else {
            m_err << "error: " << done.error().message << std::endl;
        }
    }
    const auto added = std::count(ready.begin(), ready.end(), '\n');
    m_err << "reloaded " << source.path << ": " << updated << " updated, " << added << " added, " << gone.size()
          << " removed" << std::endl;
    m_out << ready << std::flush;
}

} // namespace wardbench::cli
