#pragma once

#include "base/clock.h"
#include "run/runsession.h"

#include <iosfwd>
#include <string>

namespace wardbench::cli {

/// Tells how far the scenarios are: on a terminal one line that is drawn again and again, else a line per scenario.
class RunProgress
{
public:
    enum class Kind { None, Lines, Bar };

    RunProgress(std::ostream &err, Kind kind, std::size_t scenarios);

    /// The kind that suits standard error.
    static Kind suited(bool quiet, bool standardError);

    /// `expected`: of this scenario; `later`: of those after it.
    void beginScenario(const std::string &name, Nanoseconds expected, Nanoseconds later);
    void show(const RunSnapshot &snapshot);
    void clear(); ///< takes the bar away, before other text

    /// The bar's line without control characters, at most `columns` wide.
    static std::string barLine(double fraction, Nanoseconds left, const std::string &text, std::size_t columns);

private:
    std::ostream &m_err;
    const Kind m_kind;
    const std::size_t m_scenarios;
    std::size_t m_number = 0;
    std::string m_name;
    Nanoseconds m_later{0};
    TimePoint m_begin;
};

} // namespace wardbench::cli
