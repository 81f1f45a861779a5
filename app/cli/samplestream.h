#pragma once

#include "cli/runoptions.h"
#include "report/samplelog.h"

#include <iosfwd>
#include <memory>
#include <mutex>
#include <string>

namespace wardbench::cli {

/// The requests of a `wardbench run` one by one: to a JTL file, and as JMeter's summary lines on standard output. Does
/// nothing when neither was asked for.
class SampleStream
{
public:
    SampleStream(const RunOptions &options, std::ostream &out);

    Result<void> open();
    SampleSink *sink() { return m_log.get(); } ///< null: nobody asked
    void show();                               ///< prints the lines that came since the last call
    Result<void> close();                      ///< everything is written; the last lines are printed

private:
    std::ostream &m_out;
    std::mutex m_mutex;
    std::string m_lines; ///< from the log's thread
    std::unique_ptr<report::SampleLog> m_log;
};

} // namespace wardbench::cli
