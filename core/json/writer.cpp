#include "json/writer.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace wardbench::json {
namespace {

constexpr std::size_t lineWidth = 130;

bool isContainer(const Value &value)
{
    return value.isArray() || value.isObject();
}

std::size_t columns(std::string_view text)
{
    std::size_t count = 0;
    for (const char c : text)
        count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    return count;
}

void appendQuoted(std::string &out, std::string_view text)
{
    static constexpr char hex[] = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\b':
            out += "\\b";
            break;
        case '\f':
            out += "\\f";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            if (static_cast<unsigned char>(c) < 0x20) {
                out += "\\u00";
                out += hex[static_cast<unsigned char>(c) >> 4];
                out += hex[static_cast<unsigned char>(c) & 15];
            } else {
                out += c;
            }
        }
    }
    out += '"';
}

void appendScalar(std::string &out, const Value &value, bool javascriptNumbers)
{
    switch (value.kind()) {
    case Value::Kind::Null:
        out += "null";
        break;
    case Value::Kind::Bool:
        out += value.toBool() ? "true" : "false";
        break;
    case Value::Kind::Number:
        out += javascriptNumbers ? javascriptNumber(value.text()) : value.text();
        break;
    case Value::Kind::String:
        appendQuoted(out, value.text());
        break;
    default:
        break;
    }
}

/// Our own files' layout.
class DocumentWriter
{
public:
    std::string take(const Value &value)
    {
        write(value, 0, 0);
        m_out += '\n';
        return std::move(m_out);
    }

private:
    // `used`: columns taken on this line before the value, with one kept for a comma after it.
    void write(const Value &value, std::size_t indent, std::size_t used)
    {
        if (!isContainer(value)) {
            appendScalar(m_out, value, false);
            return;
        }
        std::string line;
        if (used < lineWidth && writeInline(line, value, lineWidth - used)) {
            m_out += line;
            return;
        }
        const bool object = value.isObject();
        m_out += object ? '{' : '[';
        const std::string margin(indent + 2, ' ');
        for (std::size_t i = 0; i < value.size(); ++i) {
            m_out += i == 0 ? "\n" : ",\n";
            m_out += margin;
            std::size_t taken = margin.size() + (i + 1 < value.size() ? 1 : 0);
            if (object) {
                std::string name = quoted(value.members()[i].first) + ": ";
                taken += columns(name);
                m_out += name;
            }
            write(object ? value.members()[i].second : value.items()[i], indent + 2, taken);
        }
        m_out += '\n' + std::string(indent, ' ') + (object ? '}' : ']');
    }

    // Gives up as soon as `width` is exceeded, so a failed attempt costs at most a line and the whole stays linear.
    static bool writeInline(std::string &line, const Value &value, std::size_t width)
    {
        if (!isContainer(value)) {
            appendScalar(line, value, false);
            return line.size() <= width || columns(line) <= width;
        }
        const bool object = value.isObject();
        line += object ? '{' : '[';
        for (std::size_t i = 0; i < value.size(); ++i) {
            line += i == 0 ? (object ? " " : "") : ", ";
            if (object) {
                appendQuoted(line, value.members()[i].first);
                line += ": ";
            }
            if (!writeInline(line, object ? value.members()[i].second : value.items()[i], width))
                return false;
        }
        line += object ? (value.size() ? " }" : "}") : "]";
        return line.size() <= width || columns(line) <= width;
    }

    std::string m_out;
};

void appendCompact(std::string &out, const Value &value)
{
    if (!isContainer(value)) {
        appendScalar(out, value, true);
        return;
    }
    const bool object = value.isObject();
    out += object ? '{' : '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (i > 0)
            out += ',';
        if (object) {
            appendQuoted(out, value.members()[i].first);
            out += ':';
        }
        appendCompact(out, object ? value.members()[i].second : value.items()[i]);
    }
    out += object ? '}' : ']';
}

void appendPretty(std::string &out, const Value &value, std::size_t step, std::size_t indent)
{
    if (!isContainer(value) || value.size() == 0) {
        appendCompact(out, value);
        return;
    }
    const bool object = value.isObject();
    out += object ? '{' : '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
        out += i == 0 ? "\n" : ",\n";
        out.append(indent + step, ' ');
        if (object) {
            appendQuoted(out, value.members()[i].first);
            out += ": ";
        }
        appendPretty(out, object ? value.members()[i].second : value.items()[i], step, indent + step);
    }
    out += '\n';
    out.append(indent, ' ');
    out += object ? '}' : ']';
}

} // namespace

std::string writeDocument(const Value &value)
{
    return DocumentWriter().take(value);
}

std::string writeCompact(const Value &value)
{
    std::string out;
    appendCompact(out, value);
    return out;
}

std::string writePretty(const Value &value, int indent)
{
    if (indent <= 0)
        return writeCompact(value);
    std::string out;
    appendPretty(out, value, static_cast<std::size_t>(indent), 0);
    return out;
}

std::string javascriptNumber(std::string_view source)
{
    // Whole numbers that a double holds exactly are written as they are
    constexpr std::size_t exactDigits = 15;
    const bool digits = source.find_first_not_of("0123456789") == std::string_view::npos;
    if (digits && !source.empty() && source.size() <= exactDigits && (source[0] != '0' || source.size() == 1))
        return std::string(source);
    double value = 0;
    const auto [end, failure] = std::from_chars(source.data(), source.data() + source.size(), value);
    if (failure == std::errc::result_out_of_range)
        value = std::strtod(std::string(source).c_str(), nullptr); // tells overflow and underflow apart
    return javascriptNumber(value);
}

// ECMA-262, Number::toString with radix 10: the shortest digits that read back the same, laid out by their exponent.
std::string javascriptNumber(double value)
{
    if (!std::isfinite(value))
        return "null"; // what JSON.stringify makes of them
    if (value == 0)
        return "0";
    std::array<char, 32> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::fabs(value), std::chars_format::scientific)
            .ptr;
    const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
    const std::size_t e = text.find('e');
    std::string digits(text.substr(0, e));
    if (digits.size() > 1)
        digits.erase(1, 1);
    const int exponent = std::atoi(buffer.data() + e + 1);
    const int count = static_cast<int>(digits.size());
    const int point = exponent + 1; // the decimal point comes after this many digits

    std::string result = value < 0 ? "-" : "";
    if (point >= count && point <= 21)
        return result + digits + std::string(static_cast<std::size_t>(point - count), '0');
    if (point > 0 && point <= 21)
        return result + digits.substr(0, static_cast<std::size_t>(point)) + "." +
               digits.substr(static_cast<std::size_t>(point));
    if (point > -6 && point <= 0)
        return result + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
    result += digits.substr(0, 1);
    if (count > 1)
        result += "." + digits.substr(1);
    return result + (exponent < 0 ? "e-" : "e+") + std::to_string(std::abs(exponent));
}

std::string quoted(std::string_view text)
{
    std::string out;
    appendQuoted(out, text);
    return out;
}

} // namespace wardbench::json
