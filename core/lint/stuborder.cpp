#include "lint/stuborder.h"

#include "lint/conditions.h"

#include <algorithm>

namespace wardbench::lint {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
// Bounds that keep a hostile file from taking quadratic time; what lies beyond them is not looked at.
constexpr std::size_t looseConditionsPerField = 32;
constexpr std::size_t mostComparisons = 20'000'000;

class StubOrder
{
public:
    explicit StubOrder(const std::vector<StubPtr> &stubs) : m_stubs(stubs)
    {
        for (const StubPtr &stub : stubs)
            m_sets.push_back(stub->enabled ? conditionsOf(*stub, m_table) : std::vector<ConditionId>());
        m_uses.resize(m_table.size());
        m_earlier.resize(m_table.size());
        m_marks.assign(m_table.size(), none);
        for (std::size_t i = 0; i < stubs.size(); ++i) {
            for (const ConditionId id : m_sets[i])
                ++m_uses[id];
        }
        for (ConditionId id = 0; id < m_table.size(); ++id)
            addLoose(id);
    }

    /// The first earlier stub that takes everything stub `i` would, or none. To be asked in order.
    std::size_t coveredBy(std::size_t i)
    {
        if (m_catchAll != none)
            return m_catchAll;
        const std::vector<ConditionId> known = mark(i);
        std::size_t first = none;
        for (const ConditionId id : known) {
            for (const std::size_t earlier : m_earlier[id]) {
                if (++m_comparisons > mostComparisons)
                    return first;
                if (earlier < first && isCovered(earlier, i))
                    first = earlier;
            }
        }
        if (first == none)
            remember(i);
        return first;
    }

    bool same(std::size_t a, std::size_t b) const { return m_sets[a] == m_sets[b]; }
    bool takesAll(std::size_t i) const { return m_sets[i].empty(); }

private:
    void addLoose(ConditionId id)
    {
        const Condition &condition = m_table.at(id);
        if (condition.op == "equals" || condition.op == "whole")
            return;
        std::vector<ConditionId> &list = m_loose[condition.field];
        if (list.size() < looseConditionsPerField)
            list.push_back(id);
    }

    /// Marks what a request for stub `i` certainly meets, and lists it.
    std::vector<ConditionId> mark(std::size_t i)
    {
        std::vector<ConditionId> known = m_sets[i];
        for (const ConditionId id : m_sets[i]) {
            const Condition condition = m_table.at(id);
            if (condition.op != "equals")
                continue;
            if (condition.caseSensitive) {
                Condition any = condition;
                any.caseSensitive = false;
                for (char &c : any.value)
                    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
                if (const ConditionId found = m_table.find(any); found != ConditionTable::none)
                    known.push_back(found);
            }
            const auto loose = m_loose.find(condition.field);
            if (loose == m_loose.end())
                continue;
            for (const ConditionId wanted : loose->second) {
                if (implies(condition, m_table.at(wanted)))
                    known.push_back(wanted);
            }
        }
        for (const ConditionId id : known)
            m_marks[id] = i;
        return known;
    }

    bool isCovered(std::size_t earlier, std::size_t i) const
    {
        return std::all_of(m_sets[earlier].begin(), m_sets[earlier].end(),
                           [this, i](ConditionId id) { return m_marks[id] == i; });
    }

    /// Under its rarest condition, so that later stubs look at few.
    void remember(std::size_t i)
    {
        if (m_sets[i].empty()) {
            m_catchAll = i;
            return;
        }
        const auto rarest = std::min_element(m_sets[i].begin(), m_sets[i].end(),
                                             [this](ConditionId a, ConditionId b) { return m_uses[a] < m_uses[b]; });
        m_earlier[*rarest].push_back(i);
    }

    const std::vector<StubPtr> &m_stubs;
    ConditionTable m_table;
    std::vector<std::vector<ConditionId>> m_sets;
    std::vector<std::size_t> m_uses;
    std::vector<std::vector<std::size_t>> m_earlier;
    std::vector<std::size_t> m_marks; ///< by condition: the stub it was last marked for
    std::unordered_map<std::string, std::vector<ConditionId>> m_loose; ///< by field
    std::size_t m_catchAll = none;
    std::size_t m_comparisons = 0;
};

} // namespace

std::string stubWords(const std::vector<StubPtr> &stubs, std::size_t index)
{
    const std::string &name = stubs[index]->name;
    return "stub " + std::to_string(index + 1) + (name.empty() ? std::string() : " \"" + name + "\"");
}

void checkStubOrder(const std::vector<StubPtr> &stubs, const std::string &pointer, Issues &issues)
{
    StubOrder order(stubs);
    for (std::size_t i = 0; i < stubs.size(); ++i) {
        if (!stubs[i]->enabled)
            continue;
        const std::size_t earlier = order.coveredBy(i);
        if (earlier == none)
            continue;
        const std::string other = stubWords(stubs, earlier);
        std::string message = "never answers: " + other + " before it takes every request that this one would";
        if (order.takesAll(earlier))
            message = "never answers: " + other + " before it has no predicates and takes every request";
        else if (order.same(earlier, i))
            message = "never answers: " + other + " before it has the same predicates";
        issues.push_back({Issue::Severity::Warning, json::childPointer(pointer, i), std::move(message), {}});
    }
}

} // namespace wardbench::lint
