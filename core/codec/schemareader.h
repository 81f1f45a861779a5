#pragma once

#include "base/clock.h"
#include "model/issue.h"
#include "model/policy.h"

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace wardbench::codec {

/// One value of a document on its way into the model, with its place in the document. Reading never stops: what is
/// wrong becomes an issue at its JSON pointer, and the caller's default is used, so one pass finds everything.
/// A reader of an absent member reads as that default without an issue.
class SchemaReader
{
public:
    SchemaReader(const json::Value &value, std::string pointer, Issues &issues);

    bool present() const { return m_value != nullptr; }
    const json::Value &value() const;
    const std::string &pointer() const { return m_pointer; }
    SchemaReader operator[](std::string_view member) const;
    SchemaReader item(std::size_t index) const; ///< of an array; absent beyond its end

    void error(std::string message) const;
    void warning(std::string message) const;
    /// "VALUE was given; expected EXPECTED".
    void expected(std::string_view what) const;

    bool isObject() const; ///< else an issue (none when absent)
    bool isArray() const;
    void eachItem(const std::function<void(const SchemaReader &)> &read) const;
    void eachMember(const std::function<void(const std::string &name, const SchemaReader &)> &read) const;

    std::string text(std::string otherwise = {}) const;
    std::string requiredText(std::string_view what) const; ///< absent and empty are issues, too
    bool boolean(bool otherwise) const;
    double number(double otherwise, double low, double high = std::numeric_limits<double>::max()) const;
    std::int64_t integer(std::int64_t otherwise, std::int64_t low,
                         std::int64_t high = std::numeric_limits<std::int64_t>::max()) const;
    std::optional<std::uint64_t> seed() const; ///< a whole number within 64 bits
    /// Text of a string or number, a boolean as text: header values, choices.
    std::optional<std::string> scalarText() const;
    std::string choice(const std::vector<std::string> &choices, std::string otherwise) const;
    /// A number of milliseconds, or text such as "1m30s".
    std::optional<Nanoseconds> duration() const;
    std::optional<double> milliseconds() const;
    std::vector<std::string> texts() const;     ///< an array of text
    std::optional<StatusSet> statusSet() const; ///< "any", or an array of numbers and classes

    /// Warns about members that are neither in `known`, nor `description` or `$schema`; those in `later` are parts
    /// that this version does not run.
    void warnUnknown(const std::vector<std::string> &known, const std::vector<std::string> &later = {}) const;

private:
    SchemaReader(const json::Value *value, std::string pointer, Issues *issues);

    const json::Value *m_value; ///< null: absent
    std::string m_pointer;
    Issues *m_issues;
};

/// A whole number, given as a number or as its text.
std::optional<std::int64_t> wholeNumber(const json::Value &value);

/// A short form of a value for messages: scalars as written, containers by their kind.
std::string shown(const json::Value &value);

/// The words for a part that this version keeps but does not run.
std::string notRun(std::string_view part);

} // namespace wardbench::codec
