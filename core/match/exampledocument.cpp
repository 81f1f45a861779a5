#include "match/exampledocument.h"

#include "base/markup.h"
#include "json/writer.h"

#include <algorithm>

namespace wardbench {
namespace {

bool isNameChar(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.';
}

bool isNumber(const std::string &text)
{
    return !text.empty() && text.size() < 4 && text.find_first_not_of("0123456789") == std::string::npos;
}

json::Value withValueAt(const json::Value &root, const std::vector<std::string> &path, std::size_t at,
                        const json::Value &value)
{
    if (at == path.size())
        return value;
    if (isNumber(path[at]) && !root.isObject()) {
        json::Array items = root.items();
        const std::size_t index = std::stoul(path[at]);
        items.resize(std::max(items.size(), index + 1));
        items[index] = withValueAt(items[index], path, at + 1, value);
        return json::Value(std::move(items));
    }
    const json::Value object = root.isObject() ? root : json::Value::object();
    return object.withMember(path[at], withValueAt(object[path[at]], path, at + 1, value));
}

/// `$.a.b[0]['c']` as its parts; nothing for anything with wildcards, filters or slices.
std::optional<std::vector<std::string>> plainJsonPath(const std::string &path)
{
    std::vector<std::string> parts;
    std::size_t at = path.starts_with('$') ? 1 : 0;
    while (at < path.size()) {
        std::string part;
        if (path[at] == '[') {
            const std::size_t close = path.find(']', at);
            if (close == std::string::npos)
                return std::nullopt;
            part = path.substr(at + 1, close - at - 1);
            const bool quoted = part.size() >= 2 && (part[0] == '\'' || part[0] == '"') && part.back() == part[0];
            part = quoted ? part.substr(1, part.size() - 2) : isNumber(part) ? part : part == "*" ? "0" : "";
            at = close + 1;
        } else {
            while (at < path.size() && path[at] == '.') // ".." looks anywhere: the top is one such place
                ++at;
            while (at < path.size() && path[at] != '.' && path[at] != '[')
                part += path[at++];
            if (part.find_first_of("*^~@?()") != std::string::npos)
                return std::nullopt;
        }
        if (part.empty())
            return std::nullopt;
        parts.push_back(part);
    }
    return parts;
}

} // namespace

ExampleDocument::Element &ExampleDocument::Element::child(const std::string &called)
{
    for (Element &one : children) {
        if (one.name == called)
            return one;
    }
    children.emplace_back().name = called;
    return children.back();
}

void ExampleDocument::Element::write(std::string &out) const
{
    out += '<' + name;
    for (const auto &[attribute, value] : attributes) {
        out += ' ' + attribute + "=\"";
        out += escapedMarkup(value);
        out += '"';
    }
    out += '>';
    out += escapedMarkup(text);
    for (const Element &one : children)
        one.write(out);
    out += "</" + name + '>';
}

void ExampleDocument::setMember(const std::vector<std::string> &path, const json::Value &value)
{
    m_json = withValueAt(m_json, path, 0, value);
}

bool ExampleDocument::setSelected(const Selector &selector, const std::string &value)
{
    return selector.kind == Selector::Kind::JsonPath ? setJsonPath(selector.path, value) : setXPath(selector, value);
}

bool ExampleDocument::setJsonPath(const std::string &path, const std::string &value)
{
    const auto parts = plainJsonPath(path);
    if (parts)
        setMember(*parts, value);
    return parts.has_value();
}

bool ExampleDocument::setXPath(const Selector &selector, const std::string &value)
{
    Element *element = &m_xml;
    std::string_view rest = selector.path;
    while (!rest.empty()) {
        while (rest.starts_with('/'))
            rest.remove_prefix(1);
        if (rest == "text()")
            break;
        const bool attribute = rest.starts_with('@');
        rest.remove_prefix(attribute ? 1 : 0);
        std::string name;
        while (!rest.empty() && (isNameChar(rest.front()) || rest.front() == ':')) {
            name += rest.front();
            rest.remove_prefix(1);
        }
        if (name.empty() || name.ends_with(':') || (!rest.empty() && rest.front() != '/') ||
            (attribute && !rest.empty()))
            return false;
        if (attribute) {
            element->attributes.emplace_back(name, value);
            return true;
        }
        if (element == &m_xml && !m_xml.children.empty() && m_xml.children.front().name != name)
            return false; // a document has one root
        element = &element->child(name);
    }
    element->text = value;
    for (const auto &one : selector.namespaces) {
        if (std::find(m_namespaces.begin(), m_namespaces.end(), one) == m_namespaces.end())
            m_namespaces.push_back(one);
    }
    return element != &m_xml;
}

std::optional<std::string> ExampleDocument::text() const
{
    if (!m_xml.children.empty()) {
        Element root = m_xml.children.front();
        for (const auto &[alias, uri] : m_namespaces)
            root.attributes.emplace_back("xmlns:" + alias, uri);
        std::string out;
        root.write(out);
        return out;
    }
    return m_json.isNull() ? std::nullopt : std::optional(json::writeCompact(m_json));
}

} // namespace wardbench
