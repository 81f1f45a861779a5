#include "codec/schemareader.h"

#include "base/duration.h"
#include "base/nearestname.h"
#include "base/number.h"
#include "json/writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace wardbench::codec {
namespace {

std::string range(double low, double high)
{
    const std::string from = json::javascriptNumber(low);
    if (high >= std::numeric_limits<double>::max())
        return "of at least " + from;
    return "from " + from + " to " + json::javascriptNumber(high);
}

/// 503, "503", "5xx" into `set`; false when it is none of them.
bool addStatus(StatusSet &set, const json::Value &item)
{
    if (const auto code = item.toInteger()) {
        set.codes.push_back(static_cast<int>(*code));
        return *code >= 100 && *code <= 999;
    }
    const std::string &text = item.text();
    if (!item.isString() || text.size() != 3 || text[0] < '1' || text[0] > '9')
        return false;
    if (text.substr(1) == "xx" || text.substr(1) == "XX") {
        set.classes.push_back(text[0] - '0');
        return true;
    }
    int code = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), code);
    set.codes.push_back(code);
    return failure == std::errc() && end == text.data() + text.size();
}

} // namespace

std::string shown(const json::Value &value)
{
    if (value.isArray() || value.isObject())
        return std::string(value.kindName());
    constexpr std::size_t longest = 60;
    std::string text = value.isNumber() ? value.text() : json::writeCompact(value);
    if (text.size() <= longest)
        return text;
    std::size_t cut = longest;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80)
        --cut; // not inside a character
    return text.substr(0, cut) + "...";
}

std::string notRun(std::string_view part)
{
    return std::string(part) + " not run by this version; kept in the file";
}

std::optional<std::int64_t> wholeNumber(const json::Value &value)
{
    if (!value.isString())
        return value.toInteger();
    return numberIn<std::int64_t>(value.text());
}

SchemaReader::SchemaReader(const json::Value &value, std::string pointer, Issues &issues)
    : m_value(&value), m_pointer(std::move(pointer)), m_issues(&issues)
{
}

SchemaReader::SchemaReader(const json::Value *value, std::string pointer, Issues *issues)
    : m_value(value), m_pointer(std::move(pointer)), m_issues(issues)
{
}

const json::Value &SchemaReader::value() const
{
    static const json::Value null;
    return m_value ? *m_value : null;
}

SchemaReader SchemaReader::operator[](std::string_view member) const
{
    const json::Value *child = m_value ? m_value->find(member) : nullptr;
    return SchemaReader(child, json::childPointer(m_pointer, member), m_issues);
}

SchemaReader SchemaReader::item(std::size_t index) const
{
    const bool there = m_value && m_value->isArray() && index < m_value->size();
    return SchemaReader(there ? &m_value->at(index) : nullptr, json::childPointer(m_pointer, index), m_issues);
}

void SchemaReader::error(std::string message) const
{
    m_issues->push_back({Issue::Severity::Error, m_pointer, std::move(message), {}});
}

void SchemaReader::warning(std::string message) const
{
    m_issues->push_back({Issue::Severity::Warning, m_pointer, std::move(message), {}});
}

void SchemaReader::expected(std::string_view what) const
{
    error(shown(value()) + " was given; expected " + std::string(what));
}

bool SchemaReader::isObject() const
{
    if (present() && !m_value->isObject())
        expected("an object");
    return present() && m_value->isObject();
}

bool SchemaReader::isArray() const
{
    if (present() && !m_value->isArray())
        expected("an array");
    return present() && m_value->isArray();
}

void SchemaReader::eachItem(const std::function<void(const SchemaReader &)> &read) const
{
    if (!isArray())
        return;
    for (std::size_t i = 0; i < m_value->size(); ++i)
        read(SchemaReader(&m_value->at(i), json::childPointer(m_pointer, i), m_issues));
}

void SchemaReader::eachMember(const std::function<void(const std::string &, const SchemaReader &)> &read) const
{
    if (!isObject())
        return;
    for (const json::Member &member : m_value->members())
        read(member.first, SchemaReader(&member.second, json::childPointer(m_pointer, member.first), m_issues));
}

std::string SchemaReader::text(std::string otherwise) const
{
    if (!present())
        return otherwise;
    if (m_value->isString())
        return m_value->text();
    expected("text");
    return otherwise;
}

std::string SchemaReader::requiredText(std::string_view what) const
{
    if (!present())
        error("is missing; expected " + std::string(what));
    else if (m_value->isString() && m_value->text().empty())
        error("is empty; expected " + std::string(what));
    return text();
}

