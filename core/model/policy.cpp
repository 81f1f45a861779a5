#include "model/policy.h"

#include <algorithm>

namespace wardbench {
namespace {

bool isBusyOrBroken(int status)
{
    return status == 429 || (status >= 500 && status <= 599);
}

} // namespace

bool StatusSet::contains(int status) const
{
    return any || std::find(codes.begin(), codes.end(), status) != codes.end() ||
           std::find(classes.begin(), classes.end(), status / 100) != classes.end();
}

std::string StatusSet::display() const
{
    if (any)
        return "any";
    std::string text;
    for (const int code : codes)
        text += (text.empty() ? "" : ", ") + std::to_string(code);
    for (const int hundreds : classes)
        text += (text.empty() ? "" : ", ") + std::to_string(hundreds) + "xx";
    return text.empty() ? "none" : text;
}

bool CacheConfig::cachesStatus(int status) const
{
    return statusCodes ? statusCodes->contains(status) : !isBusyOrBroken(status);
}

bool RetryConfig::retriesStatus(int status) const
{
    return statusCodes ? statusCodes->contains(status) : isBusyOrBroken(status);
}

std::string Policy::moduleList() const
{
    std::string list;
    const auto append = [&list](const char *module) {
        list += (list.empty() ? "" : ", ") + std::string(module);
    };
    if (holder)
        append("holder");
    if (cache)
        append("cache");
    if (retry && retry->count > 0)
        append("retry");
    return list.empty() ? "-" : list;
}

} // namespace wardbench
