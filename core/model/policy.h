#pragma once

#include "base/clock.h"
#include "json/value.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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

/// 429 and 5xx: what counts as a failure of the server where a policy does not say.
bool isBusyOrBroken(int status);

/// So many calls at once in a window of time; the field's token bucket.
struct RateLimiterConfig
{
    std::int64_t tokenLimit = 50; ///< of the bucket: the longest burst
    std::int64_t tokensPerPeriod = 50;
    Nanoseconds replenishmentPeriod = std::chrono::seconds(1);
    std::int64_t queueLimit = 0;                           ///< calls that may wait for a token; 0: reject
    Nanoseconds timeoutDuration = std::chrono::seconds(5); ///< longest wait for one
};

struct BulkheadConfig
{
    std::int64_t maxConcurrentCalls = 25;
    Nanoseconds maxWaitDuration{0}; ///< 0: reject what finds no place
    std::int64_t queueCapacity = 100;
};

struct HolderConfig
{
    enum class OnTimeout { Send, Fail };
    enum class OnError { Share, Send, Promote };

    std::vector<std::string> methods{"GET", "HEAD"};
    std::optional<Nanoseconds> lockTimeout; ///< longest wait of a follower; absent: as long as the leader takes
    OnTimeout onTimeout = OnTimeout::Send;
    OnError onError = OnError::Share; ///< what followers do when their leader got no answer
    bool shareCookies = false;
};

struct CacheConfig
{
    enum class Mode { Ttl, Rfc9111 };

    Mode mode = Mode::Ttl;
    Nanoseconds duration = std::chrono::minutes(1); ///< in Ttl mode
    std::size_t maxEntries = 10'000;                ///< least recently used goes first
    std::optional<std::uint64_t> maxBytes;          ///< of keys, header fields and bodies
    std::vector<std::string> methods{"GET", "HEAD"};
    std::optional<StatusSet> statusCodes; ///< absent: all but 429 and 5xx
    bool cacheWithCookie = false;
    Nanoseconds staleWhileRevalidate{0}; ///< where the answer does not say
    Nanoseconds staleIfError{0};         ///< where the answer does not say
    // In Rfc9111 mode:
    bool shared = true;                                          ///< a cache of many users
    double cacheHeuristic = 0.1;                                 ///< of the time since Last-Modified
    Nanoseconds immutableMinTimeToLive = std::chrono::hours(24); ///< of immutable answers without a lifetime
    std::optional<Nanoseconds> maxTtl;                           ///< upper bound of every lifetime

    bool cachesStatus(int status) const;
};

struct SchemaConfig
{
    json::Value schema; ///< JSON Schema, as far as it says how to write a value
};

struct TimeoutConfig
{
    Nanoseconds timeout{0};
};

struct HedgingConfig
{
    int maxHedgedAttempts = 1;                   ///< besides the first
    Nanoseconds delay = std::chrono::seconds(2); ///< 0: all at once; negative: only after a failure
    std::vector<std::string> methods{"GET", "HEAD", "PUT", "DELETE", "OPTIONS"};
    std::optional<StatusSet> statusCodes; ///< failures; absent: 429 and 5xx

    bool failsWith(int status) const;
};

struct RetryBudget
{
    double percentCanRetry = 0.2;    ///< of the calls in the last `ttl`
    double minRetriesPerSecond = 10; ///< always allowed besides
    Nanoseconds ttl = std::chrono::seconds(10);
};

struct RetryConfig
{
    enum class Backoff { Constant, Linear, Exponential };

    int count = 1; ///< number of re-tries; 0 is off
    Nanoseconds delay{0};
    Backoff backoffType = Backoff::Constant;
    double multiplier = 2;               ///< of exponential backoff
    std::optional<Nanoseconds> maxDelay; ///< of one wait, before jitter
    bool fullJitter = false;             ///< wait anything from nothing to the whole delay
    std::vector<std::string> methods{"GET", "HEAD", "PUT", "DELETE", "OPTIONS"};
    std::optional<StatusSet> statusCodes;                 ///< absent: 429 and 5xx
    std::optional<std::vector<std::string>> errors;       ///< names of errors; absent: the connection errors
    bool retryAfter = true;                               ///< wait as long as the server says
    Nanoseconds maxRetryAfter = std::chrono::seconds(30); ///< a server that asks for more is not asked again
    std::optional<RetryBudget> budget;
    bool literal = false; ///< puzzle-warden's count: one more

    int mostRetries() const { return count > 0 && literal ? count + 1 : count; }
    bool retriesStatus(int status) const;
};

struct BreakerConfig
{
    enum class Window { CountBased, TimeBased };

    double failureRateThreshold = 50;   ///< per cent; opens at this and above
    double slowCallRateThreshold = 100; ///< per cent
    Nanoseconds slowCallDurationThreshold = std::chrono::seconds(60);
    Window slidingWindowType = Window::CountBased;
    std::int64_t slidingWindowSize = 100;                         ///< calls
    Nanoseconds slidingWindowDuration = std::chrono::seconds(10); ///< of a time-based window
    std::int64_t minimumNumberOfCalls = 100;
    Nanoseconds waitDurationInOpenState = std::chrono::seconds(60);
    std::int64_t permittedNumberOfCallsInHalfOpenState = 10;
    bool automaticTransitionFromOpenToHalfOpenEnabled = false;
    std::optional<StatusSet> statusCodes; ///< failures besides errors; absent: 429 and 5xx

    bool failsWith(int status) const;
};

struct FallbackConfig
{
    int statusCode = 200;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    std::optional<StatusSet> statusCodes; ///< answers it stands in for, besides errors; absent: 429 and 5xx

    bool replaces(int status) const;
};

struct ShadowConfig
{
    double percentage = 100;
    std::string target;                    ///< base URL; empty: where the request goes
    std::int64_t maxConcurrentCalls = 100; ///< copies under way; beyond it none is sent
};

/// A named set of warden modules (puzzle-warden's route). Absent modules are off. In the order of the pipeline.
struct Policy
{
    std::string name;
    std::string identifier; ///< empty: the generic identifier
    std::optional<FallbackConfig> fallback;
    std::optional<RateLimiterConfig> rateLimiter;
    std::optional<BulkheadConfig> bulkhead;
    std::optional<HolderConfig> holder;
    std::optional<CacheConfig> cache;
    std::optional<SchemaConfig> schema;
    std::optional<ShadowConfig> shadow;
    std::optional<TimeoutConfig> totalTimeout;
    std::optional<HedgingConfig> hedging;
    std::optional<RetryConfig> retry;
    std::optional<BreakerConfig> breaker;
    std::optional<TimeoutConfig> attemptTimeout;

    /// The modules that are on, in pipeline order: "holder, cache, retry"; "-" when none.
    std::string moduleList() const;
};

using PolicyPtr = std::shared_ptr<const Policy>;

} // namespace wardbench
