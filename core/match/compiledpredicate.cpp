#include "match/compiledpredicate.h"

#include "match/canonical.h"
#include "match/jsvalue.h"
#include "match/text.h"

#include <QByteArray>

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

/// Base64 as Node reads it: either alphabet, what belongs to none is skipped.
std::string decodedBase64(std::string_view text)
{
    QByteArray bytes(text.data(), static_cast<qsizetype>(text.size()));
    bytes.replace('-', '+').replace('_', '/');
    return QByteArray::fromBase64(bytes).toStdString();
}

class ExpectationBuilder
{
public:
    ExpectationBuilder(const Predicate &predicate, const CompiledPredicate &made, PredicateProblem &problem)
        : m_predicate(predicate), m_casing(made.casing), m_selection(made.selection.get()), m_problem(problem)
    {
    }

    /// `bytes`: texts are base64.
    Expectation build(const json::Value &value, bool bytes)
    {
        m_bytes = bytes;
        return build(value);
    }

    /// The value with its texts as they are compared.
    json::Value prepared(const json::Value &value) const
    {
        if (value.isArray()) {
            json::Array items;
            for (const json::Value &item : value.items())
                items.push_back(prepared(item));
            return json::Value(std::move(items));
        }
        if (!value.isObject())
            return json::Value(scalarText(value));
        json::Members members;
        for (const auto &[name, member] : value.members())
            members.emplace_back(name, prepared(member));
        return json::Value(std::move(members));
    }

private:
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
            made.text = scalarText(value);
            if (m_predicate.op == Operator::Matches)
                made.pattern = pattern(made.text);
        }
        return made;
    }

    std::string scalarText(const json::Value &value) const
    {
        std::string text = javascriptText(value);
        if (m_predicate.op == Operator::Matches)
            return text;
        if (m_bytes)
            text = decodedBase64(text);
        if (foldsValues(m_casing)) {
            const std::string exact = std::move(text);
            if (m_bytes)
                lowerAscii(exact, text);
            else
                lowerCase(exact, text);
        }
        // numbers are texts only where all is made text
        const bool stripped = m_selection && (value.isString() || m_predicate.op == Operator::DeepEquals);
        return stripped ? m_selection->rest(text) : text;
    }

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
    const FieldSelection *m_selection;
    PredicateProblem &m_problem;
    bool m_bytes = false;
};

/// Why the predicate cannot be asked at all; empty when it can.
std::string notRun(const Predicate &predicate, DataCoding coding)
{
    if (predicate.op == Operator::Unknown)
        return predicate.operatorName + " is not run by this version";
    if (coding != DataCoding::Base64)
        return {};
    if (predicate.op == Operator::Matches)
        return "the matches predicate is not allowed in binary mode";
    if (predicate.selector.kind == Selector::Kind::None)
        return {};
    return std::string("the ") + (predicate.selector.kind == Selector::Kind::XPath ? "xpath" : "jsonpath") +
           " predicate parameter is not allowed in binary mode";
}

bool isLeaf(Operator op)
{
    return op != Operator::Not && op != Operator::Or && op != Operator::And && op != Operator::Inject &&
           op != Operator::Unknown;
}

FieldExpectation expectationOf(const Predicate &predicate, const CompiledPredicate &made, const json::Member &expected,
                               DataCoding coding, PredicateProblem &problem)
{
    ExpectationBuilder builder(predicate, made, problem);
    FieldExpectation field;
    field.field = coding == DataCoding::Json ? Field::Body : fieldByName(expected.first, made.casing);
    field.shownName = expected.first;
    field.expected = builder.build(expected.second, coding == DataCoding::Base64 && field.field == Field::Data);
    if (predicate.op == Operator::DeepEquals)
        field.canonical = canonicalJson(folded(builder.prepared(expected.second), made.casing));
    return field;
}

/// Each field has a selection of its own, and so a predicate.
CompiledPredicate ofMembers(const Predicate &predicate, Casing casing, PredicateProblem &problem)
{
    CompiledPredicate all;
    all.op = Operator::And;
    all.casing = casing;
    for (const json::Member &expected : predicate.expected.members()) {
        CompiledPredicate one;
        one.op = predicate.op;
        one.casing = casing;
        one.selection = FieldSelection::ofMember(expected.first, predicate, casing, problem);
        one.fields.push_back(expectationOf(predicate, one, expected, DataCoding::Json, problem));
        all.children.push_back(std::move(one));
    }
    return all;
}

} // namespace

CompiledPredicate compilePredicate(const Predicate &predicate, PredicateProblem &problem, DataCoding coding)
{
    CompiledPredicate made;
    made.op = predicate.op;
    made.casing = casingOf(predicate);
    made.script = predicate.script;
    if (problem.empty())
        problem = notRun(predicate, coding);
    for (const Predicate &child : predicate.children)
        made.children.push_back(compilePredicate(child, problem, coding));
    if (!isLeaf(predicate.op))
        return made;
    if (coding == DataCoding::Json)
        return ofMembers(predicate, made.casing, problem);
    made.selection = FieldSelection::compile(predicate, made.casing, problem);
    for (const json::Member &expected : predicate.expected.members())
        made.fields.push_back(expectationOf(predicate, made, expected, coding, problem));
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
