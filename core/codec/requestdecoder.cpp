#include "base/nearestname.h"
#include "codec/decoders.h"
#include "json/writer.h"

#include <algorithm>
#include <set>

namespace wardbench::codec {
namespace {

bool isBaseUrl(const std::string &target)
{
    return target.find("://") != std::string::npos;
}

} // namespace

void checkTarget(const SchemaReader &reader, const std::string &target)
{
    if (!isBaseUrl(target))
        return; // an imposter's name, which lint looks up
    const bool known = target.substr(0, 7) == "http://" || target.substr(0, 8) == "https://";
    const std::size_t host = target.find("://") + 3;
    if (!known || host >= target.size() || target[host] == '/' || target.find_first_of(" \t\r\n") != std::string::npos)
        reader.expected("an imposter's name, or a base URL like \"http://127.0.0.1:8080\"");
}

namespace {

/// Reports placeholders that nothing fills. `$${` is a literal.
void checkPlaceholders(const SchemaReader &reader, const std::string &text, const std::vector<std::string> &names)
{
    for (std::size_t i = text.find("${"); i != std::string::npos; i = text.find("${", i + 2)) {
        if (i > 0 && text[i - 1] == '$')
            continue;
        const std::size_t end = text.find('}', i);
        if (end == std::string::npos) {
            reader.error("has ${ without its }; expected ${name}, or $${ for the characters themselves");
            return;
        }
        const std::string name = text.substr(i + 2, end - i - 2);
        if (std::find(names.begin(), names.end(), name) == names.end())
            reader.error("uses ${" + name +
                         "}, which is no variable of this scenario; expected a name from \"variables\"" +
                         suggestion(name, names));
    }
}

bool isHeaderName(std::string_view name)
{
    constexpr std::string_view special = "!#$%&'*+-.^_`|~"; // RFC 9110, section 5.6.2
    return !name.empty() && std::all_of(name.begin(), name.end(), [special](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               special.find(c) != std::string_view::npos;
    });
}

void readHeaders(ScenarioRequest &request, const SchemaReader &reader, const std::vector<std::string> &names)
{
    reader.eachMember([&](const std::string &name, const SchemaReader &member) {
        if (!isHeaderName(name)) {
            member.error("has a name that is no header name; expected letters, digits and hyphens");
            return;
        }
        const auto add = [&](const SchemaReader &value) {
            const auto text = value.scalarText();
            if (!text)
                return;
            if (text->find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos)
                value.error("holds a line break; expected a value of one line");
            checkPlaceholders(value, *text, names);
            request.headers.emplace_back(name, *text);
        };
        if (member.value().isArray())
            member.eachItem(add);
        else
            add(member);
    });
}

bool hasContentType(const ScenarioRequest &request)
{
    constexpr std::string_view wanted = "content-type";
    return std::any_of(request.headers.begin(), request.headers.end(), [wanted](const auto &header) {
        return std::equal(header.first.begin(), header.first.end(), wanted.begin(), wanted.end(),
                          [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
    });
}

void readBody(ScenarioRequest &request, const SchemaReader &reader, const std::vector<std::string> &names)
{
    const json::Value &body = reader.value();
    if (!reader.present() || body.isNull())
        return;
    request.hasBody = true;
    if (body.isString()) {
        request.body = body.text();
    } else {
        request.body = json::writeCompact(body);
        if (!hasContentType(request))
            request.headers.emplace_back("Content-Type", "application/json");
    }
    checkPlaceholders(reader, request.body, names);
}

/// The members of a request; what else `reader` holds is its caller's.
ScenarioRequest readRequest(const SchemaReader &reader, const std::vector<std::string> &names)
{
    ScenarioRequest request;
    if (!reader.isObject())
        return request;
    request.method = reader["method"].text("GET");
    if (!isHeaderName(request.method))
        reader["method"].expected("a method like \"GET\"");
    request.target = reader["target"].text();
    checkTarget(reader["target"], request.target);
    request.path = reader["path"].text("/");
    if (request.path.empty() || request.path.front() != '/')
        reader["path"].expected("a path that begins with /");
    checkPlaceholders(reader["path"], request.path, names);
    readHeaders(request, reader["headers"], names);
    readBody(request, reader["body"], names);
    return request;
}

const std::vector<std::string> requestMembers{"method", "target", "path", "headers", "body"};

StepExtraction decodeExtraction(const std::string &variable, const SchemaReader &reader)
{
    StepExtraction extraction;
    extraction.variable = variable;
    if (variable.empty() || variable.find_first_of("${}") != std::string::npos)
        reader.error("has a name that ${...} cannot hold; expected one without $, { and }");
    if (!reader.isObject())
        return extraction;
    using Method = Extraction::Method;
    int given = reader["header"].present() ? 1 : 0;
    extraction.header = reader["header"].text();
    for (const auto &[member, method] : {std::pair{"jsonPath", Method::JsonPath}, std::pair{"xpath", Method::XPath},
                                         std::pair{"regex", Method::Regex}}) {
        if (!reader[member].present())
            continue;
        ++given;
        extraction.from.method = method;
        extraction.from.selector = reader[member].requiredText("what to look for");
    }
    if (given != 1)
        reader.error("has " + std::to_string(given) + " sources; expected one of jsonPath, xpath, regex and header");
    const bool byRegex = reader["regex"].present();
    extraction.match = static_cast<int>(reader["match"].integer(1, 1, 1'000'000));
    extraction.group = static_cast<int>(reader["group"].integer(1, 0, 1000));
    if (byRegex && reader["match"].present())
        reader["match"].error("does not fit a regex, of which the first match counts; expected a group");
    if (!byRegex && reader["group"].present())
        reader["group"].error("belongs to a regex; expected \"match\"");
    extraction.otherwise = reader["default"].scalarText().value_or(std::string());
    reader.warnUnknown({"jsonPath", "xpath", "regex", "header", "match", "group", "default"});
    return extraction;
}

Check decodeCheck(const std::string &name, const SchemaReader &reader)
{
    Check check;
    check.name = name;
    if (!reader.isObject())
        return check;
    check.status = reader["status"].statusSet();
    check.bodyContains = reader["bodyContains"].text();
    check.bodyMatches = reader["bodyMatches"].text();
    check.jsonPath = reader["jsonPath"].text();
    if (reader["equals"].present()) {
        const json::Value &wanted = reader["equals"].value();
        check.equals = wanted.isString() ? wanted.text() : json::writeCompact(wanted);
        if (check.jsonPath.empty())
            reader["equals"].error("has no jsonPath beside it; expected the place of the value");
    }
    check.header = reader["header"].text();
    check.maxDuration = reader["maxDuration"].duration();
    if (reader["maxBytes"].present())
        check.maxBytes = static_cast<std::uint64_t>(reader["maxBytes"].integer(0, 0));
    if (reader.value().size() == 0)
        reader.error("asks for nothing; expected status, bodyContains, bodyMatches, jsonPath, header, maxDuration or "
                     "maxBytes");
    reader.warnUnknown(
        {"status", "bodyContains", "bodyMatches", "jsonPath", "equals", "header", "maxDuration", "maxBytes"});
    return check;
}

Step decodeStep(const SchemaReader &reader, const std::vector<std::string> &names)
{
    Step step;
    step.name = reader["name"].requiredText("the request's name");
    step.request = readRequest(reader, names);
    step.weight = reader["weight"].number(1, 0);
    reader["extract"].eachMember([&step](const std::string &variable, const SchemaReader &member) {
        step.extractions.push_back(decodeExtraction(variable, member));
    });
    reader["checks"].eachMember([&step](const std::string &name, const SchemaReader &member) {
        step.checks.push_back(decodeCheck(name, member));
    });
    if (reader["success"].present())
        step.success = decodeSuccess(reader["success"]);
    step.thinkTime = decodeThinkTime(reader["thinkTime"]);
    std::vector<std::string> known = requestMembers;
    known.insert(known.end(), {"name", "weight", "extract", "checks", "success", "thinkTime"});
    reader.warnUnknown(known);
    return step;
}

} // namespace

ScenarioRequest decodeRequest(const SchemaReader &reader, const std::vector<std::string> &names)
{
    if (!reader.isObject())
        return {};
    ScenarioRequest request = readRequest(reader, names);
    reader.warnUnknown(requestMembers);
    return request;
}

std::vector<Step> decodeSteps(const SchemaReader &reader, const std::vector<std::string> &names)
{
    std::vector<Step> steps;
    std::set<std::string> seen;
    reader.eachItem([&](const SchemaReader &item) {
        if (!item.isObject())
            return;
        steps.push_back(decodeStep(item, names));
        if (!seen.insert(steps.back().name).second)
            item["name"].error(shown(item["name"].value()) + " is the name of two requests; expected different ones");
    });
    return steps;
}

SuccessRule decodeSuccess(const SchemaReader &reader)
{
    SuccessRule success;
    if (!reader.isObject())
        return success;
    success.status = reader["status"].statusSet();
    success.bodyContains = reader["bodyContains"].text();
    reader.warnUnknown({"status", "bodyContains"});
    return success;
}

} // namespace wardbench::codec
