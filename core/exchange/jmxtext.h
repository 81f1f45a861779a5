#pragma once

#include "json/value.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench::exchange {

/// Turns JMeter's `${...}` into a scenario's: user-defined variables and properties become their values, functions
/// that draw values become variables of the scenario, the rest stays as text and is reported.
class JmxText
{
public:
    explicit JmxText(std::vector<std::string> &losses) : m_losses(losses) {}

    void define(const std::string &name, std::string value) { m_constants[name] = std::move(value); }
    /// A name that the scenario itself fills: from a feed or an extraction.
    void declare(const std::string &name) { m_declared.insert(name); }
    void addVariable(const std::string &name, json::Value definition);

    /// Text of a scenario: `${name}` stays for the scenario's own names. `place` is for the losses.
    std::string converted(std::string_view text, const std::string &place);
    /// A text that must come out as plain characters: numbers, host names.
    std::string plain(std::string_view text, const std::string &place);

    json::Members takeVariables() { return std::move(m_variables); }

private:
    std::string convert(std::string_view text, const std::string &place, int depth);
    std::string reference(std::string_view inner, const std::string &place, int depth);
    std::string function(std::string_view inner, const std::string &place, int depth);
    std::string kept(std::string_view inner, const std::string &place);
    std::string drawn(const std::string &stem, json::Value definition);

    std::vector<std::string> &m_losses;
    std::map<std::string, std::string> m_constants, m_resolved;
    std::set<std::string> m_resolving;
    std::set<std::string> m_declared;
    json::Members m_variables;
};

} // namespace wardbench::exchange
