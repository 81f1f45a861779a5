#include "match/extractor.h"

#include "json/parser.h"
#include "json/writer.h"

namespace wardbench {

Result<Extractor> Extractor::compile(const Extraction &extraction)
{
    Extractor extractor;
    if (extraction.method == Extraction::Method::Regex) {
        std::string flags = extraction.ignoreCase ? "i" : "";
        flags += extraction.multiline ? "m" : "";
        const Result<JsPattern> pattern = JsPattern::parse(extraction.selector, flags);
        if (!pattern)
            return pattern.error();
        extractor.m_pattern = *pattern;
    } else if (extraction.method == Extraction::Method::JsonPath) {
        const Result<json::JsonPath> path = json::JsonPath::compile(extraction.selector);
        if (!path)
            return path.error();
        extractor.m_path = *path;
    } else {
        return fail("XPath is not run by this version", Error::Code::BadInput);
    }
    return extractor;
}

std::vector<std::string> Extractor::values(const std::string &text) const
{
    if (m_pattern)
        return m_pattern->captures(text).value_or(std::vector<std::string>());
    std::vector<std::string> found;
    const json::ParseResult parsed = json::parse(text);
    const auto *document = std::get_if<json::Value>(&parsed);
    const auto hits = document ? m_path->select(*document) : Result<std::vector<json::Value>>(fail("no JSON"));
    if (hits) {
        for (const json::Value &hit : *hits)
            found.push_back(hit.isString() ? hit.text() : json::writeCompact(hit));
    }
    return found;
}

} // namespace wardbench
