#include "match/compiledpredicate.h"

#include "match/canonical.h"
#include "match/jsvalue.h"

#include <algorithm>

// How mountebank decides, operator by operator and rule by rule (reference/mountebank.md 2.6); the rules that differ on
// purpose are listed in docs/MATCHING.md and in tests/core/match/tst_predicates.cpp.

namespace wardbench {

namespace {

using Operator = Predicate::Operator;
using Kind = Expectation::Kind;

/// One scalar comparison. `actual` is null when the request has nothing there.
class ScalarTest
{
public:
    explicit ScalarTest(const CompiledPredicate &predicate) : m_op(predicate.op) {}

    bool missing(const Expectation &expected) const
    {
        if (m_op == Operator::Exists)
            return !expected.truthy;
        return text(expected, {}); // a missing value counts as empty
    }

    bool text(const Expectation &expected, std::string_view actual) const
    {
        switch (m_op) {
        case Operator::Equals:
            return !expected.isNull && actual == expected.text;
        case Operator::Contains:
            return actual.find(expected.text) != std::string_view::npos;
        case Operator::StartsWith:
            return actual.starts_with(expected.text);
        case Operator::EndsWith:
            return actual.ends_with(expected.text);
        case Operator::Matches:
            return expected.pattern && expected.pattern->matches(actual);
        case Operator::Exists:
            return expected.truthy != actual.empty();
        default:
            return false;
        }
    }

    bool value(const Expectation &expected, const json::Value *actual) const
    {
        if (actual == nullptr)
            return missing(expected);
        if (actual->isString())
            return text(expected, actual->text());
        if (m_op == Operator::Exists)
            return expected.truthy; // null, 0, false and objects are present
        if (m_op == Operator::Equals && (actual->isNull() || expected.isNull))
            return actual->isNull() && expected.isNull;
        const bool part = m_op == Operator::Contains || m_op == Operator::StartsWith || m_op == Operator::EndsWith;
        if (part && (actual->isObject() || actual->isArray()))
            return false;
        return text(expected, javascriptText(*actual));
    }

private:
    Operator m_op;
};

/// Expectations against JSON values.
class Evaluation
{
public:
    explicit Evaluation(const CompiledPredicate &predicate)
        : m_scalar(predicate), m_exists(predicate.op == Operator::Exists), m_casing(predicate.casing),
          m_selection(predicate.selection.get())
    {
    }

    const ScalarTest &scalar() const { return m_scalar; }

    /// An object expectation: every key must hold. Text is taken as JSON if it is.
    bool object(const Expectation &expected, const json::Value *actual) const
    {
        if (actual == nullptr || !actual->isTruthy())
            return false;
        if (!actual->isString())
            return members(expected, *actual);
        const auto parsed = document(actual->text());
        return members(expected, parsed ? *parsed : *actual);
    }

    /// A text as JSON. `except` acts on the texts in it, too.
    std::optional<json::Value> document(const std::string &text) const
    {
        auto parsed = parseFolded(text, m_casing);
        return parsed && m_selection ? m_selection->restOf(*parsed) : std::move(parsed);
    }

    bool members(const Expectation &expected, const json::Value &actual) const
    {
        return std::all_of(expected.members.begin(), expected.members.end(),
                           [&](const Expectation::Member &member) { return this->member(expected, member, actual); });
    }

    /// One key of an object expectation against what has, or has not, that key.
    bool member(const Expectation &whole, const Expectation::Member &member, const json::Value &actual) const
    {
        const json::Value *const field = findProperty(actual, member.key);
        if (field == nullptr && actual.isArray() && member.expected.kind != Kind::Array) {
            // An array where an object was expected: one of its elements must satisfy the whole object
            return any(actual, [&](const json::Value &item) { return element(whole, item); });
        }
        return value(member.expected, field);
    }

    bool value(const Expectation &expected, const json::Value *actual) const
    {
        if (expected.kind == Kind::Array)
            return array(expected, actual);
        if (actual != nullptr && actual->isArray()) {
            if (m_exists && expected.truthy)
                return true;
            return any(*actual, [&](const json::Value &item) { return element(expected, item); });
        }
        if (expected.kind == Kind::Object)
            return object(expected, actual);
        return m_scalar.value(expected, actual);
    }

