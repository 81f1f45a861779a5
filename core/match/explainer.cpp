#include "match/explainer.h"

#include "match/jsvalue.h"
#include "match/text.h"
#include "json/writer.h"

#include <algorithm>

namespace wardbench {

namespace {

using Operator = Predicate::Operator;

// A person reads the first few; an imposter may have thousands.
constexpr std::size_t mostStubs = 50;
constexpr std::size_t longestValue = 120;
constexpr std::size_t longestLabel = 60;

std::string shownValue(const json::Value &value, std::size_t characters)
{
    if (value.isString())
        return value.text().empty() ? "\"\"" : shortened(value.text(), characters);
    return shortened(json::writeCompact(value), characters);
}

std::string signOf(Operator op)
{
    switch (op) {
    case Operator::Equals:
    case Operator::DeepEquals:
        return "=";
    case Operator::Contains:
        return "*=";
    case Operator::StartsWith:
        return "^=";
    case Operator::EndsWith:
        return "$=";
    case Operator::Matches:
        return "~";
    default:
        return std::string(operatorName(op));
    }
}

/// Evaluates a stub condition by condition, with or without putting it into words.
class Walker
{
public:
    Walker(RequestView &request, StubExplanation &into, bool words) : m_request(request), m_into(into), m_words(words)
    {
    }

    void stub(const CompiledStub &stub)
    {
        for (const CompiledPredicate &predicate : stub.predicates)
            this->predicate(predicate, 0);
    }

private:
    void record(bool holds, int depth, const auto &condition, const auto &got)
    {
        if (depth == 0) {
            ++m_into.total;
            m_into.holding += holds ? 1 : 0;
        }
        if (m_words)
            m_into.conditions.push_back({holds, condition(), got(), depth});
    }

    void predicate(const CompiledPredicate &predicate, int depth)
    {
        if (predicate.op != Operator::Not && predicate.op != Operator::Or && predicate.op != Operator::And) {
            leaf(predicate, depth);
            return;
        }
        const auto heading = [&predicate]() -> std::string {
            if (predicate.op == Operator::Not)
                return "not";
            return predicate.op == Operator::Or ? "any of" : "all of";
        };
        record(holds(predicate, m_request), depth, heading, [] { return std::string(); });
        if (!m_words)
            return;
        for (const CompiledPredicate &child : predicate.children)
            this->predicate(child, depth + 1);
    }

    void leaf(const CompiledPredicate &predicate, int depth)
    {
        if (predicate.fields.empty()) {
            record(
                holds(predicate, m_request), depth,
                [&] { return std::string(operatorName(predicate.op)) + " nothing"; }, [] { return std::string(); });
            return;
        }
        for (const FieldExpectation &field : predicate.fields) {
            if (!decomposes(predicate, field, m_request)) {
                record(
                    fieldHolds(predicate, field, m_request), depth,
                    [&] { return conditionText(predicate.op, place(predicate, field), field.expected.source); },
                    [&] { return gotField(predicate, field.field); });
                continue;
            }
            for (const Expectation::Member &member : field.expected.members) {
                record(
                    memberHolds(predicate, field, member, m_request), depth,
                    [&] {
                        return conditionText(predicate.op, place(predicate, field) + "." + member.shownKey,
                                             member.expected.source);
                    },
                    [&] { return gotMember(predicate, field.field, member); });
            }
        }
    }

    /// "body", or "body at $.order.id"
    static std::string place(const CompiledPredicate &predicate, const FieldExpectation &field)
    {
        const FieldSelection *selection = predicate.selection.get();
        return selection ? field.shownName + (selection->selects() ? " at " : " ") + selection->shown()
                         : field.shownName;
    }

    std::string gotField(const CompiledPredicate &predicate, Field field)
    {
        if (predicate.selection) {
            const json::Value *selected = m_request.selected(field, *predicate.selection);
            const bool nothing = selected == nullptr || (selected->isString() && selected->text().empty());
            return nothing ? "nothing" : shownValue(*selected, longestValue);
        }
        if (field == Field::Query || field == Field::Headers || field == Field::Form) {
            const json::Value *object = m_request.object(field, Casing::Exact);
            return object == nullptr || object->size() == 0 ? "nothing" : shownValue(*object, longestValue);
        }
        const std::string *text = m_request.text(field, false);
        return text == nullptr || text->empty() ? "nothing" : shortened(*text, longestValue);
    }

    std::string gotMember(const CompiledPredicate &predicate, Field field, const Expectation::Member &member)
    {
        // As sent, not as folded for the comparison
        const Casing casing = foldsKeys(predicate.casing) ? Casing::KeysIgnored : Casing::Exact;
        const json::Value *object = predicate.selection    ? m_request.selected(field, *predicate.selection)
                                    : field == Field::Body ? m_request.bodyJson(casing)
                                                           : m_request.object(field, casing);
        const json::Value *value = object != nullptr ? findProperty(*object, member.key) : nullptr;
        return value == nullptr ? "nothing" : shownValue(*value, longestValue);
    }