bool SchemaReader::boolean(bool otherwise) const
{
    if (present() && !m_value->isBool())
        expected("true or false");
    return value().toBool(otherwise);
}

double SchemaReader::number(double otherwise, double low, double high) const
{
    if (!present())
        return otherwise;
    const double result = m_value->toDouble(std::numeric_limits<double>::quiet_NaN());
    if (result >= low && result <= high)
        return result;
    expected("a number " + range(low, high));
    return otherwise;
}

std::int64_t SchemaReader::integer(std::int64_t otherwise, std::int64_t low, std::int64_t high) const
{
    if (!present())
        return otherwise;
    const auto whole = m_value->toInteger();
    if (whole && *whole >= low && *whole <= high)
        return *whole;
    std::string text = "a whole number of at least " + std::to_string(low);
    if (high != std::numeric_limits<std::int64_t>::max())
        text = "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
    expected(text);
    return otherwise;
}

std::optional<std::uint64_t> SchemaReader::seed() const
{
    if (!present())
        return std::nullopt;
    const std::string &source = m_value->text();
    std::uint64_t result = 0;
    const auto [end, failure] = std::from_chars(source.data(), source.data() + source.size(), result);
    if (m_value->isNumber() && failure == std::errc() && end == source.data() + source.size())
        return result;
    expected("a whole number from 0 to 18446744073709551615");
    return std::nullopt;
}

std::optional<std::string> SchemaReader::scalarText() const
{
    if (value().isString() || value().isNumber())
        return value().text();
    if (value().isBool())
        return value().toBool() ? "true" : "false";
    if (present())
        expected("text or a number");
    return std::nullopt;
}

std::string SchemaReader::choice(const std::vector<std::string> &choices, std::string otherwise) const
{
    if (!present())
        return otherwise;
    if (m_value->isString() && std::find(choices.begin(), choices.end(), m_value->text()) != choices.end())
        return m_value->text();
    std::string list;
    for (std::size_t i = 0; i < choices.size(); ++i)
        list += (i == 0 ? "\"" : i + 1 == choices.size() ? " or \"" : ", \"") + choices[i] + "\"";
    expected(list + (m_value->isString() ? suggestion(m_value->text(), choices) : std::string()));
    return otherwise;
}

std::optional<Nanoseconds> SchemaReader::duration() const
{
    constexpr std::string_view forms = "a duration: milliseconds, or text like \"250ms\", \"2s\", \"1m30s\" or \"1h\"";
    if (!present())
        return std::nullopt;
    if (m_value->isNumber()) {
        const double ms = m_value->toDouble();
        if (ms >= 0 && ms < 9e12)
            return Nanoseconds(std::llround(ms * 1e6));
    } else if (m_value->isString()) {
        if (const auto parsed = parseDuration(m_value->text()))
            return *parsed;
    }
    expected(forms);
    return std::nullopt;
}

std::optional<double> SchemaReader::milliseconds() const
{
    const auto read = duration();
    return read ? std::optional(static_cast<double>(read->count()) / 1e6) : std::nullopt;
}

std::vector<std::string> SchemaReader::texts() const
{
    std::vector<std::string> result;
    eachItem([&result](const SchemaReader &item) {
        if (item.value().isString())
            result.push_back(item.value().text());
        else
            item.expected("text");
    });
    return result;
}

std::optional<StatusSet> SchemaReader::statusSet() const
{
    if (!present())
        return std::nullopt;
    StatusSet set;
    if (m_value->isString() && m_value->text() == "any") {
        set.any = true;
        return set;
    }
    if (!m_value->isArray()) {
        expected("\"any\", or an array of status codes and classes like \"2xx\"");
        return std::nullopt;
    }
    eachItem([&set](const SchemaReader &item) {
        if (!addStatus(set, item.value()))
            item.expected("a status code from 100 to 999, or a class like \"2xx\"");
    });
    return set;
}

void SchemaReader::warnUnknown(const std::vector<std::string> &known, const std::vector<std::string> &later) const
{
    const auto in = [](const std::vector<std::string> &list, const std::string &name) {
        return std::find(list.begin(), list.end(), name) != list.end();
    };
    eachMember([&](const std::string &name, const SchemaReader &member) {
        if (name == "description" || name == "$schema" || in(known, name))
            return;
        if (in(later, name))
            member.warning(notRun("\"" + name + "\" is"));
        else
            member.warning("\"" + name + "\" is not known here and has no effect" + suggestion(name, known));
    });
}

} // namespace wardbench::codec
