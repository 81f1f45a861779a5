#include "codec/decoders.h"

#include <cmath>
#include <numeric>

namespace wardbench::codec {
namespace {

constexpr double exactIntegers = 9007199254740991; // 2^53 - 1

SchemaReader required(const SchemaReader &reader, std::string_view expected)
{
    if (!reader.present())
        reader.error("is missing; expected " + std::string(expected));
    return reader;
}

void readRange(Variable &variable, const SchemaReader &reader)
{
    variable.min = required(reader["min"], "the lowest value").number(0, -exactIntegers, exactIntegers);
    variable.max = required(reader["max"], "the highest value").number(0, -exactIntegers, exactIntegers);
    if (variable.max < variable.min) {
        reader["max"].expected("at least min");
        variable.max = variable.min;
    }
}

void readInteger(Variable &variable, const SchemaReader &reader)
{
    readRange(variable, reader);
    for (const char *end : {"min", "max"}) {
        if (reader[end].value().isNumber() && !reader[end].value().toInteger())
            reader[end].expected("a whole number");
    }
    variable.min = std::floor(variable.min);
    variable.max = std::floor(variable.max);
    reader.warnUnknown({"type", "min", "max"});
}

void readDecimal(Variable &variable, const SchemaReader &reader)
{
    readRange(variable, reader);
    const auto places = required(reader["places"], "the number of decimal places");
    variable.places = static_cast<int>(places.integer(0, 0, 15));
    const double largest = std::max(std::fabs(variable.min), std::fabs(variable.max));
    if (largest * std::pow(10.0, variable.places) > exactIntegers) {
        places.expected("fewer places: numbers of this size have no more than 15 digits in all");
        variable.places = 0;
    }
    reader.warnUnknown({"type", "min", "max", "places"});
}

void readZipf(Variable &variable, const SchemaReader &reader)
{
    variable.n =
        static_cast<std::uint32_t>(required(reader["n"], "how many values there are").integer(1, 1, 10'000'000));
    variable.exponent = reader["exponent"].number(1, 0, 100);
    reader.warnUnknown({"type", "n", "exponent"});
}

void readChoice(Variable &variable, const SchemaReader &reader)
{
    const SchemaReader values = required(reader["values"], "an array of values");
    values.eachItem([&variable](const SchemaReader &item) {
        if (const auto text = item.scalarText())
            variable.values.push_back(*text);
    });
    if (values.value().isArray() && values.value().size() == 0)
        values.error("is empty; expected at least one value");
    const SchemaReader weights = reader["weights"];
    weights.eachItem([&variable](const SchemaReader &item) { variable.weights.push_back(item.number(0, 0)); });
    if (weights.value().isArray()) {
        if (weights.value().size() != values.value().size())
            weights.error("has " + std::to_string(weights.value().size()) + " weights; expected one for each of the " +
                          std::to_string(values.value().size()) + " values");
        else if (std::accumulate(variable.weights.begin(), variable.weights.end(), 0.0) <= 0)
            weights.error("has no weight above 0; expected at least one");
    }
    reader.warnUnknown({"type", "values", "weights"});
}

/// JMeter's CSV Data Set, a column at a time.
void readCsv(Variable &variable, const SchemaReader &reader)
{
    variable.file = required(reader["file"], "the name of a file beside the workspace").text();
    variable.column = required(reader["column"], "a name from the file's first row").text();
    variable.delimiter = reader["delimiter"].text(",");
    if (variable.delimiter.empty())
        reader["delimiter"].expected("the text between two fields, such as \",\"");
    variable.shuffled = reader["order"].choice({"sequential", "random"}, "sequential") == "random";
    // A scenario is one thread group, and each repetition of a contestant a test of its own: "all" and "group" are one.
    variable.perUser = reader["shareMode"].choice({"all", "group", "thread"}, "all") == "thread";
    variable.recycle = reader["recycle"].boolean(true);
    variable.stopAtEnd = reader["stopThread"].boolean(false);
    if (variable.stopAtEnd && variable.recycle)
        reader["stopThread"].error("never happens while \"recycle\" is true; expected \"recycle\": false beside it");
    reader.warnUnknown({"type", "file", "column", "delimiter", "order", "shareMode", "recycle", "stopThread"});
}

Variable decodeVariable(const std::string &name, const SchemaReader &reader)
{
    Variable variable;
    variable.name = name;
    if (name.empty() || name.find_first_of("${}") != std::string::npos)
        reader.error("has a name that ${...} cannot hold; expected one without $, { and }");
    if (!reader.isObject())
        return variable;
    const std::string type = required(reader["type"], "integer, decimal, zipf, sequence or choice")
                                 .choice({"integer", "decimal", "zipf", "sequence", "choice", "csv"}, "");
    if (type == "integer") {
        readInteger(variable, reader);
    } else if (type == "decimal") {
        variable.type = Variable::Type::Decimal;
        readDecimal(variable, reader);
    } else if (type == "zipf") {
        variable.type = Variable::Type::Zipf;
        readZipf(variable, reader);
    } else if (type == "sequence") {
        variable.type = Variable::Type::Sequence;
        constexpr auto bound = static_cast<std::int64_t>(exactIntegers);
        variable.start = reader["start"].integer(1, -bound, bound);
        variable.step = reader["step"].integer(1, -bound, bound);
        reader.warnUnknown({"type", "start", "step"});
    } else if (type == "choice") {
        variable.type = Variable::Type::Choice;
        readChoice(variable, reader);
    } else if (type == "csv") {
        variable.type = Variable::Type::Csv;
        readCsv(variable, reader);
    }
    return variable;
}

} // namespace

std::vector<Variable> decodeVariables(const SchemaReader &reader)
{
    std::vector<Variable> variables;
    reader.eachMember([&variables](const std::string &name, const SchemaReader &member) {
        const bool remark = (name == "description" || name == "$schema") && member.value().isString();
        if (!remark)
            variables.push_back(decodeVariable(name, member));
    });
    return variables;
}

} // namespace wardbench::codec