    RequestView &m_request;
    StubExplanation &m_into;
    bool m_words;
};

StubExplanation explainStub(const Stub &stub, const CompiledStub &compiled, RequestView &request, bool words)
{
    StubExplanation made;
    made.stub = stub.id;
    Walker(request, made, words).stub(compiled);
    if (!compiled.problem.empty() || !stub.enabled) {
        ++made.total;
        if (words)
            made.conditions.insert(made.conditions.begin(),
                                   {false, stub.enabled ? "can be evaluated" : "is enabled",
                                    stub.enabled ? compiled.problem : std::string("switched off"), 0});
    }
    made.matched = made.holding == made.total;
    if (words)
        made.stubName = stubLabel(stub);
    return made;
}

/// The first scalar that some leaf of `predicate` expects of `field`, as "= GET"; empty when none does.
std::string expectationOf(const Predicate &predicate, std::string_view field)
{
    if (predicate.op == Operator::And) {
        for (const Predicate &child : predicate.children) {
            if (std::string found = expectationOf(child, field); !found.empty())
                return found;
        }
    }
    for (const auto &[name, value] : predicate.expected.members()) {
        const bool wanted = predicate.keyCaseSensitive ? name == field : lowerCase(name) == field;
        if (wanted && !value.isObject() && !value.isArray() && predicate.op != Operator::Exists)
            return signOf(predicate.op) + " " + shownValue(value, longestLabel);
    }
    return {};
}

std::string firstExpectation(const Stub &stub, std::string_view field)
{
    for (const Predicate &predicate : stub.predicates) {
        if (std::string found = expectationOf(predicate, field); !found.empty())
            return found;
    }
    return {};
}

/// What there is to say about a stub that looks at neither method nor path.
std::string otherLabel(const Predicate &predicate)
{
    switch (predicate.op) {
    case Operator::Not:
        return predicate.children.empty() ? "not" : "not " + otherLabel(predicate.children.front());
    case Operator::Or:
    case Operator::And: {
        std::string text;
        for (const Predicate &child : predicate.children)
            text += (text.empty() ? "" : predicate.op == Operator::Or ? " or " : " and ") + otherLabel(child);
        return text.empty() ? std::string(operatorName(predicate.op)) : text;
    }
    default:
        break;
    }
    if (predicate.expected.size() == 0)
        return predicate.operatorName.empty() ? std::string(operatorName(predicate.op)) : predicate.operatorName;
    const auto &[name, value] = predicate.expected.members().front();
    if (!value.isObject() || value.size() == 0)
        return conditionText(predicate.op, name, value);
    const auto &[key, member] = value.members().front();
    return conditionText(predicate.op, name + "." + key, member);
}

} // namespace

std::string conditionText(Operator op, const std::string &place, const json::Value &expected)
{
    if (op == Operator::Exists && !expected.isObject() && !expected.isArray())
        return place + (expected.isTruthy() ? " exists" : " does not exist");
    return place + " " + std::string(operatorName(op)) + " " + shownValue(expected, longestValue);
}

MatchExplanation explainMatch(const std::vector<StubPtr> &stubs,
                              const std::vector<std::shared_ptr<const CompiledStub>> &parts, std::size_t answering,
                              RequestView &request)
{
    struct Rank
    {
        std::size_t position;
        int holding, failing;
    };
    std::vector<Rank> ranks;
    ranks.reserve(stubs.size());
    for (std::size_t position = 0; position < stubs.size(); ++position) {
        const StubExplanation counted = explainStub(*stubs[position], *parts[position], request, false);
        ranks.push_back({position, counted.holding, counted.total - counted.holding});
    }
    const auto nearer = [answering](const Rank &a, const Rank &b) {
        if ((a.position == answering) != (b.position == answering))
            return a.position == answering;
        if (a.holding != b.holding)
            return a.holding > b.holding;
        return a.failing != b.failing ? a.failing < b.failing : a.position < b.position;
    };
    const std::size_t shown = std::min(ranks.size(), mostStubs);
    std::partial_sort(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(shown), ranks.end(), nearer);
    MatchExplanation explanation;
    if (answering < stubs.size())
        explanation.answeredBy = stubs[answering]->id;
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t position = ranks[i].position;
        explanation.stubs.push_back(explainStub(*stubs[position], *parts[position], request, true));
    }
    return explanation;
}

std::string stubLabel(const Stub &stub)
{
    if (!stub.name.empty())
        return stub.name;
    if (stub.predicates.empty())
        return "any request";
    const std::string method = firstExpectation(stub, "method");
    const std::string path = firstExpectation(stub, "path");
    std::string label;
    if (!method.empty())
        label = method.starts_with("= ") ? method.substr(2) : "method " + method;
    if (!path.empty())
        label += (label.empty() ? "" : " ") + path;
    if (label.empty())
        label = otherLabel(stub.predicates.front());
    return shortened(label, longestLabel);
}

} // namespace wardbench
