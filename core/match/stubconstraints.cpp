#include "match/stubconstraints.h"

#include "match/canonical.h"
#include "match/jsregexwriter.h"
#include "match/jsvalue.h"
#include "match/text.h"

#include <algorithm>
#include <map>
#include <optional>

namespace wardbench {

namespace {

using Operator = Predicate::Operator;
using Kind = IndexKey::Kind;
using Constraints = std::map<IndexKey, std::vector<std::string>>;

// Longer literals cut off here still find every subject that the whole would.
constexpr std::size_t longestLiteral = 200;

Constraints constraintsOf(const CompiledPredicate &predicate);

void add(Constraints &all, Kind kind, std::string value, std::string name = {})
{
    IndexKey key;
    key.kind = kind;
    key.name = std::move(name);
    all.try_emplace(std::move(key), std::vector<std::string>{std::move(value)});
}

/// Scalars below an object expectation: each has to be found at its place, which is `key` with a path.
void addMembers(Constraints &all, IndexKey &key, const Expectation &expected)
{
    for (const Expectation::Member &member : expected.members) {
        key.fieldPath.push_back(member.key);
        if (member.expected.kind == Expectation::Kind::Object)
            addMembers(all, key, member.expected);
        else if (member.expected.kind == Expectation::Kind::Scalar && !member.expected.isNull)
            all.try_emplace(key, std::vector<std::string>{member.expected.text});
        key.fieldPath.pop_back();
    }
}

void addBodyFields(Constraints &all, const CompiledPredicate &predicate, const Expectation &expected)
{
    IndexKey key;
    key.kind = Kind::BodyField;
    key.casing = predicate.casing;
    addMembers(all, key, expected);
}

/// A field that `except` or a selector is applied to first.
void addSelected(Constraints &all, const CompiledPredicate &predicate, const FieldExpectation &field)
{
    if (field.field == Field::Headers || field.field == Field::Query || field.field == Field::Form)
        return;
    const Expectation &expected = field.expected;
    const bool scalar = expected.kind == Expectation::Kind::Scalar;
    IndexKey key;
    key.kind = predicate.op == Operator::DeepEquals ? Kind::SelectedDocument : Kind::Selected;
    key.field = field.field;
    key.selection.of = predicate.selection;
    if (predicate.op == Operator::DeepEquals)
        all.try_emplace(key, std::vector<std::string>{scalar ? canonicalText(expected.text) : field.canonical});
    else if (expected.kind == Expectation::Kind::Object)
        addMembers(all, key, expected);
    else if (scalar && !expected.isNull)
        all.try_emplace(key, std::vector<std::string>{expected.text});
}

void addEquality(Constraints &all, const CompiledPredicate &predicate, const FieldExpectation &field)
{
    const bool deep = predicate.op == Operator::DeepEquals;
    const Expectation &expected = field.expected;
    const bool scalar = expected.kind == Expectation::Kind::Scalar && (deep || !expected.isNull);
    switch (field.field) {
    case Field::Method:
    case Field::Path:
    case Field::Body:
        if (scalar) {
            add(all,
                field.field == Field::Method ? Kind::Method
                : field.field == Field::Path ? Kind::Path
                                             : Kind::BodyText,
                lowerCase(expected.text));
        } else if (field.field == Field::Body && deep && expected.kind != Expectation::Kind::Scalar) {
            IndexKey key;
            key.kind = Kind::BodyDocument;
            key.casing = predicate.casing;
            all.try_emplace(std::move(key), std::vector<std::string>{field.canonical});
        } else if (field.field == Field::Body && expected.kind == Expectation::Kind::Object) {
            addBodyFields(all, predicate, expected);
        }
        break;
    case Field::Headers:
    case Field::Query:
        for (const Expectation::Member &member : expected.members) {
            // "" also holds for a missing key, and another spelling of the key may be what is missing
            const bool plain = member.expected.kind == Expectation::Kind::Scalar && (deep || !member.expected.isNull) &&
                               !member.expected.text.empty();
            if (plain)
                add(all, field.field == Field::Headers ? Kind::Header : Kind::Query, lowerCase(member.expected.text),
                    lowerCase(member.key));
        }
        break;
    default:
        break;
    }
}

/// An expression that finds something in every ASCII subject the field's expectation holds for.
std::optional<std::string> patternFor(Operator op, const Expectation &expected)
{
    if (expected.kind != Expectation::Kind::Scalar)
        return std::nullopt;
    if (op == Operator::Matches)
        return expected.pattern ? expected.pattern->re2() : std::nullopt;
    if (expected.text.empty() || !isAscii(expected.text))
        return std::nullopt;
    const std::string_view text = expected.text;
    if (op == Operator::EndsWith)
        return writeRe2Literal(text.substr(text.size() - std::min(text.size(), longestLiteral)), LiteralPlace::End);
    return writeRe2Literal(text.substr(0, longestLiteral),
                           op == Operator::StartsWith ? LiteralPlace::Start : LiteralPlace::Anywhere);
}

Constraints leafConstraints(const CompiledPredicate &predicate)
{
    Constraints all;
    for (const FieldExpectation &field : predicate.fields) {
        if (predicate.selection) {
            if (predicate.op == Operator::Equals || predicate.op == Operator::DeepEquals)
                addSelected(all, predicate, field);
            continue;
        }
        switch (predicate.op) {
        case Operator::Equals:
        case Operator::DeepEquals:
            addEquality(all, predicate, field);
            break;
        case Operator::Contains:
        case Operator::StartsWith:
        case Operator::EndsWith:
        case Operator::Matches:
            if (field.field != Field::Path && field.field != Field::Body)
                break;
            if (auto pattern = patternFor(predicate.op, field.expected))
                add(all, field.field == Field::Path ? Kind::PathPattern : Kind::BodyPattern, std::move(*pattern));
            break;
        default:
            break;
        }
    }
    return all;
}

/// Of several alternatives only what each of them demands is demanded, with the values of all.
Constraints anyOf(const std::vector<CompiledPredicate> &alternatives)
{
    if (alternatives.empty())
        return {};
    Constraints all = constraintsOf(alternatives.front());
    for (std::size_t i = 1; i < alternatives.size(); ++i) {
        const Constraints other = constraintsOf(alternatives[i]);
        for (auto it = all.begin(); it != all.end();) {
            const auto same = other.find(it->first);
            if (same == other.end()) {
                it = all.erase(it);
                continue;
            }
            it->second.insert(it->second.end(), same->second.begin(), same->second.end());
            ++it;
        }
    }
    return all;
}

Constraints constraintsOf(const CompiledPredicate &predicate)
{
    switch (predicate.op) {
    case Operator::Or:
        return anyOf(predicate.children);
    case Operator::And: {
        Constraints all;
        for (const CompiledPredicate &child : predicate.children)
            all.merge(constraintsOf(child)); // of two demands on one attribute either is enough
        return all;
    }
    case Operator::Not:
    case Operator::Inject:
    case Operator::Unknown:
        return {};
    default:
        return leafConstraints(predicate);
    }
}

/// Texts that an `equals` at a path of the JSON body could find there, by the rules of predicateevaluation.cpp.
class FieldCollector
{
public:
    FieldCollector(const IndexKey &key, const std::function<void(std::string_view)> &visit)
        : m_path(key.fieldPath), m_selection(key.selection.of.get()),
          m_casing(m_selection ? m_selection->casing() : key.casing), m_visit(visit)
    {
    }

