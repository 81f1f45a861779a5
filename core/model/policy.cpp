#include "model/policy.h"

#include <algorithm>

namespace wardbench {
namespace {

bool isFailure(const std::optional<StatusSet> &given, int status)
{
    return given ? given->contains(status) : isBusyOrBroken(status);
}

} // namespace

bool isBusyOrBroken(int status)
{
    return status == 429 || (status >= 500 && status <= 599);
}

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
    return isFailure(statusCodes, status);
}

bool HedgingConfig::failsWith(int status) const
{
    return isFailure(statusCodes, status);
}

bool BreakerConfig::failsWith(int status) const
{
    return isFailure(statusCodes, status);
}

bool FallbackConfig::replaces(int status) const
{
    return isFailure(statusCodes, status);
}

std::string Policy::moduleList() const
{
    std::string list;
    const auto append = [&list](const char *module, bool on) {
        if (on)
            list += (list.empty() ? "" : ", ") + std::string(module);
    };
    append("fallback", fallback.has_value());
    append("rate limiter", rateLimiter.has_value());
    append("bulkhead", bulkhead.has_value());
    append("holder", holder.has_value());
    append("cache", cache.has_value());
    append("schema", schema.has_value());
    append("shadow", shadow.has_value());
    append("total timeout", totalTimeout.has_value());
    append("hedging", hedging.has_value());
    append("retry", retry && retry->count > 0);
    append("breaker", breaker.has_value());
    append("attempt timeout", attemptTimeout.has_value());
    return list.empty() ? "-" : list;
}

} // namespace wardbench
