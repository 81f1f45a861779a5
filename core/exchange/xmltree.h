#pragma once

#include "base/result.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wardbench::exchange {

/// An element of an XML file as other programs write them. Names keep their prefixes; text is all of the element's
/// own, in order; comments and processing instructions are left out.
struct XmlElement
{
    std::string name;
    std::vector<std::pair<std::string, std::string>> attributes;
    std::vector<XmlElement> children;
    std::string text;
    int line = 0; ///< 0: not from a file

    /// Empty when absent.
    std::string_view attribute(std::string_view name) const;
    /// The first child of that name, or null.
    const XmlElement *child(std::string_view name) const;

    bool operator==(const XmlElement &other) const; ///< without lines
};

/// What a file may cost (reference: XML guards).
struct XmlLimits
{
    std::size_t bytes = 64u << 20;
    std::size_t elements = 1'000'000;
    std::size_t name = 1024; ///< of an element or attribute, in bytes
    int depth = 256;
    std::chrono::milliseconds time{10'000};
};

/// The root element. Refused, with line and column: what is no XML or broken UTF-8, document types and entities (so
/// nothing is expanded or fetched), and what is beyond the limits. Any thread.
Result<XmlElement> parseXml(std::string_view text, const XmlLimits &limits = {});

/// Back to text with two blanks of indent, from `indent` levels on; ends in a line break.
std::string writeXml(const XmlElement &element, int indent = 0);

} // namespace wardbench::exchange
