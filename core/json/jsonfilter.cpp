#include "json/jsonfilter.h"

#include "json/writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace wardbench::json {

namespace {

/// A JavaScript value: undefined, a number (NaN among them), or any other JSON value.
class Operand
{
public:
    Operand() = default;
    Operand(double number) : m_kind(Kind::Number), m_number(number) {}
    Operand(const Value &value)
    {
        m_kind = value.isNumber() ? Kind::Number : Kind::Other;
        if (value.isNumber())
            m_number = value.toDouble();
        else
            m_value = value;
    }

    bool isUndefined() const { return m_kind == Kind::Undefined; }
    bool isNumber() const { return m_kind == Kind::Number; }
    bool isText() const { return m_kind == Kind::Other && m_value.isString(); }
    bool isBool() const { return m_kind == Kind::Other && m_value.isBool(); }
    bool isNothing() const { return isUndefined() || (m_kind == Kind::Other && m_value.isNull()); }
    bool isContainer() const { return m_value.isArray() || m_value.isObject(); }
    const Value &value() const { return m_value; }

    bool truthy() const
    {
        if (isNumber())
            return m_number != 0 && !std::isnan(m_number);
        return !isUndefined() && m_value.isTruthy();
    }

    double number() const
    {
        if (isNumber())
            return m_number;
        if (isUndefined())
            return std::numeric_limits<double>::quiet_NaN();
        if (m_value.isNull())
            return 0;
        if (m_value.isBool())
            return m_value.toBool() ? 1 : 0;
        return numberOf(text());
    }

    std::string text() const
    {
        if (isNumber())
            return std::isnan(m_number) ? "NaN" : std::isinf(m_number) ? "Infinity" : javascriptNumber(m_number);
        if (isUndefined())
            return "undefined";
        if (m_value.isString())
            return m_value.text();
        if (m_value.isNull())
            return "null";
        if (m_value.isBool())
            return m_value.toBool() ? "true" : "false";
        if (m_value.isObject())
            return "[object Object]";
        std::string joined;
        for (const Value &item : m_value.items())
            joined += (&item == &m_value.items().front() ? "" : ",") + (item.isNull()    ? std::string()
                                                                        : item.isArray() ? "[]"
                                                                                         : Operand(item).text());
        return joined; // one level deep: nobody compares more, and the work stays in proportion
    }

private:
    enum class Kind { Undefined, Number, Other };

    static double numberOf(std::string_view text)
    {
        const auto blank = [](char c) {
            return c == ' ' || c == '\t' || c == '\n' || c == '\r';
        };
        while (!text.empty() && blank(text.front()))
            text.remove_prefix(1);
        while (!text.empty() && blank(text.back()))
            text.remove_suffix(1);
        double number = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
        const bool whole = problem == std::errc() && end == text.data() + text.size();
        return whole ? number : text.empty() ? 0 : std::numeric_limits<double>::quiet_NaN();
    }

