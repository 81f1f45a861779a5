#pragma once

#include "base/result.h"
#include "report/summariser.h"
#include "stats/sample.h"

#include <condition_variable>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace wardbench::report {

/// Takes samples from load threads and does the slow part on a thread of its own: writes them to a JTL file, prints
/// JMeter's summary lines. What comes faster than it can be written is dropped beyond a bound, and counted.
class SampleLog final : public SampleSink
{
public:
    struct Settings
    {
        std::string jtl;                                ///< the file; empty: none
        std::function<void(const std::string &)> print; ///< summary lines, on the log's thread; empty: none
        std::string decimalPoint = ".";                 ///< of the lines
        std::size_t most = 1u << 18;                    ///< samples that wait
    };

    explicit SampleLog(Settings settings);
    ~SampleLog() override;

    /// Opens the file and starts the thread. Errors: the file cannot be written.
    Result<void> open();
    void add(Sample &&sample, const UserCounts &users) override;
    void settle() override;
    /// Writes what waits, prints the last lines. Errors: the disk is full, or samples were dropped. Once.
    Result<void> close();

private:
    using Entry = std::pair<Sample, UserCounts>;

    void work();
    void write(const std::vector<Entry> &entries);
    void finish();

    const Settings m_settings;
    std::ofstream m_file;
    std::unique_ptr<Summariser> m_summariser; ///< the log's thread
    std::thread m_thread;

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::vector<Entry> m_waiting;
    std::uint64_t m_dropped = 0;
    std::uint64_t m_startedBefore = 0; ///< users of the repetitions that are over
    std::uint64_t m_started = 0;       ///< of the running one
    bool m_closing = false;
};

} // namespace wardbench::report
