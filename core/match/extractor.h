#pragma once

#include "base/result.h"
#include "match/jspattern.h"
#include "match/xpath.h"
#include "model/selection.h"
#include "json/jsonpath.h"

#include <optional>
#include <string>
#include <vector>

namespace wardbench {

/// A `using` of copy and lookup, made ready once (mountebank.md 2.7.3). Any thread may ask.
class Extractor
{
public:
    /// Errors say where in the selector.
    static Result<Extractor> compile(const Extraction &extraction);
    /// A regular expression's first match and its groups; all that a path selects, objects and arrays as JSON. Empty
    /// without a match.
    std::vector<std::string> values(const std::string &text) const;

private:
    Extractor() = default;
    std::vector<json::Value> hits(const std::string &text) const;
    std::optional<JsPattern> m_pattern;
    std::optional<json::JsonPath> m_path;
    std::optional<XPath> m_xpath;
};

} // namespace wardbench
