#include "mock/textselection.h"

#include "match/extractor.h"
#include "json/jsonpath.h"

namespace wardbench::mock {

json::Value selectJson(const json::Value &document, const std::string &path)
{
    const Result<json::JsonPath> compiled = json::JsonPath::compile(path);
    if (!compiled)
        return {};
    const auto hits = compiled->select(document);
    if (!hits || hits->empty())
        return {};
    return hits->size() == 1 ? hits->front() : json::Value(*hits);
}

json::Value extractFirst(Extraction::Method method, const std::string &text, const std::string &selector)
{
    const Result<Extractor> extractor = Extractor::compile({method, selector});
    if (!extractor)
        return {};
    const std::vector<std::string> values = extractor->values(text);
    if (values.empty())
        return {};
    return method == Extraction::Method::Regex && values.size() > 1 ? values[1] : values[0];
}

} // namespace wardbench::mock
