#include "editors/conditions.h"

#include "widgets/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace wardbench::conditions {

using namespace Qt::StringLiterals;
using json::Value;

namespace {

constexpr std::array<std::string_view, 7> leafOperators{"equals",   "deepEquals", "contains", "startsWith",
                                                        "endsWith", "matches",    "exists"};
constexpr std::array<std::string_view, 4> parametersOfLeaves{"except", "xpath", "jsonpath", "keyCaseSensitive"};

bool isLeaf(std::string_view name)
{
    return std::find(leafOperators.begin(), leafOperators.end(), name) != leafOperators.end();
}

const json::Member *operatorOf(const Value &predicate)
{
    for (const json::Member &member : predicate.members()) {
        if (isLeaf(member.first) || member.first == "not" || member.first == "or" || member.first == "and")
            return &member;
    }
    return nullptr;
}

QString wordFor(const std::string &op, bool negated, const Value &expected)
{
    if (op == "exists")
        return expected.toBool() != negated ? u"exists"_s : u"absent"_s;
    return (negated ? u"not "_s : QString()) + qtext(op);
}

// query, headers and form hold one row per name unless an inner value is an object itself.
bool opensIntoNames(std::string_view field, const Value &value)
{
    return (field == "query" || field == "headers" || field == "form") && value.isObject() &&
           std::none_of(value.members().begin(), value.members().end(),
                        [](const json::Member &member) { return member.second.isObject() || member.second.isArray(); });
}

// What a predicate has besides its operator and its case.
Value otherMembers(const Value &predicate, const std::string &op)
{
    return predicate.withoutMember(op).withoutMember("caseSensitive");
}

// Rows of a predicate of fields.
std::vector<Condition> rowsOfLeaf(const Value &predicate, const json::Member &op, Condition row, bool negated)
{
    std::vector<Condition> rows;
    row.caseSensitive = row.caseSensitive || predicate["caseSensitive"].toBool();
    row.parameters = otherMembers(predicate, op.first);
    const auto add = [&](json::Path field, const Value &expected) {
        row.field = std::move(field);
        row.word = wordFor(op.first, negated, expected);
        row.expected = expected;
        rows.push_back(row);
    };
    // A deepEquals of a map means "these and no others": one row, not one per name.
    const bool whole = op.first == "deepEquals";
    for (const auto &[field, expected] : op.second.members()) {
        if (!whole && opensIntoNames(field, expected)) {
            for (const auto &[name, inner] : expected.members())
                add({field, name}, inner);
        } else {
            add({field}, expected);
        }
    }
    return rows;
}

// Rows of one predicate; nothing when it has no row form.
std::vector<Condition> rowsOf(const Value &predicate, std::size_t index)
{
    Condition row;
    row.predicate = index;
    if (predicate["inject"].isString()) {
        row.form = Condition::Form::Script;
        row.expected = predicate["inject"];
        return {row};
    }
    const Value *inner = &predicate;
    const json::Member *op = operatorOf(predicate);
    const bool negated = op && op->first == "not";
    if (negated) {
        for (const std::string_view name : parametersOfLeaves) {
            if (predicate.find(name))
                return {};
        }
        row.outer = otherMembers(predicate, "not");
        row.caseSensitive = predicate["caseSensitive"].toBool();
        inner = &op->second;
        op = operatorOf(*inner);
    }
    if (!op || !isLeaf(op->first) || !op->second.isObject() || inner->find("inject"))
        return {};
    std::vector<Condition> rows = rowsOfLeaf(*inner, *op, row, negated);
    if (negated && rows.size() != 1) // not (a and b) is no list of rows
        rows.clear();
    return rows;
}

Value withMembers(Value object, const Value &more)
{
    for (const auto &[name, value] : more.members())
        object = object.withMember(name, value);
    return object;
}

Value predicateOf(const Condition &row)
{
    if (row.form == Condition::Form::Script)
        return Value(json::Members{{"inject", row.expected}});
    QString word = row.word;
    const bool negated = word.startsWith(u"not "_s);
    if (negated)
        word.remove(0, 4);
    const bool presence = word == u"exists" || word == u"absent";
    Value expected = presence ? Value(word == u"exists") : row.expected;
    for (auto name = row.field.rbegin(); name != row.field.rend(); ++name)
        expected = Value(json::Members{{*name, expected}});
    Value predicate(json::Members{{presence ? "exists" : utf8(word), expected}});
    if (row.caseSensitive)
        predicate = predicate.withMember("caseSensitive", Value(true));
    predicate = withMembers(predicate, row.parameters);
    if (negated)
        predicate = Value(json::Members{{"not", predicate}});
    return withMembers(predicate, row.outer);
}

// The predicate without this row's field; Null when nothing would be left of it.
Value without(const Value &predicate, const Condition &row)
{
    const json::Member *op = operatorOf(predicate);
    if (!op || op->first == "not" || row.form != Condition::Form::Field)
        return {};
    Value operand = op->second;
    if (row.field.size() == 2) {
        const Value inner = operand[row.field[0]].withoutMember(row.field[1]);
        operand = inner.size() ? operand.withMember(row.field[0], inner) : operand.withoutMember(row.field[0]);
    } else {
        operand = operand.withoutMember(row.field[0]);
    }
    return operand.size() ? predicate.withMember(op->first, operand) : Value();
}

} // namespace

