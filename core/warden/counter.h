#pragma once

#include "base/clock.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace wardbench {

/// An event of a module in a slice of time: when the first one was, and how many there were.
struct EventMark
{
    TimePoint at;
    std::uint64_t count = 1;
};

/// When a module did something that is rare enough to be marked in a chart: retry "retries", breaker "opened".
struct ModuleEvents
{
    std::string module;
    std::string event; ///< the counter's name
    std::vector<EventMark> marks;
};

namespace warden {

/// One thing that a module counts. What is noted with its time is an event besides.
class Counter
{
public:
    static constexpr Nanoseconds slice = std::chrono::milliseconds(100); ///< events of one slice share a mark

    explicit Counter(std::string name) : m_name(std::move(name)) {}
    Counter(const Counter &) = delete;
    Counter &operator=(const Counter &) = delete;

    void operator++() { ++m_count; }
    void operator--() { --m_count; }
    void operator+=(std::uint64_t more) { m_count += more; }
    void note(TimePoint at)
    {
        ++m_count;
        if (!m_marks.empty() && at - m_marks.back().at < slice)
            ++m_marks.back().count;
        else
            m_marks.push_back({at, 1});
    }
    void reset()
    {
        m_count = 0;
        m_marks.clear();
    }

    const std::string &name() const { return m_name; }
    std::uint64_t count() const { return m_count; }
    const std::vector<EventMark> &marks() const { return m_marks; }

private:
    std::string m_name;
    std::uint64_t m_count = 0;
    std::vector<EventMark> m_marks;
};

} // namespace warden
} // namespace wardbench
