#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wardbench::json {

class Value;
using Member = std::pair<std::string, Value>;
using Array = std::vector<Value>;
using Members = std::vector<Member>;

/// One node of an ordered JSON tree. Members keep their order, numbers their source text. Arrays and objects are
/// immutable and shared, so copies are cheap, any thread may read, and `sameNode` tells an untouched subtree.
class Value
{
public:
    enum class Kind : std::uint8_t { Null, Bool, Number, String, Array, Object };

    Value() = default;
    Value(std::nullptr_t) {}
    Value(bool value) : m_kind(Kind::Bool), m_bool(value) {}
    Value(int value);
    Value(std::int64_t value);
    Value(std::uint64_t value);
    Value(double value); ///< shortest text that reads back the same, as JavaScript prints it; NaN and infinity are null
    Value(const char *text);
    Value(std::string_view text);
    Value(std::string text);
    Value(Array items);
    Value(Members members);
    /// A number kept as written. `text` must be a JSON number.
    static Value number(std::string text);
    static Value array() { return Value(Array{}); }
    static Value object() { return Value(Members{}); }

    Kind kind() const { return m_kind; }
    bool isNull() const { return m_kind == Kind::Null; }
    bool isBool() const { return m_kind == Kind::Bool; }
    bool isNumber() const { return m_kind == Kind::Number; }
    bool isString() const { return m_kind == Kind::String; }
    bool isArray() const { return m_kind == Kind::Array; }
    bool isObject() const { return m_kind == Kind::Object; }
    /// "null", "a boolean", "a number", "text", "an array", "an object": for messages.
    std::string_view kindName() const;

    bool toBool(bool otherwise = false) const { return isBool() ? m_bool : otherwise; }
    /// JavaScript's idea of true, by which mountebank decides in many places whether something was given at all: null,
    /// false, 0 and "" are not.
    bool isTruthy() const;
    double toDouble(double otherwise = 0) const;
    /// The number when it is a whole one within int64 (`3`, `3.0`, `3e2`).
    std::optional<std::int64_t> toInteger() const;
    /// Text of a string, source text of a number; empty otherwise.
    const std::string &text() const;

    const Array &items() const;     ///< empty unless an array
    const Members &members() const; ///< empty unless an object
    std::size_t size() const;       ///< items or members
    /// Member by name, or null when absent (or not an object). Hashed on large objects.
    const Value *find(std::string_view name) const;
    /// Member by name; a Null value when absent.
    const Value &operator[](std::string_view name) const;
    const Value &at(std::size_t index) const;

    /// Copies with one change; other subtrees are shared.
    Value withMember(std::string_view name, Value value) const;                 ///< replaced in place, else appended
    Value withMemberAt(std::size_t index, std::string name, Value value) const; ///< inserted before `index`
    Value withoutMember(std::string_view name) const;
    Value withItem(std::size_t index, Value value) const;
    Value withItemInserted(std::size_t index, Value value) const;
    Value withoutItem(std::size_t index) const;

    /// Same kind and content; object order matters, numbers compare by text.
    friend bool operator==(const Value &a, const Value &b);
    /// Identity of a shared subtree; scalars compare by content.
    bool sameNode(const Value &other) const;
    /// Address of a shared array or object, else null: a key for caches.
    const void *node() const { return isArray() || isObject() ? m_node.get() : nullptr; }

private:
    struct Node;
    struct TextNode;
    struct ArrayNode;
    struct ObjectNode;

    Kind m_kind = Kind::Null;
    bool m_bool = false;
    std::shared_ptr<const Node> m_node;
};

} // namespace wardbench::json
