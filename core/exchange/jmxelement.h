#pragma once

#include "exchange/xmltree.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// How JMeter writes properties into a plan's elements.
namespace wardbench::exchange::jmx {

/// The value of a property by its name, whatever scalar tag holds it; nothing when it is absent.
std::optional<std::string> given(const XmlElement &element, std::string_view name);
/// The same; absent is `otherwise`.
std::string property(const XmlElement &element, std::string_view name, std::string_view otherwise = {});
bool flag(const XmlElement &element, std::string_view name, bool otherwise = false);
/// The elementProp or collectionProp of that name, or null.
const XmlElement *part(const XmlElement &element, std::string_view name);
/// An element's children, none for null.
const std::vector<XmlElement> &childrenOf(const XmlElement *element);
/// The plain texts of a collectionProp; empty when absent.
std::vector<std::string> texts(const XmlElement &element, std::string_view collection);
bool isEnabled(const XmlElement &element);
std::string nameOf(const XmlElement &element); ///< its testname

/// An element of a plan with the attributes JMeter looks its classes up by.
XmlElement element(std::string_view type, std::string_view gui, std::string_view name);
XmlElement property(std::string_view tag, std::string_view name, std::string_view value);
void addText(XmlElement &to, std::string_view name, std::string_view value);
void addFlag(XmlElement &to, std::string_view name, bool value);
void addNumber(XmlElement &to, std::string_view name, int value);
/// An elementProp; with a `type` that has a class of its own JMeter wants the three attributes too: give them later.
XmlElement elementProperty(std::string_view name, std::string_view type);
/// A collectionProp of plain texts, named by their hash code as JMeter does.
void addTexts(XmlElement &to, std::string_view collection, const std::vector<std::string> &values);

/// Java's String.hashCode of a UTF-8 text.
std::int32_t hashCode(std::string_view text);

} // namespace wardbench::exchange::jmx
