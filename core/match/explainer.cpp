#include "match/explainer.h"

#include "base/nearestname.h"
#include "match/jsvalue.h"
#include "match/regexsample.h"
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

constexpr const char *absent = "nothing";

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

constexpr std::size_t farthest = 64; ///< characters that are compared, and the distance of what cannot be

/// How far `got` is from what the operator asks for.
std::size_t distanceBetween(Operator op, const Expectation &expected, const std::string &got)
{
    const bool compares = op == Operator::Equals || op == Operator::DeepEquals || op == Operator::Contains ||
                          op == Operator::StartsWith || op == Operator::EndsWith || op == Operator::Matches;
    if (!compares || expected.kind != Expectation::Kind::Scalar)
        return farthest;
    std::string wanted = expected.text;
    if (op == Operator::Matches)
        wanted = regexSample(shownValue(expected.source, longestValue)).value_or(wanted);
    const std::string_view asked = std::string_view(wanted).substr(0, farthest);
    std::string_view came = std::string_view(got == absent ? std::string_view() : got).substr(0, farthest);
    if (op == Operator::StartsWith)
        came = came.substr(0, asked.size());
    if (op == Operator::EndsWith)
        came = came.substr(came.size() - std::min(came.size(), asked.size()));
    const std::size_t steps = editDistance(asked, came);
    const std::size_t around = op == Operator::Contains && came.size() > asked.size() ? came.size() - asked.size() : 0;
    return std::min(steps - around, farthest);
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

    /// How far the conditions that fail are from holding, in characters.
    std::size_t distance() const { return m_distance; }

private:
    using Kind = ConditionResult::Kind;

    void record(bool holds, int depth, const auto &condition, const auto &got, Kind kind = Kind::Field)
    {
        if (depth == 0) {
            ++m_into.total;
            m_into.holding += holds ? 1 : 0;
        }
        if (m_words)
            m_into.conditions.push_back({holds, condition(), got(), depth, kind});
    }

    void predicate(const CompiledPredicate &predicate, int depth)
    {
        if (predicate.op != Operator::Not && predicate.op != Operator::Or && predicate.op != Operator::And) {
            leaf(predicate, depth);
            return;
        }
        const Kind kind = predicate.op == Operator::Not  ? Kind::Not
                          : predicate.op == Operator::Or ? Kind::Any
                                                         : Kind::All;
        const auto heading = [kind] {
            return std::string(kind == Kind::Not ? "not" : kind == Kind::Any ? "any of" : "all of");
        };
        const bool fine = holds(predicate, m_request);
        record(
            fine, depth, heading, [] { return std::string(); }, kind);
        if (!m_words && fine)
            return;
        const std::size_t before = m_distance;
        std::size_t nearest = farthest;
        for (const CompiledPredicate &child : predicate.children) {
            const std::size_t soFar = m_distance;
            this->predicate(child, depth + 1);
            nearest = std::min(nearest, m_distance - soFar);
        }
        if (kind != Kind::All) // one of "any" would do, and no distance says how far a "not" is off
            m_distance = before + (kind == Kind::Any ? nearest : farthest);
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
                const bool fine = fieldHolds(predicate, field, m_request);
                countDistance(fine, predicate.op, field.expected, [&] { return gotField(predicate, field.field); });
                record(
                    fine, depth,
                    [&] { return conditionText(predicate.op, place(predicate, field), field.expected.source); },
                    [&] { return gotField(predicate, field.field); });
                continue;
            }
            for (const Expectation::Member &member : field.expected.members) {
                const bool fine = memberHolds(predicate, field, member, m_request);
                countDistance(fine, predicate.op, member.expected,
                              [&] { return gotMember(predicate, field.field, member); });
                record(
                    fine, depth,
                    [&] {
                        return conditionText(predicate.op, place(predicate, field) + "." + member.shownKey,
                                             member.expected.source);
                    },
                    [&] { return gotMember(predicate, field.field, member); });
            }
        }
    }

    void countDistance(bool holds, Operator op, const Expectation &expected, const auto &got)
    {
        if (!holds && !m_words)
            m_distance += distanceBetween(op, expected, got());
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
            return nothing ? absent : shownValue(*selected, longestValue);
        }
        if (field == Field::Query || field == Field::Headers || field == Field::Form) {
            const json::Value *object = m_request.object(field, Casing::Exact);
            return object == nullptr || object->size() == 0 ? absent : shownValue(*object, longestValue);
        }
        const std::string *text = m_request.text(field, false);
        return text == nullptr || text->empty() ? absent : shortened(*text, longestValue);
    }

    std::string gotMember(const CompiledPredicate &predicate, Field field, const Expectation::Member &member)
    {
        // As sent, not as folded for the comparison
        const Casing casing = foldsKeys(predicate.casing) ? Casing::KeysIgnored : Casing::Exact;
        const json::Value *object = predicate.selection    ? m_request.selected(field, *predicate.selection)
                                    : field == Field::Body ? m_request.bodyJson(casing)
                                                           : m_request.object(field, casing);
        const json::Value *value = object != nullptr ? findProperty(*object, member.key) : nullptr;
        return value == nullptr ? absent : shownValue(*value, longestValue);
    }

    RequestView &m_request;
    StubExplanation &m_into;
    bool m_words;
    std::size_t m_distance = 0;
};

/// `distance`, when asked for: see Walker.
StubExplanation explainStub(const Stub &stub, const CompiledStub &compiled, RequestView &request,
                            std::size_t *distance = nullptr)
{
    const bool words = !distance;
    StubExplanation made;
    made.stub = stub.id;
    Walker walker(request, made, words);
    walker.stub(compiled);
    if (distance)
        *distance = walker.distance();
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
        std::size_t distance;
    };
    std::vector<Rank> ranks;
    ranks.reserve(stubs.size());
    for (std::size_t position = 0; position < stubs.size(); ++position) {
        std::size_t distance = 0;
        const StubExplanation counted = explainStub(*stubs[position], *parts[position], request, &distance);
        ranks.push_back({position, counted.holding, counted.total - counted.holding, distance});
    }
    const auto nearer = [answering](const Rank &a, const Rank &b) {
        if ((a.position == answering) != (b.position == answering))
            return a.position == answering;
        if (a.holding != b.holding)
            return a.holding > b.holding;
        if (a.failing != b.failing)
            return a.failing < b.failing;
        return a.distance != b.distance ? a.distance < b.distance : a.position < b.position;
    };
    const std::size_t shown = std::min(ranks.size(), mostStubs);
    std::partial_sort(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(shown), ranks.end(), nearer);
    MatchExplanation explanation;
    if (answering < stubs.size())
        explanation.answeredBy = stubs[answering]->id;
    for (std::size_t i = 0; i < shown; ++i) {
        const std::size_t position = ranks[i].position;
        explanation.stubs.push_back(explainStub(*stubs[position], *parts[position], request));
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
