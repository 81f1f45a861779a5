#include "match/extractor.h"

#include "match/fieldselection.h"
#include "match/jsvalue.h"
#include "match/text.h"
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
        const Result<json::JsonPath> path = compileJsonPath(extraction.selector, false);
        if (!path)
            return path.error();
        extractor.m_path = *path;
    } else {
        const Result<XPath> path = XPath::compile(extraction.selector, extraction.namespaces);
        if (!path)
            return path.error();
        extractor.m_xpath = *path;
    }
    return extractor;
}

std::vector<std::string> Extractor::values(const std::string &text) const
{
    if (m_pattern)
        return m_pattern->captures(text).value_or(std::vector<std::string>());
    std::vector<std::string> found;
    for (const json::Value &hit : hits(text))
        found.push_back(hit.isObject() || hit.isArray() ? json::writeCompact(hit) : javascriptText(hit));
    return found;
}

std::vector<json::Value> Extractor::hits(const std::string &text) const
{
    Result<std::vector<json::Value>> found{std::vector<json::Value>()};
    if (m_path) {
        if (const auto document = parseFolded(text, Casing::Exact))
            found = m_path->select(*document);
    } else if (const auto document = XmlDocument::parse(toValidUtf8(text), false)) {
        std::uint64_t steps = XPath::stepLimit;
        found = m_xpath->select(*document, steps);
    }
    return found ? std::move(*found) : std::vector<json::Value>();
}

} // namespace wardbench
