#include "base/nearestname.h"
#include "codec/decoders.h"

#include <array>
#include <charconv>

namespace wardbench::codec {
namespace {

/// A whole number, given as a number or as its text.
std::optional<std::int64_t> wholeNumber(const json::Value &value)
{
    if (!value.isString())
        return value.toInteger();
    const std::string &text = value.text();
    std::int64_t number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    return failure == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
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

const std::vector<std::string> &behaviorNames()
{
    static const std::vector<std::string> names{"wait", "lookup", "copy", "shellTransform", "decorate"};
    return names;
}

void addBehavior(Response &response, const std::string &name, const SchemaReader &value)
{
    Behavior behavior;
    behavior.name = name;
    if (name == "wait")
        behavior.wait = decodeDelay(value);
    const bool script = behavior.wait.kind == Delay::Kind::Script;
    if (name != "wait" || script) {
        behavior.kind = Behavior::Kind::Inactive;
        response.kind = Response::Kind::Inactive;
        const std::string part = script ? "a wait script" : "the " + name + " behavior";
        if (response.inactive.empty())
            response.inactive = part;
        value.warning(notRun(part + " is"));
    }
    response.behaviors.push_back(std::move(behavior));
}

void decodeBehavior(Response &response, const SchemaReader &reader)
{
    if (!reader.isObject())
        return;
    std::vector<std::string> found;
    for (const std::string &name : behaviorNames()) {
        if (reader[name].present())
            found.push_back(name);
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
        reader.error("has " + found[0] + " and " + found[1] + "; expected one behavior in each object");
    addBehavior(response, found.front(), reader[found.front()]);
}

/// The form before mountebank 2.4: an object in which the order is fixed, arrays stand for several behaviors, and
/// `repeat` has its place (mountebank.md 2.10).
void decodeOldBehaviors(Response &response, const SchemaReader &reader)
{
    if (!reader.isObject())
        return;
    for (const std::string &name : behaviorNames()) {
        const SchemaReader value = reader[name];
        if (value.value().isArray())
            value.eachItem([&](const SchemaReader &item) { addBehavior(response, name, item); });
        else if (value.present())
            addBehavior(response, name, value);
    }
    response.repeat = decodeRepeat(reader["repeat"]);
}

void decodeKind(Response &response, const SchemaReader &reader)
{
    static constexpr std::array<std::string_view, 4> kinds{"is", "proxy", "inject", "fault"};
    std::vector<std::string> found;
    for (const std::string_view kind : kinds) {
        if (reader[kind].present())
            found.emplace_back(kind);
    }
    if (found.empty()) {
        const std::string first = reader.value().size() ? reader.value().members().front().first : std::string();
        reader.error("has no kind of response; expected one of is, proxy, inject, fault" +
                     suggestion(first, {kinds.begin(), kinds.end()}));
        return;
    }
    if (found.size() > 1)
        reader.error("has " + found[0] + " and " + found[1] + "; expected one kind in each response");
    if (found.front() == "is") {
        response.is = decodeIsResponse(reader["is"]);
        return;
    }
    response.kind = Response::Kind::Inactive;
    response.inactive = (found.front() == "inject" ? "an " : "a ") + found.front() + " response";
    reader[found.front()].warning(notRun(response.inactive + " is"));
}

void checkStatus(const SchemaReader &reader)
{
    const json::Value &value = reader.value();
    if (!reader.present() || !isTruthy(value)) // 0 and "" fall back to the default response
        return;
    const auto code = wholeNumber(value);
    if (!value.isNumber() && !value.isString())
        reader.expected("a status code");
    else if (!code || *code < 100 || *code > 999)
        reader.warning(shown(value) + " is no status code from 100 to 999; such a response is answered with 500");
}

} // namespace

IsResponse decodeIsResponse(const SchemaReader &reader)
{
    IsResponse is;
    if (!reader.isObject())
        return is;
    if (reader["statusCode"].present())
        is.statusCode = reader["statusCode"].value();
    checkStatus(reader["statusCode"]);
    const SchemaReader headers = reader["headers"];
    is.hasHeaders = headers.present() && isTruthy(headers.value());
    const auto checkHeader = [](const SchemaReader &header) {
        if (header.value().isObject() || header.value().isNull())
            header.expected("text, a number, or an array of them");
    };
    if (is.hasHeaders) {
        headers.eachMember([&](const std::string &name, const SchemaReader &header) {
            if (header.value().isArray())
                header.eachItem(checkHeader);
            else
                checkHeader(header);
            is.headers.emplace_back(name, header.value());
        });
    }
    if (reader["body"].present())
        is.body = reader["body"].value();
    if (isTruthy(reader["_mode"].value()))
        is.mode = reader["_mode"].choice({"text", "binary"}, "text");
    return is;
}

Response decodeResponse(const SchemaReader &reader)
{
    Response response;
    if (!reader.isObject())
        return response;
    decodeKind(response, reader);
    const bool old = reader["_behaviors"].present() && !reader["behaviors"].present() && !reader["repeat"].present();
    if (old) {
        decodeOldBehaviors(response, reader["_behaviors"]);
    } else {
        reader["behaviors"].eachItem([&](const SchemaReader &item) { decodeBehavior(response, item); });
        response.repeat = decodeRepeat(reader["repeat"]);
    }
    response.weight = reader["weight"].number(1, 0);
    return response;
}

} // namespace wardbench::codec
