#include "warden/schema.h"

#include "json/parser.h"
#include "json/writer.h"

#include <cmath>
#include <cstdlib>

namespace wardbench::warden {
namespace {

using json::Value;

std::string textOf(const Value &value)
{
    if (value.isString() || value.isNumber())
        return value.text();
    return value.isNull() ? std::string() : json::writeCompact(value);
}

/// JavaScript's Number(): null is 0, a text that is no number none.
std::optional<double> numberOf(const Value &value)
{
    if (value.isNumber())
        return value.toDouble();
    if (value.isNull() || value.isBool())
        return value.toBool() ? 1 : 0;
    if (!value.isString())
        return std::nullopt;
    if (value.text().empty())
        return 0;
    char *end = nullptr;
    const double number = std::strtod(value.text().c_str(), &end);
    return *end == '\0' && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

bool fits(std::string_view type, const Value &value)
{
    if (type == "integer")
        return value.toInteger().has_value();
    return (type == "null" && value.isNull()) || (type == "string" && value.isString()) ||
           (type == "number" && value.isNumber()) || (type == "boolean" && value.isBool()) ||
           (type == "array" && value.isArray()) || (type == "object" && value.isObject());
}

/// The type to write: of a list the first that fits, else its first.
std::string typeFor(const Value &schema, const Value &value)
{
    const Value &type = schema["type"];
    if (type.isString())
        return type.text();
    for (const Value &one : type.items()) {
        if (fits(one.text(), value))
            return one.text();
    }
    if (type.size() > 0)
        return type.at(0).text();
    return schema.find("properties") ? "object" : "";
}

Result<Value> shapedObject(const Value &schema, const Value &value)
{
    json::Members members;
    for (const auto &[name, member] : schema["properties"].members()) {
        const Value *given = value.find(name);
        if (!given)
            given = member.find("default");
        if (!given)
            continue;
        Result<Value> shaped = shapedBy(member, *given);
        if (!shaped)
            return shaped;
        members.emplace_back(name, std::move(*shaped));
    }
    const Value &more = schema["additionalProperties"];
    for (const auto &[name, member] : value.members()) {
        if (schema["properties"].find(name) || !(more.toBool() || more.isObject()))
            continue;
        Result<Value> shaped = shapedBy(more.isObject() ? more : Value::object(), member);
        if (!shaped)
            return shaped;
        members.emplace_back(name, std::move(*shaped));
    }
    for (const Value &name : schema["required"].items()) {
        if (!value.find(name.text()) && !schema["properties"][name.text()].find("default"))
            return fail("\"" + name.text() + "\" is required by the schema and is not in the body",
                        Error::Code::BadInput);
    }
    return Value(std::move(members));
}

Result<Value> shapedArray(const Value &schema, const Value &value)
{
    json::Array items;
    for (const Value &item : value.items()) {
        Result<Value> shaped = shapedBy(schema["items"], item);
        if (!shaped)
            return shaped;
        items.push_back(std::move(*shaped));
    }
    return Value(std::move(items));
}

bool isJsonType(const http::Headers &headers)
{
    const std::string *type = headers.find("content-type");
    return !type || http::toLower(*type).find("json") != std::string::npos;
}

std::optional<Value> parsed(const std::string &body)
{
    json::Limits limits;
    limits.duplicatesAreErrors = false;
    json::ParseResult result = json::parse(body, limits);
    Value *const value = std::get_if<Value>(&result);
    return value ? std::optional(std::move(*value)) : std::nullopt;
}

} // namespace

Result<json::Value> shapedBy(const json::Value &schema, const json::Value &value)
{
    const std::string type = typeFor(schema, value);
    if (type == "object")
        return shapedObject(schema, value);
    if (type == "array")
        return shapedArray(schema, value);
    if (type == "string")
        return Value(textOf(value));
    if (type == "boolean")
        return Value(value.isTruthy() || value.isArray() || value.isObject());
    if (type == "null")
        return Value();
    if (type != "number" && type != "integer")
        return value;
    if (fits(type, value))
        return value;
    const auto number = numberOf(value);
    if (!number)
        return Value();
    return Value(type == "integer" ? std::trunc(*number) : *number);
}

Schema::Schema(const SchemaConfig &config, Surroundings &surroundings)
    : Module("schema"), m_config(config), m_surroundings(surroundings)
{
}

void Schema::send(Call &call)
{
    const ClientRequest &request = *call.request;
    const auto body =
        request.body.empty() || !isJsonType(request.headers) ? std::optional<Value>() : parsed(request.body);
    if (!body || (!body->isObject() && !body->isArray())) {
        m_networkSide->send(call);
        return;
    }
    Result<Value> shaped = shapedBy(m_config.schema, *body);
    if (!shaped) {
        ++m_unshaped;
        Reply refused = refusal(TransportError::Other, m_surroundings.now());
        refused.errorText = shaped.error().message;
        m_callerSide->answer(call, refused);
        return;
    }
    ++m_shaped;
    auto made = std::make_shared<ClientRequest>(request);
    made->body = json::writeCompact(*shaped);
    if (made->headers.has("content-length"))
        made->headers.set("Content-Length", std::to_string(made->body.size()));
    if (!made->headers.has("content-type"))
        made->headers.add("Content-Type", "application/json");
    call.request = std::move(made);
    m_networkSide->send(call);
}

void Schema::answer(Call &call, const Reply &reply)
{
    if (!reply.response || reply.response->body.empty() || parsed(reply.response->body)) {
        m_callerSide->answer(call, reply);
        return;
    }
    ++m_notJson;
    auto response = std::make_shared<http::Response>(*reply.response);
    response->body = "null";
    response->headers.remove("content-length");
    Reply own = reply;
    own.response = std::move(response);
    m_callerSide->answer(call, own);
}

} // namespace wardbench::warden
