#include "admin/behaviorcheck.h"

#include <algorithm>
#include <map>
#include <optional>

namespace wardbench::admin {
namespace {

enum Allowed : unsigned { Text = 1, Number = 2, Object = 4, OwnObject = 8 };

struct Field
{
    std::string path; ///< below the behavior's value; empty: the value itself
    unsigned allowed; ///< in the order of the message: `first` first
    bool required = true;
    const char *representing = "";
    std::vector<std::string> choices{};
    bool oneKey = false;
};

using Fields = std::vector<Field>;

Fields selection(const std::string &prefix)
{
    return {{prefix + "from", Text | Object, true, "the request field to select from", {}, true},
            {prefix + "using", Object},
            {prefix + "using.method", Text, true, "", {"regex", "xpath", "jsonpath"}},
            {prefix + "using.selector", Text}};
}

Fields copyFields()
{
    Fields fields = selection("");
    fields.insert(fields.begin() + 1, {"into", Text, true, "the token to replace in response fields"});
    return fields;
}

Fields lookupFields()
{
    Fields fields{{"key", Object}};
    for (Field &field : selection("key."))
        fields.push_back(std::move(field));
    fields.push_back({"fromDataSource", Object, true, "", {"csv"}, true});
    fields.push_back({"fromDataSource.csv", Object, false});
    fields.push_back({"fromDataSource.csv.path", Text, true, "the path to the CSV file"});
    fields.push_back({"fromDataSource.csv.delimiter", Text, false, "the delimiter separator values"});
    fields.push_back(
        {"fromDataSource.csv.keyColumn", Text, true, "the column header to select against the \"key\" field"});
    fields.push_back({"into", Text, true, "the token to replace in response fields"});
    return fields;
}

const std::map<std::string, Fields, std::less<>> &rules()
{
    // A wait may also be one of our distributions, which mountebank does not know.
    static const std::map<std::string, Fields, std::less<>> all{
        {"wait", {{"", Text | Number | OwnObject}}},
        {"copy", copyFields()},
        {"lookup", lookupFields()},
        {"shellTransform", {{"", Text, true, "the path to a command line application"}}},
        {"decorate", {{"", Text, true, "a JavaScript function"}}},
    };
    return all;
}

bool isAllowed(const json::Value &value, unsigned allowed)
{
    switch (value.kind()) {
    case json::Value::Kind::String:
        return allowed & Text;
    case json::Value::Kind::Number:
        return allowed & Number;
    case json::Value::Kind::Object:
        return allowed & (Object | OwnObject);
    case json::Value::Kind::Array:
        return allowed & Object;
    default:
        return false;
    }
}

std::string typeMessage(const Field &field)
{
    std::string words;
    for (const auto &[kind, name] : {std::pair{Text, "a string"}, {Number, "a number"}, {Object, "an object"}}) {
        if (field.allowed & kind)
            words += (words.empty() ? "" : " or ") + std::string(name);
    }
    const std::string what = field.representing;
    return "must be " + words + (what.empty() ? "" : ", representing " + what);
}

/// The value at a dotted path; null when it or something on the way is missing.
const json::Value *at(const json::Value &value, std::string_view path)
{
    const json::Value *found = &value;
    while (found && !path.empty()) {
        const std::size_t dot = path.find('.');
        found = found->find(path.substr(0, dot));
        path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    }
    return found;
}

/// What is wrong with one field, without its name; nothing when all is well.
std::optional<std::string> problemOf(const Field &field, const json::Value *value)
{
    if (!value || value->isNull())
        return field.required ? std::optional<std::string>("required") : std::nullopt;
    if (!isAllowed(*value, field.allowed))
        return typeMessage(field);
    if (field.oneKey && value->isObject() && value->size() != 1)
        return "must have exactly one key";
    if (!field.choices.empty()) {
        const std::string &given = value->isObject() ? value->members().front().first : value->text();
        if (std::find(field.choices.begin(), field.choices.end(), given) == field.choices.end()) {
            std::string list;
            for (const std::string &choice : field.choices)
                list += (list.empty() ? "" : ", ") + choice;
            return "must be one of [" + list + ']';
        }
    }
    if (value->isNumber() && value->toDouble() < 0)
        return "must be an integer greater than or equal to 0";
    return std::nullopt;
}

void checkBehavior(const json::Value &behavior, std::vector<ApiError> &errors)
{
    std::vector<std::string> known;
    std::string unknown;
    for (const json::Member &member : behavior.members()) {
        if (rules().contains(member.first))
            known.push_back(member.first);
        else if (unknown.empty())
            unknown = member.first;
    }
    if (known.empty()) {
        errors.push_back(badData("Unrecognized behavior: \"" + unknown + '"', behavior));
        return;
    }
    if (known.size() > 1) {
        errors.push_back(badData("Each behavior object must have only one behavior type", behavior));
        return;
    }
    const std::string &name = known.front();
    std::string broken = "?"; // below a field that is missing or wrong nothing more is said
    for (const Field &field : rules().find(name)->second) {
        if (field.path.starts_with(broken + '.'))
            continue;
        const json::Value *value = at(behavior[name], field.path);
        const auto problem = problemOf(field, value);
        if (problem) {
            const std::string shown = field.path.empty() ? name : field.path;
            errors.push_back(badData(name + " behavior \"" + shown + "\" field " + *problem, behavior));
        }
        if (problem || !value)
            broken = field.path;
    }
}

} // namespace

std::vector<ApiError> checkBehaviors(const json::Value &behaviors)
{
    std::vector<ApiError> errors;
    if (!behaviors.isArray())
        errors.push_back(badData("\"behaviors\" field must be an array", behaviors));
    for (const json::Value &behavior : behaviors.items())
        checkBehavior(behavior, errors);
    return errors;
}

} // namespace wardbench::admin
