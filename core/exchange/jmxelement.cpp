#include "exchange/jmxelement.h"

#include <algorithm>
#include <array>

namespace wardbench::exchange::jmx {
namespace {

constexpr std::array<std::string_view, 5> scalarTags{"stringProp", "boolProp", "intProp", "longProp", "floatProp"};

} // namespace

std::optional<std::string> given(const XmlElement &element, std::string_view name)
{
    for (const XmlElement &child : element.children) {
        if (std::find(scalarTags.begin(), scalarTags.end(), child.name) != scalarTags.end()) {
            if (child.attribute("name") == name)
                return child.text;
        } else if (child.name == "doubleProp") { // its name and value are elements
            const XmlElement *inner = child.child("name"), *value = child.child("value");
            if (inner && value && inner->text == name)
                return value->text;
        }
    }
    return std::nullopt;
}

std::string property(const XmlElement &element, std::string_view name, std::string_view otherwise)
{
    return given(element, name).value_or(std::string(otherwise));
}

bool flag(const XmlElement &element, std::string_view name, bool otherwise)
{
    const auto text = given(element, name);
    return text && !text->empty() ? *text == "true" : otherwise;
}

const XmlElement *part(const XmlElement &element, std::string_view name)
{
    const auto found = std::find_if(element.children.begin(), element.children.end(), [name](const XmlElement &child) {
        return (child.name == "elementProp" || child.name == "collectionProp") && child.attribute("name") == name;
    });
    return found == element.children.end() ? nullptr : &*found;
}

const std::vector<XmlElement> &childrenOf(const XmlElement *element)
{
    static const std::vector<XmlElement> none;
    return element ? element->children : none;
}

std::vector<std::string> texts(const XmlElement &element, std::string_view collection)
{
    std::vector<std::string> values;
    for (const XmlElement &child : childrenOf(part(element, collection)))
        values.push_back(child.text);
    return values;
}

bool isEnabled(const XmlElement &element)
{
    return element.attribute("enabled") != "false";
}

std::string nameOf(const XmlElement &element)
{
    return std::string(element.attribute("testname"));
}

XmlElement element(std::string_view type, std::string_view gui, std::string_view name)
{
    XmlElement made;
    made.name = type;
    made.attributes = {{"guiclass", std::string(gui)},
                       {"testclass", std::string(type)},
                       {"testname", std::string(name)},
                       {"enabled", "true"}};
    return made;
}

XmlElement property(std::string_view tag, std::string_view name, std::string_view value)
{
    XmlElement made;
    made.name = tag;
    made.attributes = {{"name", std::string(name)}};
    made.text = value;
    return made;
}

void addText(XmlElement &to, std::string_view name, std::string_view value)
{
    to.children.push_back(property("stringProp", name, value));
}

void addFlag(XmlElement &to, std::string_view name, bool value)
{
    to.children.push_back(property("boolProp", name, value ? "true" : "false"));
}

void addNumber(XmlElement &to, std::string_view name, int value)
{
    to.children.push_back(property("intProp", name, std::to_string(value)));
}

XmlElement elementProperty(std::string_view name, std::string_view type)
{
    XmlElement made;
    made.name = "elementProp";
    made.attributes = {{"name", std::string(name)}, {"elementType", std::string(type)}};
    return made;
}

void addTexts(XmlElement &to, std::string_view collection, const std::vector<std::string> &values)
{
    XmlElement list = property("collectionProp", collection, {});
    for (const std::string &value : values)
        list.children.push_back(property("stringProp", std::to_string(hashCode(value)), value));
    to.children.push_back(std::move(list));
}

std::int32_t hashCode(std::string_view text)
{
    std::uint32_t hash = 0;
    const auto add = [&hash](std::uint32_t unit) {
        hash = hash * 31 + unit;
    };
    for (std::size_t i = 0; i < text.size();) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const int more = byte < 0x80 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
        std::uint32_t point = more == 0 ? byte : byte & (0x3fu >> more);
        for (int k = 1; k <= more && i + static_cast<std::size_t>(k) < text.size(); ++k)
            point = point << 6 | (static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]) & 0x3fu);
        i += static_cast<std::size_t>(more) + 1;
        if (point >= 0x10000) { // Java counts UTF-16 code units
            add(0xd800 + ((point - 0x10000) >> 10));
            add(0xdc00 + ((point - 0x10000) & 0x3ff));
        } else {
            add(point);
        }
    }
    return static_cast<std::int32_t>(hash);
}

} // namespace wardbench::exchange::jmx
