#pragma once

#include "mock/mockservice.h"

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace wardbench::admin {

/// Gives running imposters their new form: at once, or a moment later on a thread of its own, where of several that
/// wait for the same imposter only the last one counts. One at a time, in order. Thread-safe.
class ImposterUpdates
{
public:
    /// Told how a later one went, on that thread.
    using Done = std::function<void(ImposterId id, const Result<void> &result)>;

    ImposterUpdates(MockService &service, Done done);
    ~ImposterUpdates(); ///< those that wait are given up
    ImposterUpdates(const ImposterUpdates &) = delete;
    ImposterUpdates &operator=(const ImposterUpdates &) = delete;

    Result<void> now(ImposterId id, const ImposterPtr &imposter);
    void later(ImposterId id, const ImposterPtr &imposter);

private:
    void work();

    MockService &m_service;
    const Done m_done;
    std::mutex m_working; ///< held through an update; before `m_mutex`
    std::mutex m_mutex;   ///< what follows
    std::condition_variable m_changed;
    std::map<ImposterId, ImposterPtr> m_waiting;
    bool m_ending = false;
    std::thread m_thread; ///< from the first later one on
};

} // namespace wardbench::admin
