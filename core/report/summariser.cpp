#include "report/summariser.h"

#include "report/format.h"

#include <algorithm>
#include <cstdio>

namespace wardbench::report {
namespace {

constexpr std::int64_t window_s = 5; // JMeter's: lines are due so long after an interval's beginning

/// Java's DecimalFormat rounds halves to the even digit, as the C library does.
std::string decimal(double value, int places, const std::string &point)
{
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", places, value);
    std::string out = text;
    if (const std::size_t at = out.find_first_of(".,"); at != std::string::npos)
        out.replace(at, 1, point);
    return out;
}

std::string clockText(std::int64_t milliseconds)
{
    const std::int64_t seconds = (milliseconds + 500) / 1000;
    char text[64];
    std::snprintf(text, sizeof text, "%02lld:%02lld:%02lld", static_cast<long long>(seconds / 3600),
                  static_cast<long long>(seconds / 60 % 60), static_cast<long long>(seconds % 60));
    return text;
}

} // namespace

void SummaryFigures::add(std::int64_t elapsed_ms, bool success)
{
    ++count;
    errors += success ? 0 : 1;
    sum_ms += elapsed_ms;
    min_ms = std::min(min_ms, elapsed_ms);
    max_ms = std::max(max_ms, elapsed_ms);
}

void SummaryFigures::add(const SummaryFigures &other)
{
    count += other.count;
    errors += other.errors;
    sum_ms += other.sum_ms;
    min_ms = std::min(min_ms, other.min_ms);
    max_ms = std::max(max_ms, other.max_ms);
}

Summariser::Summariser(std::string name, std::int64_t begin_ms, std::string decimalPoint, std::int64_t interval_s)
    : m_name(std::move(name)), m_point(std::move(decimalPoint)), m_interval_s(interval_s)
{
    m_delta.begin_ms = m_delta.end_ms = m_total.begin_ms = m_total.end_ms = begin_ms;
}

std::string Summariser::line(const std::string &name, const SummaryFigures &figures, const UserCounts *users,
                             const std::string &decimalPoint)
{
    const std::int64_t elapsed = std::max<std::int64_t>(0, figures.end_ms - figures.begin_ms);
    const auto count = static_cast<double>(figures.count);
    const auto number = [](std::int64_t value, std::size_t columns) {
        return padLeft(std::to_string(value), columns);
    };
    const bool any = figures.count > 0;
    std::string out = name + (users ? " + " : " = ") + number(static_cast<std::int64_t>(figures.count), 6) + " in " +
                      clockText(elapsed) + " = ";
    out += elapsed == 0 ? std::string("******")
                        : padLeft(decimal(count / static_cast<double>(elapsed) * 1000, 1, decimalPoint), 6);
    out += "/s Avg: " + number(any ? figures.sum_ms / static_cast<std::int64_t>(figures.count) : 0, 5);
    // JMeter prints the ends of its number range for none; nobody can use those.
    out += " Min: " + number(any ? figures.min_ms : 0, 5) + " Max: " + number(figures.max_ms, 5);
    out += " Err: " + number(static_cast<std::int64_t>(figures.errors), 5);
    const double share = any ? static_cast<double>(figures.errors) / count : 0;
    out += " (" + decimal(share * 100, 2, decimalPoint) + "%)";
    if (users)
        out += " Active: " + std::to_string(users->active) + " Started: " + std::to_string(users->started) +
               " Finished: " + std::to_string(users->finished);
    return out;
}

std::string Summariser::close(std::int64_t now_ms, const UserCounts &users)
{
    std::string lines = line(m_name, m_delta, &users, m_point) + '\n';
    m_total.add(m_delta);
    m_total.end_ms = now_ms;
    const bool isFirst = m_total.count == m_delta.count;
    m_delta = SummaryFigures();
    m_delta.begin_ms = m_delta.end_ms = now_ms;
    return isFirst ? lines : lines + line(m_name, m_total, nullptr, m_point) + '\n';
}

std::string Summariser::sample(std::int64_t now_ms, std::int64_t elapsed_ms, bool success, const UserCounts &users)
{
    m_delta.add(elapsed_ms, success);
    m_delta.end_ms = now_ms;
    const std::int64_t now_s = now_ms / 1000;
    if (now_s <= m_last_s + window_s || now_s % m_interval_s > window_s)
        return {};
    m_last_s = now_s;
    return close(now_ms, users);
}

std::string Summariser::finish(std::int64_t now_ms, const UserCounts &users)
{
    std::string lines;
    const bool reported = m_total.count > 0;
    if (m_delta.count > 0 && reported) {
        m_delta.end_ms = now_ms;
        lines = line(m_name, m_delta, &users, m_point) + '\n';
    }
    m_total.add(m_delta);
    m_total.end_ms = now_ms;
    m_delta = SummaryFigures();
    return lines + line(m_name, m_total, nullptr, m_point) + '\n';
}

} // namespace wardbench::report