const std::vector<std::pair<QString, QString>> &operators()
{
    const auto label = [](const char *text) {
        return QCoreApplication::translate("conditions", text);
    };
    static const std::vector<std::pair<QString, QString>> list{
        {u"equals"_s, label("equals")},          {u"not equals"_s, label("does not equal")},
        {u"contains"_s, label("contains")},      {u"not contains"_s, label("does not contain")},
        {u"startsWith"_s, label("starts with")}, {u"endsWith"_s, label("ends with")},
        {u"matches"_s, label("matches")},        {u"not matches"_s, label("does not match")},
        {u"deepEquals"_s, label("deep equals")}, {u"exists"_s, label("is present")},
        {u"absent"_s, label("is absent")},
    };
    return list;
}

std::vector<Condition> fromPredicates(const Value &predicates)
{
    std::vector<Condition> all;
    for (std::size_t i = 0; i < predicates.size(); ++i) {
        auto rows = rowsOf(predicates.at(i), i);
        if (rows.empty()) {
            Condition row;
            row.predicate = i;
            row.form = Condition::Form::Json;
            row.expected = predicates.at(i);
            rows.push_back(row);
        }
        all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
}

Value replaced(const Value &predicates, const Condition &row, const Condition &by)
{
    const Value &old = predicates.at(row.predicate);
    const Value rest = without(old, row);
    // Only the expected value is new: it stays where it is, and the file's form with it.
    const json::Member *op = operatorOf(old);
    const bool onlyExpected = row.form == by.form && row.field == by.field && row.word == by.word &&
                              row.caseSensitive == by.caseSensitive && row.parameters == by.parameters;
    if (op && isLeaf(op->first) && onlyExpected) {
        Value operand = op->second;
        operand = row.field.size() == 2
                      ? operand.withMember(row.field[0], operand[row.field[0]].withMember(row.field[1], by.expected))
                      : operand.withMember(row.field[0], by.expected);
        return predicates.withItem(row.predicate, old.withMember(op->first, operand));
    }
    if (rest.isNull())
        return predicates.withItem(row.predicate, predicateOf(by));
    return predicates.withItem(row.predicate, rest).withItemInserted(row.predicate + 1, predicateOf(by));
}

Value replacedPredicate(const Value &predicates, std::size_t index, const Value &predicate)
{
    return predicates.withItem(index, predicate);
}

Value removed(const Value &predicates, const Condition &row)
{
    const Value rest = without(predicates.at(row.predicate), row);
    return rest.isNull() ? predicates.withoutItem(row.predicate) : predicates.withItem(row.predicate, rest);
}

Value added(const Value &predicates, const Condition &row)
{
    const Value list = predicates.isArray() ? predicates : Value::array();
    return list.withItemInserted(list.size(), predicateOf(row));
}

} // namespace wardbench::conditions
