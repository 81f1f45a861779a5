#include "mock/requestscope.h"

#include "http/target.h"
#include "mock/templatehelpers.h"
#include "json/parser.h"

namespace wardbench::mock {
namespace {

constexpr std::uint64_t firstLane = std::uint64_t(1) << 32; // the stub's waits use small ones

json::Value pathSegments(std::string_view path)
{
    json::Array segments;
    std::size_t at = path.starts_with('/') ? 1 : 0;
    while (at <= path.size() && !path.empty()) {
        const std::size_t slash = std::min(path.find('/', at), path.size());
        segments.emplace_back(http::percentDecode(path.substr(at, slash - at)));
        at = slash + 1;
    }
    return json::Value(std::move(segments));
}

std::optional<std::size_t> indexOf(const std::string &text)
{
    if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != std::string::npos)
        return std::nullopt;
    return std::stoul(text);
}

/// One more part of a path: a member, or an item by its number. The first item stands for a list that is asked for
/// more.
json::Value stepInto(const json::Value &value, const std::string &part)
{
    if (value.isArray()) {
        const auto index = indexOf(part);
        return index && *index < value.size() ? value.at(*index) : json::Value();
    }
    if (const auto index = indexOf(part); index && !value.isObject())
        return *index == 0 ? value : json::Value(); // a single value of a query or header
    return value[part];
}

bool rendersTo(json::Value &value, RequestScope &scope, std::string &problem);

bool renderText(json::Value &value, RequestScope &scope, std::string &problem)
{
    const Result<Template> compiled = Template::compile(value.text());
    if (!compiled) {
        problem = compiled.error().message;
        return false;
    }
    Result<std::string> text = compiled->render(scope);
    if (!text) {
        problem = text.error().message;
        return false;
    }
    value = json::Value(std::move(*text));
    return true;
}

bool rendersTo(json::Value &value, RequestScope &scope, std::string &problem)
{
    if (value.isString())
        return value.text().find("{{") == std::string::npos || renderText(value, scope, problem);
    if (value.isArray()) {
        json::Array items = value.items();
        for (json::Value &item : items) {
            if (!rendersTo(item, scope, problem))
                return false;
        }
        value = json::Value(std::move(items));
    } else if (value.isObject()) {
        json::Members members = value.members();
        for (json::Member &member : members) {
            if (!rendersTo(member.second, scope, problem))
                return false;
        }
        value = json::Value(std::move(members));
    }
    return true;
}

} // namespace

json::Value RequestScope::path(const std::vector<std::string> &parts)
{
    return parts.front() == "request" ? requestPart(parts) : json::Value();
}

json::Value RequestScope::requestPart(const std::vector<std::string> &parts)
{
    if (parts.size() == 1)
        return m_context.requestJson();
    const http::Request &request = m_context.request();
    const std::string &part = parts[1];
    json::Value value;
    std::size_t next = 2;
    if (part == "url") {
        value = request.query.empty() ? request.path : request.path + '?' + request.query;
    } else if (part == "pathSegments" || (part == "path" && parts.size() > 2)) {
        value = pathSegments(request.path);
    } else if (part == "headers" && parts.size() > 2) {
        value = header(parts[next++]);
    } else if (part == "cookies" && parts.size() > 2) {
        value = cookie(parts[next++]);
    } else if (part == "host" || part == "port" || part == "baseUrl" || part == "scheme") {
        value = urlPart(*this, part);
    } else if (part == "clientIp") {
        value = m_context.requestJson()["ip"];
    } else if (part == "body" && parts.size() > 2) {
        value = bodyJson();
    } else {
        value = m_context.requestJson()[part];
        if (part == "query" && parts.size() > 2) {
            value = value[parts[next++]];
            if (value.isArray() && next == parts.size())
                value = value.size() > 0 ? value.at(0) : json::Value();
        }
    }
    for (; next < parts.size(); ++next)
        value = stepInto(value, parts[next]);
    return value;
}

std::optional<json::Value> RequestScope::call(const std::string &helper, const Arguments &arguments)
{
    return callTemplateHelper(helper, *this, arguments);
}

std::uint64_t RequestScope::nextLane()
{
    return firstLane + m_draws++;
}

std::int64_t RequestScope::randomInteger(std::int64_t low, std::int64_t high)
{
    return m_context.random.integer(m_context.k, std::min(low, high), std::max(low, high), nextLane());
}

const json::Value &RequestScope::bodyJson()
{
    if (!m_bodyJson) {
        const json::ParseResult parsed = json::parse(m_context.requestJson()["body"].text());
        const auto *value = std::get_if<json::Value>(&parsed);
        m_bodyJson = value ? *value : json::Value();
    }
    return *m_bodyJson;
}

std::string RequestScope::header(std::string_view name) const
{
    const std::string *value = m_context.request().headers.find(name);
    return value ? *value : std::string();
}

std::string RequestScope::cookie(std::string_view name) const
{
    const std::string all = header("Cookie");
    std::size_t at = 0;
    while (at < all.size()) {
        const std::size_t end = std::min(all.find(';', at), all.size());
        std::string_view pair = std::string_view(all).substr(at, end - at);
        pair.remove_prefix(std::min(pair.find_first_not_of(' '), pair.size()));
        const std::size_t equals = pair.find('=');
        if (equals != std::string_view::npos && pair.substr(0, equals) == name)
            return std::string(pair.substr(equals + 1));
        at = end + 1;
    }
    return {};
}

Result<json::Value> renderTemplates(const json::Value &answer, AnswerContext &context)
{
    RequestScope scope(context);
    json::Value rendered = answer;
    std::string problem;
    for (const char *part : {"headers", "body", "statusCode", "data"}) {
        const json::Value *found = answer.find(part);
        if (!found)
            continue;
        json::Value value = *found;
        if (!rendersTo(value, scope, problem))
            return fail(std::move(problem), Error::Code::BadInput);
        rendered = rendered.withMember(part, std::move(value));
    }
    return rendered;
}

} // namespace wardbench::mock
