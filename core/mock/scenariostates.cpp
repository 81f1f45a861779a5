#include "mock/scenariostates.h"

namespace wardbench::mock {

bool ScenarioStates::allows(const Stub &stub) const
{
    if (stub.requiredState.empty())
        return true;
    const auto found = m_states.find(stub.scenario);
    return found == m_states.end() ? stub.requiredState == firstState : stub.requiredState == found->second;
}

void ScenarioStates::advance(const Stub &stub)
{
    if (!stub.newState.empty())
        m_states[stub.scenario] = stub.newState;
}

void ScenarioStates::reset()
{
    const std::lock_guard lock(m_mutex);
    m_states.clear();
}

std::map<std::string, std::string> ScenarioStates::current() const
{
    const std::lock_guard lock(m_mutex);
    return {m_states.begin(), m_states.end()};
}

} // namespace wardbench::mock
