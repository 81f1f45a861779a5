#include "json/value.h"

#include "json/memberindex.h"
#include "json/writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace wardbench::json {

// A node is held as shared_ptr<const Node> but made as one of the three below, whose deleter it keeps; the kind of
// the Value says which one it is.
struct Value::Node
{
};

struct Value::TextNode : Node
{
    explicit TextNode(std::string t) : text(std::move(t)) {}
    std::string text;
};

struct Value::ArrayNode : Node
{
    explicit ArrayNode(Array a) : items(std::move(a)) {}
    Array items;
};

struct Value::ObjectNode : Node
{
    explicit ObjectNode(Members m) : members(std::move(m)) { index.appended(members); }
    Members members;
    MemberIndex index;
};

Value::Value(int value) : Value(static_cast<std::int64_t>(value)) {}
Value::Value(std::int64_t value) : Value(number(std::to_string(value))) {}
Value::Value(std::uint64_t value) : Value(number(std::to_string(value))) {}

Value::Value(double value)
{
    if (std::isfinite(value))
        *this = number(javascriptNumber(value));
}

Value::Value(const char *text) : Value(std::string(text)) {}
Value::Value(std::string_view text) : Value(std::string(text)) {}
Value::Value(std::string text) : m_kind(Kind::String), m_node(std::make_shared<TextNode>(std::move(text))) {}
Value::Value(Array items) : m_kind(Kind::Array), m_node(std::make_shared<ArrayNode>(std::move(items))) {}
Value::Value(Members members) : m_kind(Kind::Object), m_node(std::make_shared<ObjectNode>(std::move(members))) {}

Value Value::number(std::string text)
{
    Value value;
    value.m_kind = Kind::Number;
    // Digits are by far the most frequent numbers of a big array: they share their nodes.
    static const std::array<std::shared_ptr<const Node>, 10> digits = [] {
        std::array<std::shared_ptr<const Node>, 10> nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            nodes[i] = std::make_shared<TextNode>(std::to_string(i));
        return nodes;
    }();
    if (text.size() == 1 && text[0] >= '0' && text[0] <= '9')
        value.m_node = digits[static_cast<std::size_t>(text[0] - '0')];
    else
        value.m_node = std::make_shared<TextNode>(std::move(text));
    return value;
}

bool Value::isTruthy() const
{
    switch (m_kind) {
    case Kind::Null:
        return false;
    case Kind::Bool:
        return m_bool;
    case Kind::Number:
        return toDouble() != 0;
    case Kind::String:
        return !text().empty();
    case Kind::Array:
    case Kind::Object:
        return true;
    }
    return false;
}

std::string_view Value::kindName() const
{
    switch (m_kind) {
    case Kind::Null:
        return "null";
    case Kind::Bool:
        return "a boolean";
    case Kind::Number:
        return "a number";
    case Kind::String:
        return "text";
    case Kind::Array:
        return "an array";
    case Kind::Object:
        return "an object";
    }
    return {};
}

double Value::toDouble(double otherwise) const
{
    if (!isNumber())
        return otherwise;
    const std::string &source = text();
    double result = 0;
    const auto [end, failure] = std::from_chars(source.data(), source.data() + source.size(), result);
    if (failure == std::errc::result_out_of_range)
        return std::strtod(source.c_str(), nullptr); // tells overflow and underflow apart, which from_chars does not
    return failure == std::errc() ? result : otherwise;
}

std::optional<std::int64_t> Value::toInteger() const
{
    if (!isNumber())
        return std::nullopt;
    const std::string &source = text();
    std::int64_t whole = 0;
    const char *const last = source.data() + source.size();
    const auto [end, failure] = std::from_chars(source.data(), last, whole);
    if (failure == std::errc() && end == last)
        return whole;
    const double value = toDouble();
    if (value != std::floor(value) || value < -0x1p63 || value >= 0x1p63)
        return std::nullopt;
    return static_cast<std::int64_t>(value);
}

const std::string &Value::text() const
{
    static const std::string none;
    return isString() || isNumber() ? static_cast<const TextNode &>(*m_node).text : none;
}

const Array &Value::items() const
{
    static const Array none;
    return isArray() ? static_cast<const ArrayNode &>(*m_node).items : none;
}

const Members &Value::members() const
{
    static const Members none;
    return isObject() ? static_cast<const ObjectNode &>(*m_node).members : none;
}

std::size_t Value::size() const
{
    return isArray() ? items().size() : members().size();
}

const Value *Value::find(std::string_view name) const
{
    if (!isObject())
        return nullptr;
    const auto &object = static_cast<const ObjectNode &>(*m_node);
    const std::size_t position = object.index.find(object.members, name);
    return position == MemberIndex::none ? nullptr : &object.members[position].second;
}

const Value &Value::operator[](std::string_view name) const
{
    static const Value null;
    const Value *found = find(name);
    return found ? *found : null;
}

const Value &Value::at(std::size_t index) const
{
    static const Value null;
    return index < items().size() ? items()[index] : null;
}

Value Value::withMember(std::string_view name, Value value) const
{
    Members changed = members();
    for (Member &member : changed) {
        if (member.first == name) {
            member.second = std::move(value);
            return Value(std::move(changed));
        }
    }
    changed.emplace_back(std::string(name), std::move(value));
    return Value(std::move(changed));
}

Value Value::withMemberAt(std::size_t index, std::string name, Value value) const
{
    Members changed = members();
    const auto place = changed.begin() + static_cast<std::ptrdiff_t>(std::min(index, changed.size()));
    changed.emplace(place, std::move(name), std::move(value));
    return Value(std::move(changed));
}

Value Value::withoutMember(std::string_view name) const
{
    Members changed = members();
    std::erase_if(changed, [name](const Member &member) { return member.first == name; });
    return Value(std::move(changed));
}

Value Value::withItem(std::size_t index, Value value) const
{
    Array changed = items();
    if (index < changed.size())
        changed[index] = std::move(value);
    return Value(std::move(changed));
}

Value Value::withItemInserted(std::size_t index, Value value) const
{
    Array changed = items();
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(std::min(index, changed.size())), std::move(value));
    return Value(std::move(changed));
}

Value Value::withoutItem(std::size_t index) const
{
    Array changed = items();
    if (index < changed.size())
        changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(index));
    return Value(std::move(changed));
}

bool operator==(const Value &a, const Value &b)
{
    if (a.m_kind != b.m_kind)
        return false;
    if (a.m_node == b.m_node)
        return a.m_bool == b.m_bool;
    switch (a.m_kind) {
    case Value::Kind::Array:
        return a.items() == b.items();
    case Value::Kind::Object:
        return a.members() == b.members();
    default:
        return a.text() == b.text();
    }
}

bool Value::sameNode(const Value &other) const
{
    if (isArray() || isObject())
        return m_kind == other.m_kind && m_node == other.m_node;
    return *this == other;
}

} // namespace wardbench::json
