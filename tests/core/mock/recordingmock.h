#pragma once

#include "mock/recording.h"
#include "mockfixture.h"
#include "json/parser.h"

#include <memory>
#include <mutex>

namespace wardbench::test {

/// A mock that keeps what its proxies record in its own stubs, as the owner of a workspace does. Scripts may run.
class RecordingMock
{
public:
    /// `imposter`: its JSON.
    explicit RecordingMock(const std::string &imposter) : m_source(std::get<json::Value>(json::parse(imposter)))
    {
        MockOptions options = withScripts();
        options.recorder = [this](Recording recording, std::function<void()> done) {
            keep(recording);
            done();
        };
        m_mock = std::make_unique<RunningMock>(decoded(), StartOptions{}, options);
    }

    std::uint16_t port() const { return m_mock->port; }
    std::vector<JournalEntryPtr> journal() const { return m_mock->journal(); }
    json::Value stubs() const
    {
        const std::lock_guard lock(m_mutex);
        return m_source["stubs"];
    }

private:
    ImposterPtr decoded()
    {
        const json::Value root(json::Members{{"imposters", json::Value(json::Array{m_source})}});
        m_workspace = codec::decodeWorkspace(root, m_workspace);
        return m_workspace->imposters.front();
    }

    void keep(const Recording &recording)
    {
        const std::lock_guard lock(m_mutex);
        const auto &stubs = m_workspace->imposters.front()->stubs;
        std::size_t position = 0;
        while (position < stubs.size() && stubs[position]->id != recording.stub)
            ++position;
        const mock::RecordingPlace place =
            mock::placeRecording(m_source["stubs"], position, recording.mode, recording.predicates);
        const auto applied =
            mock::recordingEdit(json::Path{"stubs"}, place, recording.predicates, recording.response).apply(m_source);
        if (!applied)
            qFatal("%s", applied.error().message.c_str());
        m_source = applied->root;
        const auto updated = m_mock->service.update(m_mock->id, decoded());
        if (!updated)
            qFatal("%s", updated.error().message.c_str());
    }

    mutable std::mutex m_mutex;
    json::Value m_source;
    WorkspacePtr m_workspace;
    std::unique_ptr<RunningMock> m_mock;
};

} // namespace wardbench::test
