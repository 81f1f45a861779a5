#include "admin/proxyrecorder.h"

#include "admin/liveimposters.h"
#include "mock/recording.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace wardbench::admin {
namespace {

/// The edit that keeps `recording`, made from what the imposter is at this moment; none when its stub is gone.
Result<std::vector<WorkspaceEdit>> editsFor(const Recording &recording, const std::string &group, const Imposter &now,
                                            const json::Path &at)
{
    const auto stub = std::find_if(now.stubs.begin(), now.stubs.end(),
                                   [&recording](const StubPtr &one) { return one->id == recording.stub; });
    if (stub == now.stubs.end())
        return std::vector<WorkspaceEdit>{};
    const auto position = static_cast<std::size_t>(stub - now.stubs.begin());
    const mock::RecordingPlace place =
        mock::placeRecording(now.source["stubs"], position, recording.mode, recording.predicates);
    if (place.how == mock::RecordingPlace::How::Nowhere)
        return std::vector<WorkspaceEdit>{};
    json::Path stubs = at;
    stubs.emplace_back("stubs");
    WorkspaceEdit edit = mock::recordingEdit(stubs, place, recording.predicates, recording.response);
    edit.setGroup(group);
    return std::vector<WorkspaceEdit>{std::move(edit)};
}

} // namespace

class ProxyRecorder::Private
{
public:
    Private() : m_thread([this] { work(); }) {}

    void add(Recording recording, std::function<void()> done)
    {
        {
            const std::lock_guard lock(m_mutex);
            if (!m_ending && !m_paused.contains(recording.imposter)) {
                m_waiting.push_back({std::move(recording), std::move(done)});
                m_changed.notify_one();
                return;
            }
        }
        done();
    }

    void end()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_ending = true;
            m_changed.notify_one();
        }
        m_thread.join();
    }

    void pause(ImposterId imposter)
    {
        const std::lock_guard lock(m_mutex);
        m_paused.insert(imposter);
    }

    void resume(ImposterId imposter)
    {
        const std::lock_guard lock(m_mutex);
        if (m_paused.erase(imposter))
            ++m_sessions;
    }

    void use(LiveImposters *live)
    {
        const std::lock_guard lock(m_using);
        m_live = live;
    }

private:
    struct Waiting
    {
        Recording recording;
        std::function<void()> done;
    };

    void work()
    {
        std::unique_lock lock(m_mutex);
        for (;;) {
            m_changed.wait(lock, [this] { return m_ending || !m_waiting.empty(); });
            if (m_waiting.empty())
                return;
            const Waiting next = std::move(m_waiting.front());
            m_waiting.pop_front();
            const std::string group =
                "recording " + std::to_string(next.recording.imposter) + ' ' + std::to_string(m_sessions);
            lock.unlock();
            keep(next.recording, group);
            next.done();
            lock.lock();
        }
    }

    void keep(const Recording &recording, const std::string &group)
    {
        const std::lock_guard lock(m_using);
        if (!m_live)
            return;
        // A workspace that refuses the edit keeps what it had; the client gets its answer all the same.
        (void)m_live->change(recording.imposter, [&](const Imposter &now, const json::Path &at) {
            return editsFor(recording, group, now, at);
        });
    }

    std::mutex m_mutex; ///< the queue
    std::condition_variable m_changed;
    std::deque<Waiting> m_waiting;
    bool m_ending = false;
    std::set<ImposterId> m_paused;
    std::uint64_t m_sessions = 0; ///< counted at the end of each pause
    std::mutex m_using;           ///< `m_live`, and the edit being made
    LiveImposters *m_live = nullptr;
    std::thread m_thread; ///< last: it uses what stands above
};

ProxyRecorder::ProxyRecorder() : d(std::make_shared<Private>()) {}

ProxyRecorder::~ProxyRecorder()
{
    d->end();
}

Recorder ProxyRecorder::recorder() const
{
    return [state = d](Recording recording, std::function<void()> done) {
        state->add(std::move(recording), std::move(done));
    };
}

void ProxyRecorder::pause(ImposterId imposter)
{
    d->pause(imposter);
}

void ProxyRecorder::resume(ImposterId imposter)
{
    d->resume(imposter);
}

void ProxyRecorder::use(LiveImposters *live)
{
    d->use(live);
}

} // namespace wardbench::admin
