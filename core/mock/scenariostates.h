#pragma once

#include "match/scripthost.h"
#include "model/imposter.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace wardbench::mock {

/// The states of a running imposter's scenarios (WireMock's terms). A match and the change it brings are one step: take
/// `lock` around both.
class ScenarioStates
{
public:
    std::unique_lock<std::mutex> lock() { return std::unique_lock(m_mutex); }

    // Under the lock.
    bool allows(const Stub &stub) const;
    void advance(const Stub &stub);

    void reset(); ///< every scenario back to its first state
    std::map<std::string, std::string> current() const;

private:
    mutable std::mutex m_mutex;
    std::map<std::string, std::string, std::less<>> m_states; ///< those that left their first state
};

/// The stubs that the states let answer.
class StateGate final : public StubGate
{
public:
    StateGate(const ScenarioStates &states, const std::vector<StubPtr> &stubs) : m_states(states), m_stubs(stubs) {}
    bool isOpen(std::size_t position) const override { return m_states.allows(*m_stubs[position]); }

private:
    const ScenarioStates &m_states;
    const std::vector<StubPtr> &m_stubs;
};

} // namespace wardbench::mock
