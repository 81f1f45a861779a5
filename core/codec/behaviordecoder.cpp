#include "base/nearestname.h"
#include "codec/decoders.h"

namespace wardbench::codec {
namespace {

using Kind = Behavior::Kind;

/// In the order in which the old object form applied them.
const std::vector<std::pair<std::string, Kind>> &behaviorKinds()
{
    static const std::vector<std::pair<std::string, Kind>> kinds{{"wait", Kind::Wait},
                                                                 {"lookup", Kind::Lookup},
                                                                 {"copy", Kind::Copy},
                                                                 {"shellTransform", Kind::ShellTransform},
                                                                 {"decorate", Kind::Decorate}};
    return kinds;
}

std::vector<std::string> behaviorNames()
{
    std::vector<std::string> names;
    for (const auto &[name, kind] : behaviorKinds())
        names.push_back(name);
    return names;
}

int decodeRepeat(const SchemaReader &reader)
{
    if (!reader.present())
        return 1;
    const auto repeat = wholeNumber(reader.value());
    if (repeat && *repeat > 0 && *repeat <= std::numeric_limits<int>::max())
        return static_cast<int>(*repeat);
    reader.expected("a whole number greater than 0");
    return 1;
}

Extraction decodeExtraction(const SchemaReader &reader)
{
    Extraction extraction;
    if (!reader.present())
        reader.error("is missing; expected an object with method and selector");
    if (!reader.isObject())
        return extraction;
    if (!reader["method"].present())
        reader["method"].error("is missing; expected \"regex\", \"xpath\" or \"jsonpath\"");
    const std::string method = reader["method"].choice({"regex", "xpath", "jsonpath"}, "regex");
    if (method == "xpath")
        extraction.method = Extraction::Method::XPath;
    else if (method == "jsonpath")
        extraction.method = Extraction::Method::JsonPath;
    extraction.selector = reader["selector"].requiredText("a selector");
    extraction.namespaces = decodeNamespaces(reader["ns"]);
    extraction.ignoreCase = reader["options"]["ignoreCase"].value().isTruthy();
    extraction.multiline = reader["options"]["multiline"].value().isTruthy();
    return extraction;
}

/// A field's name, or a path to a value in it as nested objects of one key.
json::Value decodeFrom(const SchemaReader &reader)
{
    if (!reader.present())
        reader.error("is missing; expected the request field to select from");
    else if (!reader.value().isString() && !reader.value().isObject())
        reader.expected("the request field to select from: its name, or an object like { \"query\": \"id\" }");
    else if (reader.value().isObject() && reader.value().size() != 1)
        reader.expected("an object with exactly one key");
    return reader.value();
}

void decodeCopy(Behavior &behavior, const SchemaReader &reader)
{
    behavior.from = decodeFrom(reader["from"]);
    behavior.extraction = decodeExtraction(reader["using"]);
    behavior.into = reader["into"].requiredText("the token to replace in response fields");
}

void decodeLookup(Behavior &behavior, const SchemaReader &reader)
{
    const SchemaReader key = reader["key"];
    const SchemaReader csv = reader["fromDataSource"]["csv"];
    if (!key.present())
        key.error("is missing; expected an object with from and using");
    if (!csv.present())
        csv.error("is missing; expected an object with path and keyColumn");
    behavior.into = reader["into"].requiredText("the token to replace in response fields");
    if (key.isObject()) {
        behavior.from = decodeFrom(key["from"]);
        behavior.extraction = decodeExtraction(key["using"]);
        behavior.index = static_cast<std::size_t>(key["index"].integer(0, 0, 1'000'000));
    }
    if (csv.isObject()) {
        behavior.csvPath = csv["path"].requiredText("the path to the CSV file");
        behavior.keyColumn = csv["keyColumn"].requiredText("the column header to select against the \"key\" field");
        behavior.delimiter = csv["delimiter"].text(",");
    }
}

void addBehavior(Response &response, const std::string &name, Kind kind, const SchemaReader &value)
{
    Behavior behavior;
    behavior.name = name;
    behavior.kind = kind;
    switch (kind) {
    case Kind::Wait:
        behavior.wait = decodeDelay(value);
        break;
    case Kind::Copy:
        if (value.isObject())
            decodeCopy(behavior, value);
        break;
    case Kind::Lookup:
        if (value.isObject())
            decodeLookup(behavior, value);
        break;
    case Kind::Decorate:
        behavior.script = value.requiredText("a JavaScript function");
        break;
    case Kind::ShellTransform:
        behavior.script = value.requiredText("a command line");
        break;
    }
    response.behaviors.push_back(std::move(behavior));
}

void decodeBehavior(Response &response, const SchemaReader &reader)
{
    if (!reader.isObject())
        return;
    std::vector<std::pair<std::string, Kind>> found;
    for (const auto &known : behaviorKinds()) {
        if (reader[known.first].present())
            found.push_back(known);
    }
    if (found.empty()) {
        const std::string first = reader.value().size() ? reader.value().members().front().first : std::string();
        if (first == "repeat")
            reader.error("repeat is no behavior; expected it as a member of the response");
        else
            reader.error("has no behavior; expected one of wait, lookup, copy, shellTransform, decorate" +
                         suggestion(first, behaviorNames()));
        return;
    }
    if (found.size() > 1)
        reader.error("has " + found[0].first + " and " + found[1].first + "; expected one behavior in each object");
    addBehavior(response, found[0].first, found[0].second, reader[found[0].first]);
}

/// The form before mountebank 2.4: an object in which the order is fixed, arrays stand for several behaviors, and
/// `repeat` has its place (mountebank.md 2.10).
void decodeOldBehaviors(Response &response, const SchemaReader &reader)
{
    if (!reader.isObject())
        return;
    for (const auto &[name, kind] : behaviorKinds()) {
        const SchemaReader value = reader[name];
        if (value.value().isArray())
            value.eachItem([&](const SchemaReader &item) { addBehavior(response, name, kind, item); });
        else if (value.present())
            addBehavior(response, name, kind, value);
    }
    response.repeat = decodeRepeat(reader["repeat"]);
}

} // namespace

XmlNamespaces decodeNamespaces(const SchemaReader &reader)
{
    XmlNamespaces namespaces;
    if (!reader.present() || reader.value().isNull())
        return namespaces;
    reader.eachMember([&namespaces](const std::string &alias, const SchemaReader &uri) {
        namespaces.emplace_back(alias, uri.text());
    });
    return namespaces;
}

void decodeBehaviors(Response &response, const SchemaReader &reader)
{
    if (reader["_behaviors"].present() && !reader["behaviors"].present() && !reader["repeat"].present())
        return decodeOldBehaviors(response, reader["_behaviors"]);
    reader["behaviors"].eachItem([&](const SchemaReader &item) { decodeBehavior(response, item); });
    response.repeat = decodeRepeat(reader["repeat"]);
}

} // namespace wardbench::codec
