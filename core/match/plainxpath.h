#pragma once

#include "json/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

/// A location path that needs no tree: names one below the other, from the root or from anywhere (`/a/b`, `//b`,
/// `a/b`), and at the end perhaps `text()` or an attribute. It reads the hits off the text in one pass, as long as
/// that is plain: ASCII elements and attributes without namespaces, references, comments or other markup, and without
/// a fault. Everything else is left to XPath, which gives the same hits. Immutable.
class PlainXPath
{
public:
    /// Nothing for a path of another shape.
    static std::optional<PlainXPath> parse(std::string_view path);

    /// What XPath::select gives for the text's document; nothing for a text that is not plain. An element costs a step;
    /// nothing when there are not as many left.
    std::optional<std::vector<json::Value>> select(std::string_view text, std::uint64_t &steps) const;

private:
    friend class PlainXmlReader;
    enum class Take { Element, Text, Attribute };

    PlainXPath() = default;

    std::vector<std::string> m_names; ///< from the outside in
    bool m_anywhere = false;          ///< else the first name is the root's
    Take m_take = Take::Element;
    std::string m_attribute;
};

} // namespace wardbench
