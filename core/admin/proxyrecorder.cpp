#include "admin/proxyrecorder.h"

#include "admin/liveimposters.h"
#include "mock/recording.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace wardbench::admin {
namespace {

/// The edit that keeps `recording`, made from what the imposter is at this moment; none when its stub is gone.
Result<std::vector<WorkspaceEdit>> editsFor(const Recording &recording, const Imposter &now, const json::Path &at)
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
    return std::vector<WorkspaceEdit>{mock::recordingEdit(stubs, place, recording.predicates, recording.response)};
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
            if (!m_ending) {
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
            lock.unlock();
            keep(next.recording);
            next.done();
            lock.lock();
        }
    }

    void keep(const Recording &recording)
    {
        const std::lock_guard lock(m_using);
        if (!m_live)
            return;
        // A workspace that refuses the edit keeps what it had; the client gets its answer all the same.
        (void)m_live->change(recording.imposter, [&recording](const Imposter &now, const json::Path &at) {
            return editsFor(recording, now, at);
        });
    }

    std::mutex m_mutex; ///< the queue
    std::condition_variable m_changed;
    std::deque<Waiting> m_waiting;
    bool m_ending = false;
    std::mutex m_using; ///< `m_live`, and the edit being made
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

void ProxyRecorder::use(LiveImposters *live)
{
    d->use(live);
}

} // namespace wardbench::admin
