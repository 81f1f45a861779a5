#pragma once

#include "json/jsonpath.h"

#include <optional>

namespace wardbench::json {

/// What an expression of a JSONPath is asked about.
struct FilterSubject
{
    const Value &root;
    const Value &current;            ///< @
    const Value *parent = nullptr;   ///< @parent
    std::optional<Value> property{}; ///< @property: the name or index of `current` in it
};

/// An expression within `[?(...)]` or `[(...)]`, as JavaScript would answer it: literals, `@` and `$` with members,
/// `.length`, `! - + * / % == != === !== < <= > >= && ||`, parentheses, `=~ /x/`, and the methods includes, startsWith,
/// endsWith, indexOf, toLowerCase, toUpperCase, match and test. A member of what has none is undefined, never an error.
class JsonFilter
{
public:
    enum class Op : std::uint8_t {
        Constant, ///< push constant `argument`
        Undefined,
        Current,
        Root,
        Parent,
        Property,
        Member,   ///< name: constant `argument`
        MemberOf, ///< name: on the stack
        Method,   ///< `method`, with `argument` arguments on the stack
        Regex,    ///< whether expression `argument` finds something
        Not,
        Negate,
        ToNumber,
        Binary,      ///< `binary`
        SkipIfFalse, ///< && : keep the value and go on at `argument`, or drop it
        SkipIfTrue,  ///< ||
    };
    enum class BinaryOp : std::uint8_t {
        Add,
        Subtract,
        Multiply,
        Divide,
        Modulo,
        Equal,
        NotEqual,
        Same,
        NotSame,
        Less,
        LessOrEqual,
        Greater,
        GreaterOrEqual
    };
    enum class MethodName : std::uint8_t { Includes, StartsWith, EndsWith, IndexOf, ToLowerCase, ToUpperCase, Length };

    struct Instruction
    {
        Op op = Op::Undefined;
        BinaryOp binary = BinaryOp::Add;
        MethodName method = MethodName::Length;
        std::uint32_t argument = 0;
    };

    std::vector<Instruction> program; ///< for a stack machine, so that nesting costs no recursion
    std::vector<Value> constants;
    std::vector<JsonPath::RegexTest> expressions;

    /// Whether JavaScript would take the result for true. Each instruction is a step.
    bool holds(const FilterSubject &subject, std::uint64_t &steps) const;
    /// The result as a name of a member or index; nothing when it is undefined.
    std::optional<std::string> name(const FilterSubject &subject, std::uint64_t &steps) const;
};

/// An own member, an element by its index (negative: from the end), or the `length` of an array; `made` holds a value
/// that is not part of the document.
const Value *findChild(const Value &value, std::string_view name, std::optional<Value> &made);

} // namespace wardbench::json
