#include "mock/templatehelpers.h"

#include "base/duration.h"
#include "http/authority.h"
#include "http/target.h"
#include "mock/templatedates.h"
#include "mock/textselection.h"
#include "mock/wiretext.h"
#include "json/parser.h"
#include "json/writer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace wardbench::mock {
namespace {

using Arguments = TemplateScope::Arguments;
using Helper = std::function<json::Value(RequestScope &, const Arguments &)>;
using Helpers = std::map<std::string, Helper, std::less<>>;

std::string text(const json::Value &value)
{
    return value.isNull() ? std::string() : scalarText(value);
}

double number(const json::Value &value, double otherwise = 0)
{
    if (value.isNumber())
        return value.toDouble();
    if (!value.isString())
        return otherwise;
    const json::ParseResult parsed = json::parse(value.text());
    const auto *read = std::get_if<json::Value>(&parsed);
    return read ? read->toDouble(otherwise) : otherwise;
}

json::Value orElse(const json::Value &value, const json::Value &otherwise)
{
    const bool missing = value.isNull() || (value.isString() && value.text().empty());
    return missing ? otherwise : value;
}

std::string mapped(std::string value, int (*change)(int))
{
    for (char &c : value)
        c = static_cast<unsigned char>(c) < 0x80 ? static_cast<char>(change(c)) : c;
    return value;
}

std::string trimmed(const std::string &value)
{
    const std::size_t first = value.find_first_not_of(" \t\r\n");
    return first == std::string::npos ? std::string()
                                      : value.substr(first, value.find_last_not_of(" \t\r\n") - first + 1);
}

std::string replaced(std::string value, const std::string &what, const std::string &by)
{
    for (std::size_t at = what.empty() ? std::string::npos : value.find(what); at != std::string::npos;
         at = value.find(what, at + by.size()))
        value.replace(at, what.size(), by);
    return value;
}

std::string drawn(RequestScope &scope, std::size_t length, std::string_view alphabet)
{
    std::string out;
    for (std::size_t i = 0; i < std::min<std::size_t>(length, 100'000); ++i)
        out +=
            alphabet[static_cast<std::size_t>(scope.randomInteger(0, static_cast<std::int64_t>(alphabet.size()) - 1))];
    return out;
}

/// Version 4 (RFC 9562 section 5.4).
std::string uuid(RequestScope &scope)
{
    std::string out = drawn(scope, 36, "0123456789abcdef");
    for (const std::size_t dash : {8u, 13u, 18u, 23u})
        out[dash] = '-';
    out[14] = '4';
    out[19] = "89ab"[scope.randomInteger(0, 3)];
    return out;
}

json::Value randomValue(RequestScope &scope, const Arguments &arguments)
{
    static constexpr std::string_view digits = "0123456789";
    static constexpr std::string_view lower = "abcdefghijklmnopqrstuvwxyz";
    static constexpr std::string_view upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const std::string type = mapped(text(arguments.option("type")), std::toupper);
    if (type == "UUID")
        return uuid(scope);
    const auto length = static_cast<std::size_t>(std::clamp(number(arguments.option("length"), 36), 0.0, 1e5));
    const std::string_view letters = arguments.option("uppercase").isTruthy() ? upper : lower;
    if (type == "ALPHABETIC")
        return drawn(scope, length, letters);
    if (type == "NUMERIC")
        return drawn(scope, length, digits);
    if (type == "HEXADECIMAL")
        return drawn(scope, length, arguments.option("uppercase").isTruthy() ? "0123456789ABCDEF" : "0123456789abcdef");
    std::string alphabet(digits);
    alphabet += letters;
    if (type == "ALPHANUMERIC_AND_SYMBOLS")
        alphabet += "!#$%&()*+,-.:;=?@[]^_{|}~";
    return drawn(scope, length, alphabet);
}

json::Value randomDecimal(RequestScope &scope, double low, double high)
{
    return low + (high - low) * scope.random();
}

json::Value randomInt(RequestScope &scope, double low, double high)
{
    const double most = 9e15;
    return scope.randomInteger(static_cast<std::int64_t>(std::clamp(std::min(low, high), -most, most)),
                               static_cast<std::int64_t>(std::clamp(std::max(low, high), -most, most)));
}

/// The arguments, or the items of the one list among them.
json::Array choices(const Arguments &arguments)
{
    return arguments.positional.size() == 1 && arguments.at(0).isArray() ? arguments.at(0).items()
                                                                         : arguments.positional;
}

json::Value pick(RequestScope &scope, const Arguments &arguments)
{
    const json::Array all = choices(arguments);
    return all.empty()
               ? json::Value()
               : all[static_cast<std::size_t>(scope.randomInteger(0, static_cast<std::int64_t>(all.size()) - 1))];
}

json::Value now(const Arguments &arguments)
{
    const std::string format = text(orElse(arguments.option("format"), arguments.at(0)));
    return dateText(nowMilliseconds() + offsetMilliseconds(text(arguments.option("offset"))), format,
                    text(arguments.option("timezone")));
}

json::Value arithmetic(const std::string &op, double a, double b)
{
    if (op == "+")
        return a + b;
    if (op == "-")
        return a - b;
    if (op == "*")
        return a * b;
    if (op == "/")
        return a / b;
    return op == "%" ? json::Value(std::fmod(a, b)) : json::Value();
}

bool same(const json::Value &a, const json::Value &b)
{
    return a.isNull() || b.isNull() ? a.isNull() && b.isNull() : text(a) == text(b);
}

/// A member of the body by a dotted path (Mockoon), `$` paths included.
json::Value bodyPart(RequestScope &scope, const Arguments &arguments)
{
    const std::string path = text(arguments.at(0));
    if (path.empty())
        return scope.context().requestJson()["body"];
    json::Value value = scope.bodyJson();
    if (value.isNull())
        value = scope.context().requestJson()["form"];
    if (path.starts_with('$'))
        return orElse(selectJson(value, path), arguments.at(1));
    for (std::size_t at = 0; at <= path.size();) {
        const std::size_t dot = std::min(path.find('.', at), path.size());
        const std::string part = path.substr(at, dot - at);
        const bool index =
            value.isArray() && !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
        value = index ? (std::stoul(part.substr(0, 9)) < value.size() ? value.at(std::stoul(part)) : json::Value())
                      : value[part];
        at = dot + 1;
    }
    return orElse(value, arguments.at(1));
}

void addRandomHelpers(Helpers &helpers)
{
    helpers["randomValue"] = randomValue;
    helpers["randomInt"] = [](RequestScope &scope, const Arguments &arguments) {
        return randomInt(scope, number(arguments.option("lower"), 0), number(arguments.option("upper"), 2147483647));
    };
    helpers["randomDecimal"] = [](RequestScope &scope, const Arguments &arguments) {
        return randomDecimal(scope, number(arguments.option("lower"), 0), number(arguments.option("upper"), 1));
    };
    helpers["pickRandom"] = helpers["oneOf"] = pick;
    helpers["uuid"] = helpers["guid"] = [](RequestScope &scope, const Arguments &) {
        return json::Value(uuid(scope));
    };
    helpers["objectId"] = [](RequestScope &scope, const Arguments &) {
        return json::Value(drawn(scope, 24, "0123456789abcdef"));
    };
    helpers["int"] = [](RequestScope &scope, const Arguments &arguments) {
        return randomInt(scope, number(arguments.at(0), 0), number(arguments.at(1), 100));
    };
    helpers["float"] = [](RequestScope &scope, const Arguments &arguments) {
        return randomDecimal(scope, number(arguments.at(0), 0), number(arguments.at(1), 1));
    };
    helpers["boolean"] = [](RequestScope &scope, const Arguments &) {
        return json::Value(scope.random() < 0.5);
    };
}

void addRequestHelpers(Helpers &helpers)
{
    helpers["body"] = bodyPart;
    helpers["jsonPath"] = [](RequestScope &, const Arguments &arguments) {
        json::Value document = arguments.at(0);
        if (document.isString()) {
            const json::ParseResult parsed = json::parse(document.text());
            document = std::holds_alternative<json::Value>(parsed) ? std::get<json::Value>(parsed) : json::Value();
        }
        return orElse(selectJson(document, text(arguments.at(1))), arguments.option("default"));
    };
    helpers["xPath"] = [](RequestScope &, const Arguments &arguments) {
        return extractFirst(Extraction::Method::XPath, text(arguments.at(0)), text(arguments.at(1)));
    };
    helpers["regexExtract"] = [](RequestScope &, const Arguments &arguments) {
        return orElse(extractFirst(Extraction::Method::Regex, text(arguments.at(0)), text(arguments.at(1))),
                      orElse(arguments.option("default"), arguments.at(2)));
    };
    helpers["queryParam"] = [](RequestScope &scope, const Arguments &arguments) {
        return orElse(scope.path({"request", "query", text(arguments.at(0))}), arguments.at(1));
    };
    helpers["header"] = [](RequestScope &scope, const Arguments &arguments) {
        return orElse(scope.header(text(arguments.at(0))), arguments.at(1));
    };
    helpers["cookie"] = [](RequestScope &scope, const Arguments &arguments) {
        return orElse(scope.cookie(text(arguments.at(0))), arguments.at(1));
    };
    helpers["method"] = [](RequestScope &scope, const Arguments &) {
        return json::Value(scope.context().request().method);
    };
    helpers["ip"] = [](RequestScope &scope, const Arguments &) {
        return scope.path({"request", "clientIp"});
    };
    helpers["hostname"] = [](RequestScope &scope, const Arguments &) {
        return urlPart(scope, "host");
    };
    helpers["baseUrl"] = [](RequestScope &scope, const Arguments &) {
        return urlPart(scope, "baseUrl");
    };
    helpers["counter"] = [](RequestScope &scope, const Arguments &arguments) {
        return json::Value(scope.context().services().counters.next(text(arguments.at(0))));
    };
    helpers["now"] = [](RequestScope &, const Arguments &arguments) {
        return now(arguments);
    };
}

void addTextHelpers(Helpers &helpers)
{
    const auto plain = [&helpers](std::initializer_list<const char *> names,
                                  std::function<json::Value(const std::string &)> make) {
        for (const char *name : names)
            helpers[name] = [make](RequestScope &, const Arguments &arguments) {
                return make(text(arguments.at(0)));
            };
    };
    plain({"upper", "uppercase"}, [](const std::string &value) { return mapped(value, std::toupper); });
    plain({"lower", "lowercase"}, [](const std::string &value) { return mapped(value, std::tolower); });
    plain({"capitalize", "capitalizeFirst"}, [](const std::string &value) {
        return value.empty() ? value : mapped(value.substr(0, 1), std::toupper) + value.substr(1);
    });
    plain({"trim"}, trimmed);
    helpers["base64"] = [](RequestScope &, const Arguments &arguments) {
        const std::string value = text(arguments.at(0));
        return json::Value(arguments.option("decode").isTruthy() ? decodeBase64(value) : encodeBase64(value));
    };
    helpers["base64Decode"] = [](RequestScope &, const Arguments &arguments) {
        return json::Value(decodeBase64(text(arguments.at(0))));
    };
    helpers["urlEncode"] = [](RequestScope &, const Arguments &arguments) {
        const std::string value = text(arguments.at(0));
        return json::Value(arguments.option("decode").isTruthy() ? http::percentDecode(value, true)
                                                                 : http::percentEncode(value));
    };
    helpers["replace"] = [](RequestScope &, const Arguments &arguments) {
        return json::Value(replaced(text(arguments.at(0)), text(arguments.at(1)), text(arguments.at(2))));
    };
    helpers["substring"] = helpers["substr"] = [](RequestScope &, const Arguments &arguments) {
        const std::string value = text(arguments.at(0));
        const auto from = static_cast<std::size_t>(std::clamp(number(arguments.at(1)), 0.0, double(value.size())));
        const auto to = static_cast<std::size_t>(
            std::clamp(number(arguments.at(2), double(value.size())), double(from), double(value.size())));
        return json::Value(value.substr(from, to - from));
    };
    helpers["concat"] = [](RequestScope &, const Arguments &arguments) {
        std::string all;
        for (const json::Value &one : arguments.positional)
            all += text(one);
        return json::Value(all);
    };
    helpers["join"] = helpers["arrayJoin"] = [](RequestScope &, const Arguments &arguments) {
        const bool listFirst = arguments.at(0).isArray();
        const std::string between = text(arguments.at(listFirst ? 1 : 0));
        std::string all;
        for (const json::Value &item : arguments.at(listFirst ? 0 : 1).items())
            all += (all.empty() ? "" : between) + text(item);
        return json::Value(all);
    };
    helpers["toJson"] = helpers["stringify"] = [](RequestScope &, const Arguments &arguments) {
        return json::Value(json::writeCompact(arguments.at(0)));
    };
}

void addLogicHelpers(Helpers &helpers)
{
    const auto compare = [&helpers](const char *name, bool (*holds)(const json::Value &, const json::Value &)) {
        helpers[name] = [holds](RequestScope &, const Arguments &arguments) {
            return json::Value(holds(arguments.at(0), arguments.at(1)));
        };
    };
    using Value = const json::Value &;
    compare("eq", [](Value a, Value b) { return same(a, b); });
    compare("neq", [](Value a, Value b) { return !same(a, b); });
    compare("gt", [](Value a, Value b) { return number(a) > number(b); });
    compare("gte", [](Value a, Value b) { return number(a) >= number(b); });
    compare("lt", [](Value a, Value b) { return number(a) < number(b); });
    compare("lte", [](Value a, Value b) { return number(a) <= number(b); });
    compare("and", [](Value a, Value b) { return a.isTruthy() && b.isTruthy(); });
    compare("or", [](Value a, Value b) { return a.isTruthy() || b.isTruthy(); });
    compare("contains", [](Value a, Value b) { return text(a).find(text(b)) != std::string::npos; });
    compare("includes", [](Value a, Value b) { return text(a).find(text(b)) != std::string::npos; });
    helpers["not"] = [](RequestScope &, const Arguments &arguments) {
        return json::Value(!arguments.at(0).isTruthy());
    };
    helpers["math"] = [](RequestScope &, const Arguments &arguments) {
        return arithmetic(text(arguments.at(1)), number(arguments.at(0)), number(arguments.at(2)));
    };
    for (const auto &[name, op] :
         {std::pair{"add", "+"}, {"subtract", "-"}, {"multiply", "*"}, {"divide", "/"}, {"modulo", "%"}})
        helpers[name] = [op = std::string(op)](RequestScope &, const Arguments &arguments) {
            return arithmetic(op, number(arguments.at(0)), number(arguments.at(1)));
        };
    helpers["array"] = [](RequestScope &, const Arguments &arguments) {
        return json::Value(arguments.positional);
    };
    helpers["size"] = helpers["len"] = [](RequestScope &, const Arguments &arguments) {
        const json::Value &value = arguments.at(0);
        return json::Value(std::uint64_t(value.isString() ? value.text().size() : value.size()));
    };
}

const Helpers &helpers()
{
    static const Helpers all = [] {
        Helpers made;
        addRandomHelpers(made);
        addRequestHelpers(made);
        addTextHelpers(made);
        addLogicHelpers(made);
        return made;
    }();
    return all;
}

} // namespace

std::optional<json::Value> callTemplateHelper(const std::string &name, RequestScope &scope, const Arguments &arguments)
{
    const auto found = helpers().find(name);
    return found == helpers().end() ? std::nullopt : std::optional(found->second(scope, arguments));
}

json::Value urlPart(RequestScope &scope, std::string_view part)
{
    const std::string host(scope.context().request().effectiveHost());
    const std::string scheme = scope.context().services().tls ? "https" : "http";
    http::Authority authority;
    http::splitAuthority(host, authority);
    if (part == "scheme")
        return scheme;
    if (part == "baseUrl")
        return scheme + "://" + host;
    if (part == "host")
        return std::string(authority.host);
    return authority.port >= 0 ? authority.port : scheme == "https" ? 443 : 80;
}

} // namespace wardbench::mock