    Kind m_kind = Kind::Undefined;
    double m_number = 0;
    Value m_value;
};

bool same(const Operand &a, const Operand &b)
{
    if (a.isNumber() || b.isNumber())
        return a.isNumber() && b.isNumber() && a.number() == b.number();
    if (a.isUndefined() || b.isUndefined())
        return a.isUndefined() && b.isUndefined();
    if (a.isContainer() || b.isContainer())
        return a.value().node() != nullptr && a.value().node() == b.value().node();
    return a.value() == b.value();
}

/// JavaScript's ==
bool equal(const Operand &a, const Operand &b)
{
    if (a.isNothing() || b.isNothing())
        return a.isNothing() && b.isNothing();
    if ((a.isContainer() && b.isContainer()) || (a.isText() && b.isText()))
        return same(a, b);
    if ((a.isContainer() && b.isText()) || (a.isText() && b.isContainer()))
        return a.text() == b.text();
    return a.number() == b.number();
}

Operand compared(JsonFilter::BinaryOp op, const Operand &a, const Operand &b)
{
    using BinaryOp = JsonFilter::BinaryOp;
    const bool texts = a.isText() && b.isText();
    const int order = texts ? a.value().text().compare(b.value().text()) : 0;
    const double left = texts ? order : a.number(), right = texts ? 0 : b.number();
    switch (op) {
    case BinaryOp::Less:
        return Value(left < right);
    case BinaryOp::LessOrEqual:
        return Value(left <= right);
    case BinaryOp::Greater:
        return Value(left > right);
    default:
        return Value(left >= right);
    }
}

Operand binary(JsonFilter::BinaryOp op, const Operand &a, const Operand &b)
{
    using BinaryOp = JsonFilter::BinaryOp;
    switch (op) {
    case BinaryOp::Add:
        if (a.isText() || b.isText() || a.isContainer() || b.isContainer())
            return Value(a.text() + b.text());
        return a.number() + b.number();
    case BinaryOp::Subtract:
        return a.number() - b.number();
    case BinaryOp::Multiply:
        return a.number() * b.number();
    case BinaryOp::Divide:
        return a.number() / b.number();
    case BinaryOp::Modulo:
        return std::fmod(a.number(), b.number());
    case BinaryOp::Equal:
        return Value(equal(a, b));
    case BinaryOp::NotEqual:
        return Value(!equal(a, b));
    case BinaryOp::Same:
        return Value(same(a, b));
    case BinaryOp::NotSame:
        return Value(!same(a, b));
    default:
        return compared(op, a, b);
    }
}

std::string mapped(std::string text, char first, char last, int by)
{
    for (char &c : text)
        c = c >= first && c <= last ? static_cast<char>(c + by) : c;
    return text;
}

/// UTF-16 units, as JavaScript counts.
double lengthOf(std::string_view utf8)
{
    double units = 0;
    for (const char c : utf8) {
        const auto byte = static_cast<unsigned char>(c);
        units += (byte & 0xC0) == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1;
    }
    return units;
}

Operand member(const Operand &of, std::string_view name)
{
    if (of.isText() && name == "length")
        return lengthOf(of.value().text());
    std::optional<Value> made;
    const Value *found = of.isContainer() ? findChild(of.value(), name, made) : nullptr;
    return found ? Operand(*found) : Operand();
}

Operand method(JsonFilter::MethodName name, const Operand &on, const Operand &argument)
{
    using MethodName = JsonFilter::MethodName;
    if (name == MethodName::Length)
        return on.value().isObject() ? Operand(static_cast<double>(on.value().size())) : member(on, "length");
    if (on.value().isArray() && (name == MethodName::Includes || name == MethodName::IndexOf)) {
        const Array &items = on.value().items();
        const auto at =
            std::find_if(items.begin(), items.end(), [&](const Value &item) { return same(item, argument); });
        if (name == MethodName::Includes)
            return Value(at != items.end());
        return at == items.end() ? -1.0 : static_cast<double>(at - items.begin());
    }
    if (!on.isText())
        return {};
    const std::string &text = on.value().text();
    switch (name) {
    case MethodName::Includes:
        return Value(text.find(argument.text()) != std::string::npos);
    case MethodName::StartsWith:
        return Value(text.starts_with(argument.text()));
    case MethodName::EndsWith:
        return Value(text.ends_with(argument.text()));
    case MethodName::IndexOf: {
        const std::size_t at = text.find(argument.text());
        return at == std::string::npos ? -1.0 : lengthOf(std::string_view(text).substr(0, at));
    }
    case MethodName::ToLowerCase:
        return Value(mapped(text, 'A', 'Z', 'a' - 'A'));
    default:
        return Value(mapped(text, 'a', 'z', 'A' - 'a'));
    }
}

/// The stack machine.
class Machine
{
public:
    Machine(const JsonFilter &filter, const FilterSubject &subject, std::uint64_t &steps)
        : m_filter(filter), m_subject(subject), m_steps(steps)
    {
    }

