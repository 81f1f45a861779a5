#include "admin/call.h"

#include <algorithm>
#include <charconv>

namespace wardbench::admin {
namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

/// Cuts the part before `separator` off.
std::string_view take(std::string_view &rest, char separator)
{
    const std::size_t end = rest.find(separator);
    const std::string_view part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return trimmed(part);
}

double quality(std::string_view parameters)
{
    while (!parameters.empty()) {
        std::string_view parameter = take(parameters, ';');
        if (parameter.size() > 2 && (parameter[0] == 'q' || parameter[0] == 'Q') && parameter[1] == '=') {
            double value = 1;
            std::from_chars(parameter.data() + 2, parameter.data() + parameter.size(), value);
            return std::clamp(value, 0.0, 1.0);
        }
    }
    return 1;
}

struct Range
{
    std::string type;
    double q = 1;
};

/// How much an Accept header wants a type: the most specific range counts.
double wanted(const std::vector<Range> &ranges, const std::string &type)
{
    const std::string family = type.substr(0, type.find('/')) + "/*";
    for (const std::string &name : {type, family, std::string("*/*")}) {
        for (const Range &range : ranges) {
            if (range.type == name)
                return range.q;
        }
    }
    return 0;
}

/// Position of the range that a type comes in by, for ties.
std::size_t placeOf(const std::vector<Range> &ranges, const std::string &type)
{
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (ranges[i].type == type)
            return i;
    }
    return ranges.size();
}

} // namespace

std::optional<std::string_view> Call::flag(std::string_view name) const
{
    for (const auto &[key, value] : query) {
        if (key == name)
            return value;
    }
    return std::nullopt;
}

bool Call::isOn(std::string_view name) const
{
    const auto value = flag(name);
    return value && http::equalsIgnoringCase(*value, "true");
}

Reply Reply::error(int status, const ApiError &error)
{
    return errors(status, {error});
}

Reply Reply::errors(int status, const std::vector<ApiError> &errors)
{
    json::Array list;
    for (const ApiError &error : errors)
        list.push_back(toJson(error));
    return of(json::Members{{"errors", std::move(list)}}, status);
}

Reply Reply::page(std::string html, int status)
{
    Reply reply;
    reply.status = status;
    reply.text = std::move(html);
    reply.type = "text/html; charset=utf-8";
    return reply;
}

Reply Reply::nothing(int status)
{
    Reply reply;
    reply.status = status;
    reply.type = "none";
    return reply;
}

std::optional<Form> preferredForm(const http::Request &request)
{
    const std::string *accept = request.headers.find("Accept");
    if (!accept || accept->empty())
        return Form::Json;
    // Old Internet Explorers accept everything and show JSON as a download.
    const std::string *agent = request.headers.find("User-Agent");
    if (agent && agent->find("MSIE") != std::string::npos && accept->find("json") == std::string::npos)
        return Form::Html;
    std::vector<Range> ranges;
    std::string_view rest = *accept;
    while (!rest.empty()) {
        std::string_view range = take(rest, ',');
        std::string type = http::toLower(take(range, ';'));
        if (!type.empty())
            ranges.push_back({std::move(type), quality(range)});
    }
    const std::string json = "application/json", html = "text/html";
    const double jsonQ = wanted(ranges, json);
    const double htmlQ = wanted(ranges, html);
    if (jsonQ <= 0 && htmlQ <= 0)
        return std::nullopt;
    if (jsonQ != htmlQ)
        return jsonQ > htmlQ ? Form::Json : Form::Html;
    return placeOf(ranges, html) < placeOf(ranges, json) ? Form::Html : Form::Json;
}

} // namespace wardbench::admin
