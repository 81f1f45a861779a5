#pragma once

#include "model/imposter.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace wardbench::lint {

/// One thing a stub asks of a request, in a form in which the same demand is the same text.
struct Condition
{
    std::string field; ///< "path", "headers/accept"; empty when `op` is "whole"
    std::string op;    ///< equals, startsWith, ..., or "whole" for a part that is only compared as it stands
    std::string value;
    bool caseSensitive = false;
};

using ConditionId = std::size_t;

/// Numbers conditions, the same for the same demand.
class ConditionTable
{
public:
    static constexpr ConditionId none = static_cast<ConditionId>(-1);

    ConditionId add(const Condition &condition);
    ConditionId find(const Condition &condition) const; ///< or none
    const Condition &at(ConditionId id) const { return m_conditions[id]; }
    std::size_t size() const { return m_conditions.size(); }

private:
    std::vector<Condition> m_conditions;
    std::unordered_map<std::string, ConditionId> m_ids;
};

/// The conditions of a stub, all of which a request has to meet; sorted, each once. None: it takes every request.
std::vector<ConditionId> conditionsOf(const Stub &stub, ConditionTable &table);

/// Does every request that meets `given` meet `wanted`, too? Only where that is certain.
bool implies(const Condition &given, const Condition &wanted);

} // namespace wardbench::lint
