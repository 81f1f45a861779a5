#pragma once

#include "json/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wardbench::mock {

/// A text to look for, and what takes its place.
using Token = std::pair<std::string, std::string>;

/// `value` with every token replaced wherever it stands: in all texts, nested ones and the names of members included
/// (mountebank.md 2.7.3). Tokens are replaced one after the other. Subtrees without any are shared.
json::Value withTokens(const json::Value &value, const std::vector<Token> &tokens);

/// The tokens of a `copy`: `into[0]`, `into[1]`, ..., and `into` itself for the first value.
std::vector<Token> copyTokens(const std::string &into, const std::vector<std::string> &values);
/// The tokens of a `lookup`: `into["column"]`, `into['column']` and `into[column]` for each column.
std::vector<Token> lookupTokens(const std::string &into, const std::vector<Token> &row);

/// The text that `from` of a behavior means in a request (or other object): a member's name, or nested objects of one
/// key; names ignore case; of a list the first item counts. Nothing when it is missing.
std::optional<std::string> textAt(const json::Value &object, const json::Value &from);

} // namespace wardbench::mock
