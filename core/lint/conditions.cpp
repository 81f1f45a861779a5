#include "lint/conditions.h"

#include "match/jspattern.h"
#include "json/writer.h"

#include <algorithm>

namespace wardbench::lint {
namespace {

using Operator = Predicate::Operator;

std::string lowered(std::string_view text)
{
    std::string result(text);
    for (char &c : result)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return result;
}

bool isAscii(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string keyOf(const Condition &condition)
{
    // A unit separator cannot stand in our own parts, and a length tells user text from what follows.
    return condition.op + '\x1f' + std::to_string(condition.field.size()) + '\x1f' + condition.field +
           (condition.caseSensitive ? "\x1fS" : "\x1fI") + condition.value;
}

std::string selectorText(const Selector &selector)
{
    std::string text = std::to_string(static_cast<int>(selector.kind)) + json::quoted(selector.path);
    for (const auto &[alias, uri] : selector.namespaces)
        text += json::quoted(alias) + json::quoted(uri);
    return text;
}

/// Everything that makes a predicate what it is.
std::string wholeText(const Predicate &predicate)
{
    std::string text = predicate.operatorName + (predicate.caseSensitive ? "+" : "-") +
                       (predicate.keyCaseSensitive ? "+" : "-") + json::quoted(predicate.except) +
                       selectorText(predicate.selector) + json::writeCompact(predicate.expected) +
                       json::quoted(predicate.script);
    for (const Predicate &child : predicate.children)
        text += "(" + wholeText(child) + ")";
    return text;
}

class Collector
{
public:
    explicit Collector(ConditionTable &table) : m_table(table) {}

    void add(const Predicate &predicate)
    {
        switch (predicate.op) {
        case Operator::And:
            for (const Predicate &child : predicate.children)
                add(child);
            return;
        case Operator::Equals:
        case Operator::DeepEquals:
        case Operator::Contains:
        case Operator::StartsWith:
        case Operator::EndsWith:
        case Operator::Matches:
        case Operator::Exists:
            if (!predicate.except.empty() || predicate.selector.kind != Selector::Kind::None)
                break;
            addFields(predicate);
            return;
        default:
            break;
        }
        whole(wholeText(predicate));
    }

    std::vector<ConditionId> take()
    {
        std::sort(m_ids.begin(), m_ids.end());
        m_ids.erase(std::unique(m_ids.begin(), m_ids.end()), m_ids.end());
        return std::move(m_ids);
    }

private:
    void whole(std::string text) { m_ids.push_back(m_table.add({"", "whole", std::move(text), true})); }

    void addFields(const Predicate &predicate)
    {
        for (const json::Member &member : predicate.expected.members()) {
            const std::string field = predicate.keyCaseSensitive ? member.first : lowered(member.first);
            // These are maps of texts, so each of their names is a demand of its own. A body may be an array, of which
            // one element has to meet all demands together.
            const bool map = field == "query" || field == "headers" || field == "form";
            const bool exact = predicate.op == Operator::DeepEquals;
            if (map && member.second.isObject() && member.second.size() > 0 && !exact) {
                for (const json::Member &inner : member.second.members()) {
                    const std::string name =
                        predicate.keyCaseSensitive ? "=" + inner.first : "~" + lowered(inner.first);
                    addOne(predicate, field + "/" + name, inner.second);
                }
            } else {
                addOne(predicate, field, member.second);
            }
        }
    }

    void addOne(const Predicate &predicate, const std::string &field, const json::Value &value)
    {
        Condition condition{field, predicate.operatorName, {}, predicate.caseSensitive};
        const bool text = value.isString() || value.isNumber();
        if (!text && !(value.isBool() && predicate.op == Operator::Exists)) {
            whole(predicate.operatorName + (predicate.caseSensitive ? "+" : "-") +
                  (predicate.keyCaseSensitive ? "+" : "-") + json::quoted(field) + json::writeCompact(value));
            return;
        }
        condition.value = text ? value.text() : value.toBool() ? "true" : "false";
        if (predicate.op == Operator::DeepEquals && field.find('/') == std::string::npos && !condition.value.empty())
            condition.op = "equals"; // the same for one text
        if (predicate.op == Operator::Exists)
            condition.caseSensitive = false;
        if (!condition.caseSensitive && predicate.op != Operator::Matches)
            condition.value = lowered(condition.value);
        m_ids.push_back(m_table.add(condition));
    }

    ConditionTable &m_table;
    std::vector<ConditionId> m_ids;
};

} // namespace

ConditionId ConditionTable::add(const Condition &condition)
{
    const auto [entry, isNew] = m_ids.try_emplace(keyOf(condition), m_conditions.size());
    if (isNew)
        m_conditions.push_back(condition);
    return entry->second;
}

ConditionId ConditionTable::find(const Condition &condition) const
{
    const auto found = m_ids.find(keyOf(condition));
    return found == m_ids.end() ? none : found->second;
}

std::vector<ConditionId> conditionsOf(const Stub &stub, ConditionTable &table)
{
    Collector collector(table);
    for (const Predicate &predicate : stub.predicates)
        collector.add(predicate);
    return collector.take();
}

bool implies(const Condition &given, const Condition &wanted)
{
    if (given.op != "equals" || given.field != wanted.field || given.value.empty())
        return false;
    if (wanted.op == "exists")
        return wanted.value == "true";
    // Without regard to case `given` allows more spellings than a demand with regard to case takes.
    if (wanted.caseSensitive && !given.caseSensitive)
        return false;
    if (wanted.op == "matches") {
        if (!isAscii(given.value))
            return false;
        const auto pattern = JsPattern::parse(wanted.value, wanted.caseSensitive ? "" : "i");
        return pattern && pattern->matches(given.value);
    }
    const std::string value = wanted.caseSensitive ? given.value : lowered(given.value);
    if (wanted.op == "equals")
        return value == wanted.value;
    if (wanted.op == "startsWith")
        return value.compare(0, wanted.value.size(), wanted.value) == 0;
    if (wanted.op == "endsWith")
        return value.size() >= wanted.value.size() &&
               value.compare(value.size() - wanted.value.size(), wanted.value.size(), wanted.value) == 0;
    return wanted.op == "contains" && value.find(wanted.value) != std::string::npos;
}

} // namespace wardbench::lint
