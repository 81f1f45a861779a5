#include "match/explanation.h"

#include <algorithm>

namespace wardbench {
namespace {

using Kind = ConditionResult::Kind;
using Conditions = std::vector<ConditionResult>;

/// Past the last condition below the one at `at`.
std::size_t endOf(const Conditions &all, std::size_t at)
{
    std::size_t end = at + 1;
    while (end < all.size() && all[end].depth > all[at].depth)
        ++end;
    return end;
}

/// Joins sentences, each value that came once.
void add(FailedCondition &into, const FailedCondition &more, const char *between)
{
    into.expected += (into.expected.empty() ? "" : between) + more.expected;
    if (!more.got.empty() && into.got.find(more.got) == std::string::npos)
        into.got += (into.got.empty() ? "" : ", ") + more.got;
}

/// Why the condition at `at` holds, or does not: what there is to say of those below it that are the reason.
FailedCondition reason(const Conditions &all, std::size_t at)
{
    const ConditionResult &condition = all[at];
    FailedCondition sum;
    const bool negates = condition.kind == Kind::Not;
    for (std::size_t child = at + 1; child < endOf(all, at); child = endOf(all, child)) {
        if (all[child].holds != (condition.holds != negates))
            continue;
        add(sum, reason(all, child), condition.kind == Kind::Any ? " or " : " and ");
        if (condition.kind == Kind::All && !condition.holds)
            break; // one is enough
    }
    if (sum.expected.empty()) // a field, or nothing below
        return {condition.condition, condition.got};
    if (negates)
        sum.expected = "not (" + sum.expected + ')';
    return sum;
}

} // namespace

std::optional<FailedCondition> firstFailure(const StubExplanation &stub)
{
    for (std::size_t i = 0; i < stub.conditions.size(); i = endOf(stub.conditions, i)) {
        if (!stub.conditions[i].holds)
            return reason(stub.conditions, i);
    }
    return std::nullopt;
}

} // namespace wardbench
