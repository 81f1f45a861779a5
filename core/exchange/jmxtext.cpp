#include "exchange/jmxtext.h"

#include "base/number.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace wardbench::exchange {
namespace {

constexpr int mostNested = 8;
constexpr std::size_t longestValue = 64u << 10; // of a constant, in bytes

/// Whether the backslash at `at` only marks the character behind it.
bool isEscape(std::string_view text, std::size_t at)
{
    return text[at] == '\\' && at + 1 < text.size() &&
           std::string_view("$,\\").find(text[at + 1]) != std::string_view::npos;
}

/// Where each `${...}` of a text ends, behind its brace, by where it begins. One pass, however they are nested.
std::unordered_map<std::size_t, std::size_t> referencesIn(std::string_view text)
{
    std::unordered_map<std::size_t, std::size_t> ends;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isEscape(text, i)) {
            ++i;
        } else if (text.substr(i, 2) == "${") {
            open.push_back(i++);
        } else if (text[i] == '}' && !open.empty()) {
            ends.emplace(open.back(), i + 1);
            open.pop_back();
        }
    }
    return ends;
}

/// Arguments between the parentheses of a function; `\,` is a comma, commas within `${...}` do not count.
std::vector<std::string> argumentsOf(std::string_view text)
{
    std::vector<std::string> arguments(1);
    const auto ends = referencesIn(text);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) {
            arguments.back() += text[++i];
        } else if (const auto end = ends.find(i); end != ends.end()) {
            arguments.back() += text.substr(i, end->second - i);
            i = end->second - 1;
        } else if (text[i] == ',') {
            arguments.emplace_back();
        } else {
            arguments.back() += text[i];
        }
    }
    return arguments;
}

} // namespace

void JmxText::addVariable(const std::string &name, json::Value definition)
{
    if (m_declared.insert(name).second)
        m_variables.emplace_back(name, std::move(definition));
}

std::string JmxText::converted(std::string_view text, const std::string &place)
{
    return convert(text, place, 0);
}

std::string JmxText::plain(std::string_view text, const std::string &place)
{
    std::string value = convert(text, place, 0);
    if (const std::size_t left = value.find("${"); left != std::string::npos) {
        m_losses.push_back(place + ": \"" + std::string(text) + "\" has no fixed value; it is left out");
        return {};
    }
    while (!value.empty() && value.back() == ' ')
        value.pop_back();
    return value;
}

std::string JmxText::convert(std::string_view text, const std::string &place, int depth)
{
    std::string out;
    const auto ends = referencesIn(text);
    for (std::size_t i = 0; i < text.size();) {
        if (const auto end = ends.find(i); end != ends.end()) {
            out += reference(text.substr(i + 2, end->second - i - 3), place, depth);
            i = end->second;
        } else if (!ends.empty() && isEscape(text, i)) { // JMeter takes them away where something is filled in
            out += text.substr(i, 3) == "\\${" ? "$${" : text.substr(i + 1, 1);
            i += text.substr(i, 3) == "\\${" ? 3 : 2;
        } else if (text.substr(i, 2) == "${") {
            out += "$${"; // without its brace: characters
            i += 2;
        } else {
            out += text[i++];
        }
    }
    return out;
}

std::string JmxText::reference(std::string_view inner, const std::string &place, int depth)
{
    if (depth > mostNested)
        return kept(inner, place);
    if (inner.starts_with("__"))
        return function(inner, place, depth);
    const std::string name(inner);
    if (m_declared.count(name) > 0)
        return "${" + name + "}";
    const auto constant = m_constants.find(name);
    if (constant == m_constants.end() || !m_resolving.insert(name).second) // none, or one that names itself
        return kept(inner, place);
    // Once for each constant: those that name others several times would grow without end.
    if (m_resolved.count(name) == 0)
        m_resolved[name] = convert(constant->second, place, depth + 1);
    m_resolving.erase(name);
    const std::string &value = m_resolved[name];
    return value.size() <= longestValue ? value : kept(inner, place);
}

std::string JmxText::function(std::string_view inner, const std::string &place, int depth)
{
    const std::size_t open = std::min(inner.find('('), inner.size());
    const std::string_view name = inner.substr(0, open);
    std::vector<std::string> arguments;
    if (open < inner.size() && inner.back() == ')')
        arguments = argumentsOf(inner.substr(open + 1, inner.size() - open - 2));
    for (std::string &argument : arguments)
        argument = convert(argument, place, depth + 1);
    arguments.resize(std::max<std::size_t>(arguments.size(), 2));
    if (name == "__P")
        return arguments[1].empty() && arguments.size() < 3 ? "1" : arguments[1]; // JMeter's own default
    if (name == "__property")
        return arguments.size() > 2 ? arguments[2] : arguments[0];
    if (name == "__urlencode") // values are encoded wherever a path needs it
        return arguments[0];
    if (name == "__counter")
        return drawn("counter", json::Members{{"type", "sequence"}, {"start", 1}, {"step", 1}});
    if (name == "__Random") {
        const auto low = numberIn<std::int64_t>(arguments[0]), high = numberIn<std::int64_t>(arguments[1]);
        if (low && high && *low <= *high)
            return drawn("random", json::Members{{"type", "integer"}, {"min", *low}, {"max", *high}});
    }
    return kept(inner, place);
}

std::string JmxText::kept(std::string_view inner, const std::string &place)
{
    constexpr std::size_t longestShown = 80;
    const std::string shown(inner.substr(0, longestShown));
    m_losses.push_back(place + ": ${" + shown + (inner.size() > longestShown ? "..." : "") +
                       "} is nothing that Wardbench fills in; it stays as text");
    std::string out = "$${";
    for (std::size_t i = 0; i < inner.size(); ++i) {
        if (inner.substr(i, 2) == "${")
            out += '$'; // nested ones are text too
        out += inner[i];
    }
    return out + '}';
}

std::string JmxText::drawn(const std::string &stem, json::Value definition)
{
    std::string name = stem;
    for (int number = 2; m_declared.count(name) > 0; ++number)
        name = stem + std::to_string(number);
    addVariable(name, std::move(definition));
    return "${" + name + "}";
}

} // namespace wardbench::exchange
