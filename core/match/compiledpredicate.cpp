#include "match/compiledpredicate.h"

#include "match/jsvalue.h"
#include "match/text.h"

namespace wardbench {

namespace {

using Operator = Predicate::Operator;

Casing casingOf(const Predicate &predicate)
{
    if (predicate.op == Operator::Matches) // values are never folded there: `i` does it; keyCaseSensitive is overridden
        return predicate.caseSensitive ? Casing::Exact : Casing::KeysIgnored;
    if (!predicate.caseSensitive)
        return Casing::Ignored;
    return predicate.keyCaseSensitive ? Casing::Exact : Casing::KeysIgnored;
}

class ExpectationBuilder
{
public:
    ExpectationBuilder(const Predicate &predicate, Casing casing, PredicateProblem &problem)
        : m_predicate(predicate), m_casing(casing), m_problem(problem)
    {
    }

    Expectation build(const json::Value &value)
    {
        Expectation made;
        made.source = value;
        made.truthy = value.isTruthy();
        if (value.isObject()) {
            made.kind = Expectation::Kind::Object;
            for (const auto &[name, member] : value.members())
                addMember(made, name, member);
        } else if (value.isArray()) {
            made.kind = Expectation::Kind::Array;
            for (const json::Value &item : value.items())
                made.items.push_back(build(item));
        } else {
            made.isNull = value.isNull();
            made.text = javascriptText(value);
            if (m_predicate.op == Operator::Matches)
                made.pattern = pattern(made.text);
            else if (foldsValues(m_casing))
                made.text = lowerCase(made.text);
        }
        return made;
    }

private:
    void addMember(Expectation &object, const std::string &name, const json::Value &value)
    {
        std::string key = foldsKeys(m_casing) ? lowerCase(name) : name;
        for (Expectation::Member &member : object.members) {
            if (member.key == key) { // the last spelling wins
                member.shownKey = name;
                member.expected = build(value);
                return;
            }
        }
        object.members.push_back({std::move(key), name, build(value)});
    }

    std::optional<JsPattern> pattern(const std::string &text)
    {
        const auto parsed = JsPattern::parse(text, m_predicate.caseSensitive ? "" : "i");
        if (parsed)
            return *parsed;
        if (m_problem.empty())
            m_problem = "\"" + shortened(text, 60) + "\" is not a regular expression: " + parsed.error().message;
        return std::nullopt;
    }

    const Predicate &m_predicate;
    Casing m_casing;
    PredicateProblem &m_problem;
};

bool isLeaf(Operator op)
{
    return op != Operator::Not && op != Operator::Or && op != Operator::And && op != Operator::Inject &&
           op != Operator::Unknown;
}

} // namespace

CompiledPredicate compilePredicate(const Predicate &predicate, PredicateProblem &problem)
{
    CompiledPredicate made;
    made.op = predicate.op;
    made.casing = casingOf(predicate);
    if (problem.empty() && !predicate.inactive.empty())
        problem = predicate.inactive;
    else if (problem.empty() && (predicate.op == Operator::Inject || predicate.op == Operator::Unknown))
        problem = predicate.operatorName + " is not run by this version";
    for (const Predicate &child : predicate.children)
        made.children.push_back(compilePredicate(child, problem));
    if (!isLeaf(predicate.op))
        return made;
    ExpectationBuilder builder(predicate, made.casing, problem);
    for (const auto &[name, value] : predicate.expected.members()) {
        FieldExpectation field;
        field.field = fieldByName(name, made.casing);
        field.shownName = name;
        field.expected = builder.build(value);
        if (predicate.op == Operator::DeepEquals)
            field.canonical = canonicalJson(folded(value, made.casing));
        made.fields.push_back(std::move(field));
    }
    return made;
}

std::string_view operatorName(Operator op)
{
    switch (op) {
    case Operator::Equals:
        return "equals";
    case Operator::DeepEquals:
        return "deepEquals";
    case Operator::Contains:
        return "contains";
    case Operator::StartsWith:
        return "startsWith";
    case Operator::EndsWith:
        return "endsWith";
    case Operator::Matches:
        return "matches";
    case Operator::Exists:
        return "exists";
    case Operator::Not:
        return "not";
    case Operator::Or:
        return "or";
    case Operator::And:
        return "and";
    case Operator::Inject:
        return "inject";
    case Operator::Unknown:
        break;
    }
    return "unknown";
}

} // namespace wardbench
