#pragma once

#include <string>
#include <utility>
#include <vector>

namespace wardbench {

/// Prefixes of an XPath selector: alias to URI. The document's own prefixes do not count.
using XmlNamespaces = std::vector<std::pair<std::string, std::string>>;

/// A predicate's `xpath` or `jsonpath`: what of a field is looked at instead of the whole (mountebank.md 2.6.5-6).
struct Selector
{
    enum class Kind { None, XPath, JsonPath };

    Kind kind = Kind::None;
    std::string path; ///< as written
    XmlNamespaces namespaces{};

    friend bool operator==(const Selector &, const Selector &) = default;
};

/// A `using` of copy and lookup: what of a field's text is taken over (mountebank.md 2.7.3).
struct Extraction
{
    enum class Method { Regex, XPath, JsonPath };

    Method method = Method::Regex;
    std::string selector;
    XmlNamespaces namespaces{};
    bool ignoreCase = false; ///< Regex
    bool multiline = false;  ///< Regex

    friend bool operator==(const Extraction &, const Extraction &) = default;
};

} // namespace wardbench