    /// An array expectation: each of its items must match some element.
    bool array(const Expectation &expected, const json::Value *actual) const
    {
        if (actual == nullptr || (actual->isString() && actual->text().empty()))
            return false;
        if (actual->isArray())
            return items(expected, *actual);
        if (actual->isString()) {
            const auto parsed = document(actual->text());
            if (parsed && parsed->isArray())
                return items(expected, *parsed);
        }
        return std::all_of(expected.items.begin(), expected.items.end(),
                           [&](const Expectation &item) { return element(item, *actual); });
    }

private:
    template <typename Test>
    static bool any(const json::Value &array, Test test)
    {
        return std::any_of(array.items().begin(), array.items().end(), test);
    }

    bool items(const Expectation &expected, const json::Value &actual) const
    {
        return std::all_of(expected.items.begin(), expected.items.end(), [&](const Expectation &item) {
            return any(actual, [&](const json::Value &found) { return element(item, found); });
        });
    }

    bool element(const Expectation &expected, const json::Value &actual) const
    {
        switch (expected.kind) {
        case Kind::Object:
            return object(expected, &actual);
        case Kind::Array:
            return array(expected, &actual);
        case Kind::Scalar:
            break;
        }
        return m_scalar.value(expected, &actual);
    }

    ScalarTest m_scalar;
    bool m_exists;
    Casing m_casing;
    const FieldSelection *m_selection;
};

bool isPairs(Field field)
{
    return field == Field::Query || field == Field::Headers || field == Field::Form;
}

/// Stands for a text that is not JSON where only its keys are asked for: it has none.
const json::Value &notJson()
{
    static const json::Value value("text");
    return value;
}

bool textFieldHolds(const CompiledPredicate &predicate, const FieldExpectation &field, RequestView &request)
{
    const Evaluation evaluation(predicate);
    const std::string *text = request.text(field.field, foldsValues(predicate.casing));
    const Expectation &expected = field.expected;
    if (expected.kind == Kind::Scalar)
        return text == nullptr ? evaluation.scalar().missing(expected) : evaluation.scalar().text(expected, *text);
    if (text == nullptr || text->empty())
        return false;
    if (field.field == Field::Body) {
        const json::Value *body = request.bodyJson(predicate.casing);
        if (expected.kind == Kind::Object)
            return evaluation.members(expected, body != nullptr ? *body : notJson());
        if (body != nullptr && body->isArray())
            return evaluation.array(expected, body);
    }
    const json::Value value(*text);
    return evaluation.value(expected, &value);
}

bool pairHolds(const CompiledPredicate &predicate, Field field, const Expectation::Member &member, RequestView &request)
{
    static thread_local std::vector<std::string_view> found;
    const Evaluation evaluation(predicate);
    request.values(field, member.key, predicate.casing, found);
    const Expectation &expected = member.expected;
    if (expected.kind == Kind::Scalar) {
        if (found.empty())
            return evaluation.scalar().missing(expected);
        if (found.size() > 1 && predicate.op == Operator::Exists && expected.truthy)
            return true;
        return std::any_of(found.begin(), found.end(),
                           [&](std::string_view value) { return evaluation.scalar().text(expected, value); });
    }
    if (found.empty())
        return false;
    if (found.size() == 1) {
        const json::Value value(found[0]);
        return evaluation.value(expected, &value);
    }
    json::Array items;
    for (const std::string_view value : found)
        items.emplace_back(value);
    const json::Value value(std::move(items));
    return evaluation.value(expected, &value);
}

bool deepFieldHolds(const CompiledPredicate &predicate, const FieldExpectation &field, RequestView &request)
{
    if (isPairs(field.field)) {
        const json::Value *object = request.object(field.field, predicate.casing);
        return object != nullptr && canonicalJson(*object) == field.canonical;
    }
    const std::string *text = request.text(field.field, foldsValues(predicate.casing));
    if (text == nullptr)
        return false;
    if (field.expected.kind == Kind::Scalar)
        return *text == field.expected.text;
    if (field.field == Field::Body) {
        const std::string *canonical = request.bodyCanonical(predicate.casing);
        return canonical != nullptr && *canonical == field.canonical;
    }
    const auto parsed = parseFolded(*text, predicate.casing);
    return parsed && canonicalJson(*parsed) == field.canonical;
}

/// A field of a predicate with `except` or a selector.
bool selectedHolds(const CompiledPredicate &predicate, const FieldExpectation &field, RequestView &request)
{
    const json::Value *actual = request.selected(field.field, *predicate.selection);
    const Evaluation evaluation(predicate);
    if (predicate.op != Operator::DeepEquals)
        return evaluation.value(field.expected, actual);
    if (actual == nullptr)
        return false;
    if (field.expected.kind == Expectation::Kind::Scalar)
        return canonicalJson(*actual) == canonicalText(field.expected.text);
    if (!actual->isString())
        return canonicalJson(*actual) == field.canonical;
    const auto parsed = evaluation.document(actual->text());
    return parsed && canonicalJson(*parsed) == field.canonical;
}

/// What an object expectation's members are looked up in; null when none of them can hold.
const json::Value *selectedObject(const CompiledPredicate &predicate, Field field, RequestView &request,
                                  std::optional<json::Value> &made)
{
    const json::Value *actual = request.selected(field, *predicate.selection);
    if (actual == nullptr || !actual->isTruthy())
        return nullptr;
    if (actual->isString()) {
        made = Evaluation(predicate).document(actual->text());
        return made ? &*made : &notJson();
    }
    return actual;
}

} // namespace

bool fieldHolds(const CompiledPredicate &predicate, const FieldExpectation &field, RequestView &request)
{
    if (predicate.selection)
        return selectedHolds(predicate, field, request);
    if (predicate.op == Operator::DeepEquals)
        return deepFieldHolds(predicate, field, request);
    if (!isPairs(field.field))
        return textFieldHolds(predicate, field, request);
    if (field.expected.kind != Kind::Object) {
        const Evaluation evaluation(predicate);
        return evaluation.value(field.expected, request.object(field.field, predicate.casing));
    }
    if (!request.hasPairs(field.field))
        return false;
    return std::all_of(
        field.expected.members.begin(), field.expected.members.end(),
        [&](const Expectation::Member &member) { return pairHolds(predicate, field.field, member, request); });
}

bool memberHolds(const CompiledPredicate &predicate, const FieldExpectation &field, const Expectation::Member &member,
                 RequestView &request)
{
    if (predicate.selection) {
        std::optional<json::Value> made;
        const json::Value *object = selectedObject(predicate, field.field, request, made);
        return object != nullptr && Evaluation(predicate).member(field.expected, member, *object);
    }
    if (isPairs(field.field)) {
        return request.hasPairs(field.field) && pairHolds(predicate, field.field, member, request);
    }
    const std::string *text = request.text(field.field, foldsValues(predicate.casing));
    if (text == nullptr || text->empty())
        return false;
    const json::Value *body = field.field == Field::Body ? request.bodyJson(predicate.casing) : nullptr;
    return Evaluation(predicate).member(field.expected, member, body != nullptr ? *body : notJson());
}

bool decomposes(const CompiledPredicate &predicate, const FieldExpectation &field, RequestView &request)
{
    if (predicate.op == Operator::DeepEquals || field.expected.kind != Kind::Object || field.expected.members.empty())
        return false;
    if (predicate.selection) {
        std::optional<json::Value> made;
        const json::Value *object = selectedObject(predicate, field.field, request, made);
        return object == nullptr || !object->isArray();
    }
    if (isPairs(field.field))
        return true;
    const json::Value *body = field.field == Field::Body ? request.bodyJson(predicate.casing) : nullptr;
    return field.field == Field::Body && (body == nullptr || !body->isArray());
}

bool holds(const CompiledPredicate &predicate, RequestView &request)
{
    const auto childHolds = [&request](const CompiledPredicate &child) {
        return holds(child, request);
    };
    switch (predicate.op) {
    case Operator::Not:
        return !predicate.children.empty() && !holds(predicate.children[0], request);
    case Operator::Or:
        return std::any_of(predicate.children.begin(), predicate.children.end(), childHolds);
    case Operator::And:
        return std::all_of(predicate.children.begin(), predicate.children.end(), childHolds);
    case Operator::Inject:
        return request.scriptHolds(predicate.script);
    case Operator::Unknown:
        return false;
    default:
        return std::all_of(predicate.fields.begin(), predicate.fields.end(),
                           [&](const FieldExpectation &field) { return fieldHolds(predicate, field, request); });
    }
}

} // namespace wardbench