    void member(const json::Value &actual, std::size_t depth)
    {
        const json::Value *const found = findProperty(actual, m_path[depth]);
        if (found == nullptr && actual.isArray()) {
            for (const json::Value &item : actual.items())
                object(&item, depth);
            return;
        }
        value(found, depth + 1);
    }

    void value(const json::Value *actual, std::size_t depth)
    {
        const bool last = depth == m_path.size();
        if (actual != nullptr && actual->isArray()) {
            for (const json::Value &item : actual->items()) {
                if (last)
                    text(item);
                else
                    object(&item, depth);
            }
        } else if (!last) {
            object(actual, depth);
        } else if (actual == nullptr) {
            m_visit({});
        } else {
            text(*actual);
        }
    }

private:
    void object(const json::Value *actual, std::size_t depth)
    {
        if (actual == nullptr || !actual->isTruthy())
            return;
        if (actual->isString()) {
            if (const auto parsed = parseFolded(actual->text(), m_casing)) {
                member(m_selection ? m_selection->restOf(*parsed) : *parsed, depth);
                return;
            }
        }
        member(*actual, depth);
    }

    void text(const json::Value &actual)
    {
        if (actual.isString())
            m_visit(actual.text());
        else
            m_visit(javascriptText(actual));
    }

    const std::vector<std::string> &m_path;
    const FieldSelection *m_selection;
    Casing m_casing;
    const std::function<void(std::string_view)> &m_visit;
};

/// A text stands for itself, and for what it holds as JSON.
void visitDocuments(const IndexKey &key, const json::Value &selected,
                    const std::function<void(std::string_view)> &visit)
{
    visit(canonicalJson(selected));
    if (!selected.isString())
        return;
    if (const auto parsed = parseFolded(selected.text(), key.selection.of->casing()))
        visit(canonicalJson(key.selection.of->restOf(*parsed)));
}

} // namespace

std::vector<IndexConstraint> constraintsOf(const std::vector<CompiledPredicate> &predicates)
{
    Constraints all;
    for (const CompiledPredicate &predicate : predicates)
        all.merge(constraintsOf(predicate));
    std::vector<IndexConstraint> result;
    for (auto &[key, values] : all)
        result.push_back({key, std::move(values)});
    return result;
}

bool visitIndexValues(const IndexKey &key, RequestView &request, const std::function<void(std::string_view)> &visit)
{
    const auto text = [&](Field field) {
        const std::string *value = request.text(field, true);
        visit(value != nullptr ? std::string_view(*value) : std::string_view());
    };
    const auto pairs = [&](Field field) {
        static thread_local std::vector<std::string_view> found;
        request.anySpelling(field, key.name, found);
        for (const std::string_view value : found)
            visit(value);
    };
    switch (key.kind) {
    case Kind::Method:
        text(Field::Method);
        break;
    case Kind::Path:
        text(Field::Path);
        break;
    case Kind::BodyText:
        text(Field::Body);
        break;
    case Kind::Header:
        pairs(Field::Headers);
        break;
    case Kind::Query:
        pairs(Field::Query);
        break;
    case Kind::BodyDocument:
        if (const std::string *canonical = request.bodyCanonical(key.casing))
            visit(*canonical);
        break;
    case Kind::BodyField: {
        const std::string *body = request.text(Field::Body, foldsValues(key.casing));
        if (body == nullptr || body->empty())
            break;
        const json::Value *parsed = request.bodyJson(key.casing);
        FieldCollector(key, visit).member(parsed != nullptr ? *parsed : json::Value(*body), 0);
        break;
    }
    case Kind::Selected: {
        const json::Value *selected = nullptr;
        if (!request.trySelected(key.field, *key.selection.of, selected))
            return false;
        FieldCollector(key, visit).value(selected, 0);
        break;
    }
    case Kind::SelectedDocument: {
        const json::Value *selected = nullptr;
        if (!request.trySelected(key.field, *key.selection.of, selected))
            return false;
        if (selected != nullptr)
            visitDocuments(key, *selected, visit);
        break;
    }
    case Kind::PathPattern:
    case Kind::BodyPattern:
        break;
    }
    return true;
}

} // namespace wardbench
