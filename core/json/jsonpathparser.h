#pragma once

#include "json/jsonpathsegments.h"

namespace wardbench::json {

/// Reads the text of a JSONPath. Nesting is bounded, so that no text makes it deep.
class JsonPathParser
{
public:
    JsonPathParser(std::string_view text, const JsonPath::RegexFactory &regex) : m_text(text), m_regex(regex) {}

    Result<JsonPath> parse();

private:
    // All return false after an error.
    bool path();
    bool dotted();
    bool bracket();
    bool selector(PathSegment &segment);
    bool slice(PathSelector &selector);
    bool quoted(std::string &into);
    bool escape(std::string &into);

    bool expression(JsonFilter &filter, int weakest = 0);
    bool unary(JsonFilter &filter);
    bool primary(JsonFilter &filter);
    bool subject(JsonFilter &filter);
    bool word(JsonFilter &filter);
    bool numberLiteral(JsonFilter &filter);
    bool regexLiteral(JsonFilter &filter, std::uint32_t &number);
    bool regexTest(JsonFilter &filter);
    bool postfix(JsonFilter &filter);
    bool methodCall(JsonFilter &filter, std::string_view name);

    void emit(JsonFilter &filter, JsonFilter::Op op, std::uint32_t argument = 0);
    void emitConstant(JsonFilter &filter, JsonFilter::Op op, Value value);
    bool fail(std::string message);
    bool expected(std::string_view what);

    bool atEnd() const { return m_at >= m_text.size(); }
    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
    bool take(std::string_view text);
    void skipBlanks();
    std::string_view identifier();

    std::string_view m_text;
    const JsonPath::RegexFactory &m_regex;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::vector<PathSegment> m_segments;
    Error m_error;
};

} // namespace wardbench::json
