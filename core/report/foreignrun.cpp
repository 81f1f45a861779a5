#include "report/foreignrun.h"

#include "report/histogramimport.h"
#include "report/jtl.h"
#include "report/k6import.h"
#include "stats/histogramfiles.h"
#include "json/parser.h"

namespace wardbench::report {
namespace {

const json::Value *objectIn(const json::ParseResult &parsed)
{
    const auto *root = std::get_if<json::Value>(&parsed);
    return root && root->isObject() ? root : nullptr;
}

} // namespace

bool isForeignRun(std::string_view text)
{
    if (looksLikeHlog(text) || looksLikeHgrm(text))
        return true;
    const std::size_t begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (begin == std::string_view::npos)
        return false;
    text.remove_prefix(begin);
    if (text.front() == '{') { // ours names its format at once; k6's has metrics
        const json::ParseResult parsed = text.substr(0, 4096).find("\"wardbench-run/") == std::string_view::npos
                                             ? json::parse(text)
                                             : json::ParseResult(json::Value());
        const json::Value *root = objectIn(parsed);
        return root && isK6Summary(*root);
    }
    if (text.front() == '<')
        return text.substr(0, 4096).find("<testResults") != std::string_view::npos;
    const std::string_view line = text.substr(0, text.find('\n'));
    const bool digits = line.front() >= '0' && line.front() <= '9' && line.find(',') != std::string_view::npos;
    return digits ||
           (line.find("timeStamp") != std::string_view::npos && line.find("elapsed") != std::string_view::npos);
}

Result<RunResult> runFromForeign(std::string_view text, const std::string &name)
{
    if (looksLikeHlog(text))
        return runFromHlog(text, name);
    if (looksLikeHgrm(text))
        return runFromHgrm(text, name);
    if (text.find_first_not_of(" \t\r\n") < text.size() && text[text.find_first_not_of(" \t\r\n")] == '{') {
        const json::ParseResult parsed = json::parse(text);
        const json::Value *root = objectIn(parsed);
        return root ? fromK6Summary(*root, name) : fail("no JSON object; expected k6's summary", Error::Code::BadInput);
    }
    const Result<SampleList> list = readJtl(text);
    if (!list)
        return list.error();
    return resultOf(*list, name);
}

} // namespace wardbench::report
