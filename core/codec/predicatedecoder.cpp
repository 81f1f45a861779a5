#include "base/nearestname.h"
#include "codec/decoders.h"

#include <algorithm>
#include <array>

namespace wardbench::codec {
namespace {

using Operator = Predicate::Operator;

const std::vector<std::pair<std::string, Operator>> &operators()
{
    static const std::vector<std::pair<std::string, Operator>> list{{"equals", Operator::Equals},
                                                                    {"deepEquals", Operator::DeepEquals},
                                                                    {"contains", Operator::Contains},
                                                                    {"startsWith", Operator::StartsWith},
                                                                    {"endsWith", Operator::EndsWith},
                                                                    {"matches", Operator::Matches},
                                                                    {"exists", Operator::Exists},
                                                                    {"not", Operator::Not},
                                                                    {"or", Operator::Or},
                                                                    {"and", Operator::And},
                                                                    {"inject", Operator::Inject}};
    return list;
}

Operator operatorNamed(const std::string &name)
{
    for (const auto &[known, op] : operators()) {
        if (known == name)
            return op;
    }
    return Operator::Unknown;
}

/// The first operator in member order counts, as mountebank has it.
void readOperator(Predicate &predicate, const SchemaReader &reader)
{
    for (const json::Member &member : reader.value().members()) {
        predicate.op = operatorNamed(member.first);
        predicate.operatorName = member.first;
        if (predicate.op != Operator::Unknown)
            return;
    }
    std::vector<std::string> names;
    for (const auto &entry : operators())
        names.push_back(entry.first);
    predicate.operatorName = reader.value().size() ? reader.value().members().front().first : std::string();
    std::string message =
        "has no operator; expected one of equals, deepEquals, contains, startsWith, endsWith, matches, exists, "
        "not, or, and, inject";
    reader.error(message + suggestion(predicate.operatorName, names));
}

void readOperand(Predicate &predicate, const SchemaReader &operand)
{
    const auto addChild = [&predicate](const SchemaReader &reader) {
        predicate.children.push_back(decodePredicate(reader));
    };
    switch (predicate.op) {
    case Operator::Not:
        addChild(operand);
        break;
    case Operator::Or:
    case Operator::And:
        operand.eachItem(addChild);
        break;
    case Operator::Inject:
        predicate.script = operand.requiredText("a JavaScript function");
        break;
    case Operator::Unknown:
        break;
    default:
        if (operand.isObject())
            predicate.expected = operand.value();
    }
}

void readParameters(Predicate &predicate, const SchemaReader &reader)
{
    predicate.caseSensitive = reader["caseSensitive"].value().isTruthy();
    const SchemaReader keys = reader["keyCaseSensitive"];
    predicate.keyCaseSensitive = keys.present() ? keys.value().isTruthy() : predicate.caseSensitive;
    if (reader["except"].value().isTruthy())
        predicate.except = reader["except"].text();
    for (const char *kind : {"xpath", "jsonpath"}) {
        if (reader[kind].value().isTruthy()) {
            const bool xpath = std::string_view(kind) == "xpath";
            predicate.selector.kind = xpath ? Selector::Kind::XPath : Selector::Kind::JsonPath;
            predicate.selector.path = reader[kind]["selector"].requiredText("a selector");
            predicate.selector.namespaces = decodeNamespaces(reader[kind]["ns"]);
        }
    }
}

} // namespace

Predicate decodePredicate(const SchemaReader &reader)
{
    Predicate predicate;
    if (!reader.isObject())
        return predicate;
    readOperator(predicate, reader);
    if (predicate.op == Operator::Unknown)
        return predicate;
    readOperand(predicate, reader[predicate.operatorName]);
    readParameters(predicate, reader);
    return predicate;
}

} // namespace wardbench::codec