    Operand run()
    {
        for (std::size_t at = 0; at < m_filter.program.size(); ++at) {
            if (m_steps == 0)
                return {};
            --m_steps;
            const JsonFilter::Instruction &instruction = m_filter.program[at];
            using Op = JsonFilter::Op;
            if (instruction.op == Op::SkipIfFalse || instruction.op == Op::SkipIfTrue) {
                if (m_stack.back().truthy() == (instruction.op == Op::SkipIfTrue))
                    at = instruction.argument - 1;
                else
                    m_stack.pop_back();
            } else {
                step(instruction);
            }
        }
        return m_stack.empty() ? Operand() : m_stack.back();
    }

private:
    Operand pop()
    {
        Operand top = std::move(m_stack.back());
        m_stack.pop_back();
        return top;
    }

    void push(Operand operand) { m_stack.push_back(std::move(operand)); }

    void step(const JsonFilter::Instruction &instruction)
    {
        using Op = JsonFilter::Op;
        switch (instruction.op) {
        case Op::Constant:
            return push(m_filter.constants[instruction.argument]);
        case Op::Current:
            return push(m_subject.current);
        case Op::Root:
            return push(m_subject.root);
        case Op::Parent:
            return push(m_subject.parent ? Operand(*m_subject.parent) : Operand());
        case Op::Property:
            return push(m_subject.property ? Operand(*m_subject.property) : Operand());
        case Op::Member:
            return push(member(pop(), m_filter.constants[instruction.argument].text()));
        case Op::MemberOf: {
            const Operand name = pop();
            return push(member(pop(), name.text()));
        }
        case Op::Method: {
            const Operand argument = instruction.argument > 0 ? pop() : Operand();
            return push(method(instruction.method, pop(), argument));
        }
        case Op::Regex: {
            const Operand on = pop();
            return push(Value(!on.isNothing() && m_filter.expressions[instruction.argument](on.text())));
        }
        case Op::Not:
            return push(Value(!pop().truthy()));
        case Op::Negate:
            return push(-pop().number());
        case Op::ToNumber:
            return push(pop().number());
        case Op::Binary: {
            const Operand right = pop();
            return push(binary(instruction.binary, pop(), right));
        }
        default:
            return push({});
        }
    }

    const JsonFilter &m_filter;
    const FilterSubject &m_subject;
    std::uint64_t &m_steps;
    std::vector<Operand> m_stack;
};

/// A whole number as JavaScript writes an index; negative ones, too.
std::optional<std::int64_t> indexOf(std::string_view name)
{
    std::int64_t index = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), index);
    const std::string_view digits = name.starts_with('-') ? name.substr(1) : name;
    const bool plain = digits == "0" || (!digits.empty() && digits[0] != '0');
    if (problem != std::errc() || end != name.data() + name.size() || !plain)
        return std::nullopt;
    return index;
}

} // namespace

bool JsonFilter::holds(const FilterSubject &subject, std::uint64_t &steps) const
{
    return Machine(*this, subject, steps).run().truthy();
}

std::optional<std::string> JsonFilter::name(const FilterSubject &subject, std::uint64_t &steps) const
{
    const Operand result = Machine(*this, subject, steps).run();
    return result.isUndefined() ? std::nullopt : std::optional(result.text());
}

const Value *findChild(const Value &value, std::string_view name, std::optional<Value> &made)
{
    if (!value.isArray())
        return value.find(name);
    if (name == "length") {
        made = Value(static_cast<std::int64_t>(value.size()));
        return &*made;
    }
    const auto index = indexOf(name);
    if (!index)
        return nullptr;
    const auto size = static_cast<std::int64_t>(value.size());
    const std::int64_t at = *index < 0 ? *index + size : *index;
    return at >= 0 && at < size ? &value.at(static_cast<std::size_t>(at)) : nullptr;
}

} // namespace wardbench::json
