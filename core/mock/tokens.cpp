#include "mock/tokens.h"

#include "http/message.h"
#include "mock/wiretext.h"

namespace wardbench::mock {
namespace {

/// True when something was replaced.
bool replaceAll(std::string &text, const std::vector<Token> &tokens)
{
    bool changed = false;
    for (const auto &[token, value] : tokens) {
        if (token.empty())
            continue;
        for (std::size_t at = text.find(token); at != std::string::npos; at = text.find(token, at + value.size())) {
            text.replace(at, token.size(), value);
            changed = true;
        }
    }
    return changed;
}

bool replaceIn(json::Value &value, const std::vector<Token> &tokens);

bool replaceInArray(json::Value &value, const std::vector<Token> &tokens)
{
    json::Array items = value.items();
    bool changed = false;
    for (json::Value &item : items)
        changed = replaceIn(item, tokens) || changed;
    if (changed)
        value = json::Value(std::move(items));
    return changed;
}

bool replaceInObject(json::Value &value, const std::vector<Token> &tokens)
{
    json::Members members = value.members();
    bool changed = false;
    for (auto &[name, member] : members) {
        changed = replaceAll(name, tokens) || changed;
        changed = replaceIn(member, tokens) || changed;
    }
    if (changed)
        value = json::Value(std::move(members));
    return changed;
}

bool replaceIn(json::Value &value, const std::vector<Token> &tokens)
{
    if (value.isArray())
        return replaceInArray(value, tokens);
    if (value.isObject())
        return replaceInObject(value, tokens);
    if (!value.isString())
        return false;
    std::string text = value.text();
    const bool changed = replaceAll(text, tokens);
    if (changed)
        value = json::Value(std::move(text));
    return changed;
}

const json::Value *memberIgnoringCase(const json::Value &object, std::string_view name)
{
    for (const json::Member &member : object.members()) {
        if (http::equalsIgnoringCase(member.first, name))
            return &member.second;
    }
    return nullptr;
}

} // namespace

json::Value withTokens(const json::Value &value, const std::vector<Token> &tokens)
{
    json::Value changed = value;
    replaceIn(changed, tokens);
    return changed;
}

std::vector<Token> copyTokens(const std::string &into, const std::vector<std::string> &values)
{
    std::vector<Token> tokens;
    for (std::size_t i = 0; i < values.size(); ++i)
        tokens.emplace_back(into + '[' + std::to_string(i) + ']', values[i]);
    if (!values.empty())
        tokens.emplace_back(into, values.front());
    return tokens;
}

std::vector<Token> lookupTokens(const std::string &into, const std::vector<Token> &row)
{
    std::vector<Token> tokens;
    for (const auto &[column, value] : row) {
        tokens.emplace_back(into + "[\"" + column + "\"]", value);
        tokens.emplace_back(into + "['" + column + "']", value);
        tokens.emplace_back(into + '[' + column + ']', value);
    }
    return tokens;
}

std::optional<std::string> textAt(const json::Value &object, const json::Value &from)
{
    const json::Value *at = &object;
    const json::Value *path = &from;
    while (path->isObject() && path->size() == 1) {
        at = memberIgnoringCase(*at, path->members().front().first);
        if (!at)
            return std::nullopt;
        path = &path->members().front().second;
    }
    if (!path->isString())
        return std::nullopt;
    at = memberIgnoringCase(*at, path->text());
    if (at && at->isArray())
        at = at->size() > 0 ? &at->at(0) : nullptr;
    return at ? std::optional(scalarText(*at)) : std::nullopt;
}

} // namespace wardbench::mock
