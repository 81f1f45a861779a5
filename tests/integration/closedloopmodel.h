#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace wardbench::test {

/// A closed loop on paper: users, one server that takes `latency_ms` for everything, and one module in front of it.
/// Written from the modules' descriptions alone, as an oracle for what the program counts.
class ClosedLoopModel
{
public:
    enum class Module { None, Holder, Cache };

    struct Outcome
    {
        std::uint64_t warmupHits = 0, measuredHits = 0;
        double measured_ms = 0;
    };

    ClosedLoopModel(Module module, double latency_ms, std::function<std::string(std::uint64_t)> keyOf)
        : m_module(module), m_latency(latency_ms), m_keyOf(std::move(keyOf))
    {
    }

    Outcome run(int users, std::uint64_t warmup, std::uint64_t measured)
    {
        Outcome outcome;
        phase(users, warmup);
        outcome.warmupHits = m_hits;
        const double begin = m_now;
        phase(users, measured);
        outcome.measuredHits = m_hits;
        outcome.measured_ms = m_now - begin;
        return outcome;
    }

private:
    struct Event
    {
        double time;
        std::uint64_t order;
        std::string key;
        std::uint64_t users; ///< that end with it; 0: those who wait for the flight of `key`
        bool operator>(const Event &other) const { return std::tie(time, order) > std::tie(other.time, other.order); }
    };

    void phase(int users, std::uint64_t iterations)
    {
        m_hits = 0;
        m_left = iterations;
        for (int i = 0; i < users; ++i)
            startOne();
        while (!m_events.empty()) {
            const Event event = m_events.top();
            m_events.pop();
            m_now = event.time;
            std::uint64_t ended = event.users;
            if (m_module == Module::Holder) {
                ended = m_flights[event.key];
                m_flights.erase(event.key);
            }
            if (m_module == Module::Cache)
                m_stored.insert(event.key);
            for (std::uint64_t i = 0; i < ended; ++i)
                startOne();
        }
    }

    void startOne()
    {
        if (m_left == 0)
            return;
        --m_left;
        const std::string key = m_keyOf(m_k++);
        if (m_module == Module::Holder && m_flights.contains(key)) {
            ++m_flights[key];
            return;
        }
        const bool hit = m_module == Module::Cache && m_stored.contains(key);
        if (m_module == Module::Holder)
            m_flights[key] = 1;
        if (!hit)
            ++m_hits;
        m_events.push({hit ? m_now : m_now + m_latency, m_order++, key, 1});
    }

    const Module m_module;
    const double m_latency;
    const std::function<std::string(std::uint64_t)> m_keyOf;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> m_events;
    std::map<std::string, std::uint64_t> m_flights; ///< key in flight: users waiting for it
    std::set<std::string> m_stored;
    std::uint64_t m_k = 0, m_left = 0, m_hits = 0, m_order = 0;
    double m_now = 0;
};

} // namespace wardbench::test
