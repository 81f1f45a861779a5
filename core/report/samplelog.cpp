#include "report/samplelog.h"

#include "report/jtl.h"
#include "report/text.h"

#include <cerrno>
#include <chrono>
#include <cstring>

namespace wardbench::report {
namespace {

constexpr std::size_t enough = 256; // samples that are worth waking up for
constexpr auto patience = std::chrono::milliseconds(100);

std::int64_t wallClock_ms()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

} // namespace

SampleLog::SampleLog(Settings settings) : m_settings(std::move(settings)) {}

SampleLog::~SampleLog()
{
    if (m_thread.joinable())
        static_cast<void>(close());
}

Result<void> SampleLog::open()
{
    if (!m_settings.jtl.empty()) {
        m_file.open(m_settings.jtl, std::ios::binary | std::ios::trunc);
        if (!m_file)
            return fail(m_settings.jtl + ": cannot be written: " + std::strerror(errno));
        m_file << jtlHeader();
    }
    if (m_settings.print)
        m_summariser = std::make_unique<Summariser>("summary", wallClock_ms(), m_settings.decimalPoint);
    m_thread = std::thread([this] { work(); });
    return {};
}

void SampleLog::add(Sample &&sample, const UserCounts &users)
{
    std::size_t waiting = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (m_waiting.size() >= m_settings.most) {
            ++m_dropped;
            return;
        }
        m_started = users.started;
        m_waiting.emplace_back(std::move(sample), UserCounts{users.active, m_startedBefore + users.started,
                                                             m_startedBefore + users.finished});
        waiting = m_waiting.size();
    }
    if (waiting == enough)
        m_wake.notify_one();
}

void SampleLog::settle()
{
    const std::lock_guard lock(m_mutex);
    m_startedBefore += std::exchange(m_started, 0);
}

void SampleLog::work()
{
    std::vector<Entry> taken;
    for (bool last = false; !last;) {
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait_for(lock, patience, [this] { return m_closing || m_waiting.size() >= enough; });
            taken.swap(m_waiting);
            last = m_closing;
        }
        write(taken);
        taken.clear();
    }
    finish();
}

void SampleLog::write(const std::vector<Entry> &entries)
{
    for (const auto &[sample, users] : entries) {
        if (m_file.is_open())
            m_file << jtlLine(sample);
        if (!m_summariser)
            continue;
        const std::string lines =
            m_summariser->sample(sample.start_ms + sample.elapsed_ms, sample.elapsed_ms, sample.success, users);
        if (!lines.empty())
            m_settings.print(lines);
    }
}

void SampleLog::finish()
{
    settle();
    if (m_summariser)
        m_settings.print(m_summariser->finish(wallClock_ms(), {0, m_startedBefore, m_startedBefore}));
    if (m_file.is_open())
        m_file.flush();
}

Result<void> SampleLog::close()
{
    {
        const std::lock_guard lock(m_mutex);
        m_closing = true;
    }
    m_wake.notify_one();
    if (m_thread.joinable())
        m_thread.join();
    if (m_file.is_open() && !m_file)
        return fail(m_settings.jtl + ": could not be written as a whole");
    if (m_dropped > 0)
        return fail(grouped(m_dropped) + " samples came faster than they could be written and are missing");
    return {};
}

} // namespace wardbench::report
