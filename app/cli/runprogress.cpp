#include "cli/runprogress.h"

#include "base/duration.h"
#include "report/format.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace wardbench::cli {
namespace {

constexpr int barWidth = 24;

std::size_t terminalColumns()
{
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

std::string timeLeft(Nanoseconds left)
{
    const auto seconds = std::chrono::duration_cast<std::chrono::duration<double>>(left).count();
    if (seconds < 10)
        return report::fixedPoint(std::max(0.0, seconds), 1) + " s";
    return displayDuration(std::chrono::ceil<std::chrono::seconds>(left));
}

} // namespace

RunProgress::RunProgress(std::ostream &err, Kind kind, std::size_t scenarios)
    : m_err(err), m_kind(kind), m_scenarios(scenarios), m_begin(SteadyClock::instance().now())
{
}

RunProgress::Kind RunProgress::suited(bool quiet, bool standardError)
{
    if (quiet)
        return Kind::None;
    return standardError && isatty(STDERR_FILENO) ? Kind::Bar : Kind::Lines;
}

void RunProgress::beginScenario(const std::string &name, Nanoseconds expected, Nanoseconds later)
{
    ++m_number;
    m_name = name;
    m_later = later;
    if (m_kind == Kind::Lines)
        m_err << m_number << " of " << m_scenarios << ": " << name << ", about "
              << displayDuration(std::chrono::ceil<std::chrono::seconds>(expected)) << std::endl;
}

std::string RunProgress::barLine(double fraction, Nanoseconds left, const std::string &text, std::size_t columns)
{
    const int done = static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * barWidth));
    std::string bar(static_cast<std::size_t>(done), '=');
    if (done < barWidth)
        bar += '>';
    bar.resize(barWidth, '-');
    const auto percent = std::to_string(static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 100));
    return report::shortened(
        "[" + bar + "] " + report::padLeft(percent, 3) + " %  " + timeLeft(left) + " left  " + text, columns);
}

void RunProgress::show(const RunSnapshot &snapshot)
{
    if (m_kind != Kind::Bar)
        return;
    const Nanoseconds left = snapshot.remaining + m_later;
    const Nanoseconds spent = SteadyClock::instance().now() - m_begin;
    const double whole = static_cast<double>((spent + left).count());
    const double fraction = whole > 0 ? static_cast<double>(spent.count()) / whole : 0;
    const std::string text = m_name + ": " + snapshot.phase;
    m_err << '\r' << barLine(fraction, left, text, terminalColumns() - 1) << "\x1b[K" << std::flush;
}

void RunProgress::clear()
{
    if (m_kind == Kind::Bar)
        m_err << "\r\x1b[K" << std::flush;
}

} // namespace wardbench::cli
