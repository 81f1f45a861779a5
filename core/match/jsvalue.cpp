#include "match/jsvalue.h"

#include "match/text.h"
#include "json/parser.h"
#include "json/writer.h"

#include <algorithm>
#include <map>

namespace wardbench {

std::optional<json::Value> parseFolded(std::string_view text, Casing casing)
{
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || text.starts_with("\xEF\xBB\xBF"))
        return std::nullopt;
    // Most texts that are not JSON show it in the first character
    static constexpr std::string_view beginnings = "{[\"-0123456789tfn";
    if (beginnings.find(text[begin]) == std::string_view::npos)
        return std::nullopt;
    json::Limits limits;
    limits.duplicatesAreErrors = false;
    auto parsed = json::parse(text, limits);
    if (!std::holds_alternative<json::Value>(parsed))
        return std::nullopt;
    json::Value &value = std::get<json::Value>(parsed);
    return needsFolding(text, casing) ? folded(value, casing) : std::move(value);
}

bool needsFolding(std::string_view text, Casing casing)
{
    // A text in lower case can still spell capitals as \u00C9
    return foldsKeys(casing) && (!foldsValues(casing) || text.find('\\') != std::string_view::npos);
}

json::Value folded(const json::Value &value, Casing casing)
{
    if (value.isString())
        return foldsValues(casing) ? json::Value(lowerCase(value.text())) : value;
    if (value.isArray()) {
        json::Array items;
        items.reserve(value.size());
        for (const json::Value &item : value.items())
            items.push_back(folded(item, casing));
        return json::Value(std::move(items));
    }
    if (!value.isObject())
        return value;
    json::Members members;
    members.reserve(value.size());
    std::map<std::string, std::size_t> places;
    for (const auto &[name, member] : value.members()) {
        std::string key = foldsKeys(casing) ? lowerCase(name) : name;
        const auto [place, added] = places.emplace(key, members.size());
        if (added)
            members.emplace_back(std::move(key), folded(member, casing));
        else
            members[place->second].second = folded(member, casing);
    }
    return json::Value(std::move(members));
}

std::string javascriptText(const json::Value &value)
{
    switch (value.kind()) {
    case json::Value::Kind::Null:
        return "null";
    case json::Value::Kind::Bool:
        return value.toBool() ? "true" : "false";
    case json::Value::Kind::Number:
        return json::javascriptNumber(value.text());
    case json::Value::Kind::String:
        return value.text();
    case json::Value::Kind::Object:
        return "[object Object]";
    case json::Value::Kind::Array:
        break;
    }
    std::string joined;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (i > 0)
            joined += ',';
        if (!value.at(i).isNull())
            joined += javascriptText(value.at(i));
    }
    return joined;
}

const json::Value *findProperty(const json::Value &value, const std::string &key)
{
    if (!value.isArray())
        return value.find(key);
    const bool digits = !key.empty() && key.size() < 10 &&
                        std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || (key.size() > 1 && key[0] == '0'))
        return nullptr;
    const std::size_t index = std::stoul(key);
    return index < value.size() ? &value.at(index) : nullptr;
}

} // namespace wardbench
