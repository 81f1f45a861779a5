#include "admin/imposterupdates.h"

namespace wardbench::admin {

ImposterUpdates::ImposterUpdates(MockService &service, Done done) : m_service(service), m_done(std::move(done)) {}

ImposterUpdates::~ImposterUpdates()
{
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
        m_changed.notify_one();
    }
    if (m_thread.joinable())
        m_thread.join();
}

Result<void> ImposterUpdates::now(ImposterId id, const ImposterPtr &imposter)
{
    const std::lock_guard working(m_working);
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.erase(id);
    }
    return m_service.update(id, imposter);
}

void ImposterUpdates::later(ImposterId id, const ImposterPtr &imposter)
{
    const std::lock_guard lock(m_mutex);
    m_waiting[id] = imposter;
    if (!m_thread.joinable())
        m_thread = std::thread([this] { work(); });
    m_changed.notify_one();
}

void ImposterUpdates::work()
{
    for (;;) {
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_ending || !m_waiting.empty(); });
            if (m_ending)
                return;
        }
        const std::lock_guard working(m_working);
        std::unique_lock lock(m_mutex);
        if (m_waiting.empty())
            continue;
        const auto [id, imposter] = *m_waiting.begin();
        m_waiting.erase(m_waiting.begin());
        lock.unlock();
        const Result<void> result = m_service.update(id, imposter);
        m_done(id, result); // before the next one is made
    }
}

} // namespace wardbench::admin
