#include "cli/samplestream.h"

#include <ostream>
#include <utility>

namespace wardbench::cli {

SampleStream::SampleStream(const RunOptions &options, std::ostream &out) : m_out(out)
{
    if (options.jtl.empty() && !options.summaryLines)
        return;
    report::SampleLog::Settings settings;
    settings.jtl = options.jtl;
    settings.decimalPoint = options.decimalPoint;
    if (options.summaryLines) {
        settings.print = [this](const std::string &lines) {
            const std::lock_guard lock(m_mutex);
            m_lines += lines;
        };
    }
    m_log = std::make_unique<report::SampleLog>(std::move(settings));
}

Result<void> SampleStream::open()
{
    return m_log ? m_log->open() : Result<void>();
}

void SampleStream::show()
{
    std::string lines;
    {
        const std::lock_guard lock(m_mutex);
        lines.swap(m_lines);
    }
    if (!lines.empty())
        m_out << lines << std::flush;
}

Result<void> SampleStream::close()
{
    const Result<void> closed = m_log ? m_log->close() : Result<void>();
    show();
    return closed;
}

} // namespace wardbench::cli
