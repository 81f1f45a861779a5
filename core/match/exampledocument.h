#pragma once

#include "model/selection.h"
#include "json/value.h"

#include <optional>
#include <string>
#include <vector>

namespace wardbench {

/// Builds the body of an example request, piece by piece, from what predicates demand of it.
class ExampleDocument
{
public:
    /// A member of a JSON body, by the names on the way to it.
    void setMember(const std::vector<std::string> &path, const json::Value &value);
    /// A value where the selector looks; false for selectors that are more than names and numbers.
    bool setSelected(const Selector &selector, const std::string &value);
    /// The JSON or XML text; nothing when nothing was set.
    std::optional<std::string> text() const;

private:
    struct Element
    {
        std::string name, text;
        std::vector<std::pair<std::string, std::string>> attributes;
        std::vector<Element> children;
        Element &child(const std::string &called);
        void write(std::string &out) const;
    };

    bool setJsonPath(const std::string &path, const std::string &value);
    bool setXPath(const Selector &selector, const std::string &value);

    json::Value m_json; ///< null: none
    Element m_xml;      ///< its children are the document's one element
    XmlNamespaces m_namespaces;
};

} // namespace wardbench
