#pragma once

#include "base/clock.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wardbench {

/// A list of status codes as the file gives it: numbers and classes ("2xx"), or a named default.
struct StatusSet
{
    std::vector<int> codes;
    std::vector<int> classes; ///< 2 for "2xx"
    bool any = false;         ///< every status

    bool contains(int status) const;
    std::string display() const; ///< "429, 5xx", "any"
};

struct HolderConfig
{
    std::vector<std::string> methods{"GET", "HEAD"};
};

struct CacheConfig
{
    Nanoseconds duration = std::chrono::minutes(1);
    std::size_t maxEntries = 10'000; ///< least recently used goes first
    std::vector<std::string> methods{"GET", "HEAD"};
    std::optional<StatusSet> statusCodes; ///< absent: all but 429 and 5xx
    bool cacheWithCookie = false;

    bool cachesStatus(int status) const;
};

struct RetryConfig
{
    int count = 1; ///< number of re-tries; 0 is off
    Nanoseconds delay{0};
    std::vector<std::string> methods{"GET", "HEAD", "PUT", "DELETE", "OPTIONS"};
    std::optional<StatusSet> statusCodes; ///< absent: 429 and 5xx; connection errors always

    bool retriesStatus(int status) const;
};

/// A named set of warden modules (puzzle-warden's route). Absent modules are off.
struct Policy
{
    std::string name;
    std::string identifier; ///< empty: the generic identifier
    std::optional<HolderConfig> holder;
    std::optional<CacheConfig> cache;
    std::optional<RetryConfig> retry;

    /// The modules that are on, in pipeline order: "holder, cache, retry"; "-" when none.
    std::string moduleList() const;
};

using PolicyPtr = std::shared_ptr<const Policy>;

} // namespace wardbench
