#include "codec/decoders.h"
#include "json/writer.h"

#include <algorithm>
#include <utility>

namespace wardbench::codec {
namespace {

/// `"methods": ["GET"]`, upper case since puzzle-warden writes them lower.
std::vector<std::string> decodeMethods(const SchemaReader &reader, std::vector<std::string> otherwise)
{
    if (!reader.present())
        return otherwise;
    std::vector<std::string> methods = reader.texts();
    for (std::string &method : methods) {
        for (char &c : method)
            c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return methods;
}

/// false and null are off; anything but an object or true is wrong (`expected` says what else is allowed).
bool isOn(const SchemaReader &reader, std::string_view expected)
{
    const json::Value &value = reader.value();
    if (value.isNull() || value.isBool())
        return value.toBool();
    if (value.isObject())
        return true;
    reader.expected(expected);
    return false;
}

constexpr std::int64_t most = 1'000'000'000;

template <typename Choice>
Choice decodeChoice(const SchemaReader &reader, const std::vector<std::pair<std::string, Choice>> &choices)
{
    std::vector<std::string> words;
    for (const auto &choice : choices)
        words.push_back(choice.first);
    const std::string word = reader.choice(words, words.front());
    return std::find_if(choices.begin(), choices.end(), [&](const auto &choice) { return choice.first == word; })
        ->second;
}

/// A duration above zero.
Nanoseconds positiveDuration(const SchemaReader &reader, Nanoseconds otherwise)
{
    const auto duration = reader.duration();
    if (!duration || duration->count() > 0)
        return duration.value_or(otherwise);
    reader.expected("a duration above zero");
    return otherwise;
}

std::optional<HolderConfig> decodeHolder(const SchemaReader &reader)
{
    if (!isOn(reader, "true, false, or an object"))
        return std::nullopt;
    HolderConfig holder;
    if (!reader.value().isObject())
        return holder;
    using Config = HolderConfig;
    holder.methods = decodeMethods(reader["methods"], holder.methods);
    if (reader["lockTimeout"].present())
        holder.lockTimeout = positiveDuration(reader["lockTimeout"], std::chrono::seconds(5));
    holder.onTimeout = decodeChoice<Config::OnTimeout>(
        reader["onTimeout"], {{"send", Config::OnTimeout::Send}, {"fail", Config::OnTimeout::Fail}});
    holder.onError = decodeChoice<Config::OnError>(
        reader["onError"],
        {{"share", Config::OnError::Share}, {"send", Config::OnError::Send}, {"promote", Config::OnError::Promote}});
    holder.shareCookies = reader["shareCookies"].boolean(false);
    if (reader["onTimeout"].present() && !holder.lockTimeout)
        reader["onTimeout"].warning("does nothing without lockTimeout; expected lockTimeout beside it");
    reader.warnUnknown({"methods", "lockTimeout", "onTimeout", "onError", "shareCookies"});
    return holder;
}

void decodeHttpCache(CacheConfig &cache, const SchemaReader &reader)
{
    cache.shared = reader["shared"].boolean(true);
    cache.cacheHeuristic = reader["cacheHeuristic"].number(cache.cacheHeuristic, 0, 1);
    cache.immutableMinTimeToLive = reader["immutableMinTimeToLive"].duration().value_or(cache.immutableMinTimeToLive);
    if (reader["maxTtl"].present())
        cache.maxTtl = positiveDuration(reader["maxTtl"], std::chrono::hours(24));
    const bool http = cache.mode == CacheConfig::Mode::Rfc9111;
    for (const char *name : {"shared", "cacheHeuristic", "immutableMinTimeToLive", "maxTtl"}) {
        if (!http && reader[name].present())
            reader[name].warning("does nothing in ttl mode; expected \"mode\": \"rfc9111\" beside it");
    }
    if (http && reader["duration"].present())
        reader["duration"].warning(
            "does nothing in rfc9111 mode, where answers say how long; expected maxTtl to cap it");
}

std::optional<CacheConfig> decodeCache(const SchemaReader &reader)
{
    if (!isOn(reader, "true, false, or an object"))
        return std::nullopt;
    CacheConfig cache;
    if (!reader.value().isObject())
        return cache;
    cache.mode = decodeChoice<CacheConfig::Mode>(
        reader["mode"], {{"ttl", CacheConfig::Mode::Ttl}, {"rfc9111", CacheConfig::Mode::Rfc9111}});
    cache.duration = positiveDuration(reader["duration"], cache.duration);
    const auto entries = static_cast<std::int64_t>(cache.maxEntries);
    cache.maxEntries = static_cast<std::size_t>(reader["maxEntries"].integer(entries, 1));
    if (reader["maxBytes"].present())
        cache.maxBytes = static_cast<std::uint64_t>(reader["maxBytes"].integer(1, 1));
    cache.methods = decodeMethods(reader["methods"], cache.methods);
    cache.statusCodes = reader["statusCodes"].statusSet();
    cache.cacheWithCookie = reader["cacheWithCookie"].boolean(false);
    cache.staleWhileRevalidate = reader["staleWhileRevalidate"].duration().value_or(Nanoseconds(0));
    cache.staleIfError = reader["staleIfError"].duration().value_or(Nanoseconds(0));
    decodeHttpCache(cache, reader);
    reader.warnUnknown({"mode", "duration", "maxEntries", "maxBytes", "methods", "statusCodes", "cacheWithCookie",
                        "staleWhileRevalidate", "staleIfError", "shared", "cacheHeuristic", "immutableMinTimeToLive",
                        "maxTtl"},
                       {"plugin", "strategy"});
    return cache;
}

std::optional<RetryBudget> decodeBudget(const SchemaReader &reader)
{
    if (!reader.present() || !isOn(reader, "true, false, or an object"))
        return std::nullopt;
    RetryBudget budget;
    if (!reader.value().isObject())
        return budget;
    budget.percentCanRetry = reader["percentCanRetry"].number(budget.percentCanRetry, 0, 1000);
    budget.minRetriesPerSecond = reader["minRetriesPerSec"].number(budget.minRetriesPerSecond, 0, 1e9);
    budget.ttl = positiveDuration(reader["ttl"], budget.ttl);
    reader.warnUnknown({"percentCanRetry", "minRetriesPerSec", "ttl"});
    return budget;
}

/// Names of errors, as results give them.
std::optional<std::vector<std::string>> decodeErrors(const SchemaReader &reader)
{
    if (!reader.present())
        return std::nullopt;
    const std::vector<std::string> known{
        "connection refused", "connection reset", "connection closed", "timeout",      "host not found", "unreachable",
        "broken pipe",        "protocol error",   "TLS error",         "breaker open", "other error"};
    std::vector<std::string> errors;
    reader.eachItem([&](const SchemaReader &item) { errors.push_back(item.choice(known, known.front())); });
    return errors;
}

void decodeBackoff(RetryConfig &retry, const SchemaReader &reader)
{
    using Backoff = RetryConfig::Backoff;
    retry.delay = reader["delay"].duration().value_or(Nanoseconds(0));
    retry.backoffType = decodeChoice<Backoff>(
        reader["backoffType"],
        {{"constant", Backoff::Constant}, {"linear", Backoff::Linear}, {"exponential", Backoff::Exponential}});
    retry.multiplier = reader["multiplier"].number(retry.multiplier, 1, 100);
    retry.maxDelay = reader["maxDelay"].duration();
    retry.fullJitter = reader["jitter"].choice({"none", "full"}, "none") == "full";
    retry.retryAfter = reader["retryAfter"].boolean(true);
    retry.maxRetryAfter = reader["maxRetryAfter"].duration().value_or(retry.maxRetryAfter);
    if (retry.delay.count() == 0 && (retry.fullJitter || reader["backoffType"].present()))
        reader.warning("has a delay of 0, which no backoff or jitter changes; expected a delay above zero");
}

std::optional<RetryConfig> decodeRetry(const SchemaReader &reader)
{
    constexpr std::int64_t mostRetries = 1000;
    RetryConfig retry;
    if (reader.value().isNumber()) {
        retry.count = static_cast<int>(reader.integer(0, 0, mostRetries));
        return retry.count > 0 ? std::optional(retry) : std::nullopt;
    }
    if (!isOn(reader, "true, false, a number of re-tries, or an object"))
        return std::nullopt;
    if (!reader.value().isObject()) {
        retry.delay = std::chrono::milliseconds(100);
        return retry;
    }
    retry.count = static_cast<int>(reader["count"].integer(1, 0, mostRetries));
    decodeBackoff(retry, reader);
    retry.methods = decodeMethods(reader["methods"], retry.methods);
    retry.statusCodes = reader["statusCodes"].statusSet();
    retry.errors = decodeErrors(reader["errors"]);
    retry.budget = decodeBudget(reader["budget"]);
    retry.literal = reader["literal"].boolean(false);
    reader.warnUnknown({"count", "delay", "backoffType", "multiplier", "maxDelay", "jitter", "retryAfter",
                        "maxRetryAfter", "methods", "statusCodes", "errors", "budget", "literal"},
                       {"logger"});
    return retry;
}

std::optional<SchemaConfig> decodeSchema(const SchemaReader &reader)
{
    if (reader.value().isNull() || (reader.value().isBool() && !reader.value().toBool()))
        return std::nullopt;
    if (!reader.value().isObject()) {
        reader.expected("a JSON Schema, which is an object, or false");
        return std::nullopt;
    }
    return SchemaConfig{reader.value()};
}

/// true, false, or a duration.
std::optional<TimeoutConfig> decodeTimeout(const SchemaReader &reader, Nanoseconds whenTrue)
{
    const json::Value &value = reader.value();
    if (value.isNull() || value.isBool())
        return value.toBool() ? std::optional(TimeoutConfig{whenTrue}) : std::nullopt;
    return TimeoutConfig{positiveDuration(reader, whenTrue)};
}

std::optional<HedgingConfig> decodeHedging(const SchemaReader &reader)
{
    if (!isOn(reader, "true, false, or an object"))
        return std::nullopt;
    HedgingConfig hedging;
    if (!reader.value().isObject())
        return hedging;
    hedging.maxHedgedAttempts = static_cast<int>(reader["maxHedgedAttempts"].integer(1, 1, 100));
    // Polly's -1, for after a failure only, is no duration.
    if (reader["delay"].value().isNumber() && reader["delay"].value().toDouble() < 0)
        hedging.delay = Nanoseconds(-1);
    else
        hedging.delay = reader["delay"].duration().value_or(hedging.delay);
    hedging.methods = decodeMethods(reader["methods"], hedging.methods);
    hedging.statusCodes = reader["statusCodes"].statusSet();
    reader.warnUnknown({"maxHedgedAttempts", "delay", "methods", "statusCodes"});
    return hedging;
}

void decodeWindow(BreakerConfig &breaker, const SchemaReader &reader)
{
    using Window = BreakerConfig::Window;
    breaker.slidingWindowType = decodeChoice<Window>(
        reader["slidingWindowType"], {{"countBased", Window::CountBased}, {"timeBased", Window::TimeBased}});
    breaker.minimumNumberOfCalls = reader["minimumNumberOfCalls"].integer(breaker.minimumNumberOfCalls, 1, most);
    const SchemaReader size = reader["slidingWindowSize"];
    if (breaker.slidingWindowType == Window::TimeBased) {
        breaker.slidingWindowDuration = positiveDuration(size, breaker.slidingWindowDuration);
        return;
    }
    breaker.slidingWindowSize = size.integer(breaker.slidingWindowSize, 1, most);
    if (reader["minimumNumberOfCalls"].present() && breaker.minimumNumberOfCalls > breaker.slidingWindowSize)
        reader["minimumNumberOfCalls"].warning(
            "is above slidingWindowSize, which is then what counts; expected at most " +
            std::to_string(breaker.slidingWindowSize));
}

std::optional<BreakerConfig> decodeBreaker(const SchemaReader &reader)
{
    if (!isOn(reader, "true, false, or an object"))
        return std::nullopt;
    BreakerConfig breaker;
    if (!reader.value().isObject())
        return breaker;
    constexpr double percent = 100, least = 0.001;
    breaker.failureRateThreshold = reader["failureRateThreshold"].number(50, least, percent);
    breaker.slowCallRateThreshold = reader["slowCallRateThreshold"].number(100, least, percent);
    breaker.slowCallDurationThreshold =
        positiveDuration(reader["slowCallDurationThreshold"], breaker.slowCallDurationThreshold);
    decodeWindow(breaker, reader);
    breaker.waitDurationInOpenState =
        positiveDuration(reader["waitDurationInOpenState"], breaker.waitDurationInOpenState);
    breaker.permittedNumberOfCallsInHalfOpenState =
        reader["permittedNumberOfCallsInHalfOpenState"].integer(10, 1, most);
    breaker.automaticTransitionFromOpenToHalfOpenEnabled =
        reader["automaticTransitionFromOpenToHalfOpenEnabled"].boolean(false);
    breaker.statusCodes = reader["statusCodes"].statusSet();
    reader.warnUnknown({"failureRateThreshold", "slowCallRateThreshold", "slowCallDurationThreshold",
                        "slidingWindowType", "slidingWindowSize", "minimumNumberOfCalls", "waitDurationInOpenState",
                        "permittedNumberOfCallsInHalfOpenState", "automaticTransitionFromOpenToHalfOpenEnabled",
                        "statusCodes"});
    return breaker;
}

std::optional<RateLimiterConfig> decodeRateLimiter(const SchemaReader &reader)
{
    RateLimiterConfig limiter;
    if (reader.value().isNumber()) {
        limiter.tokenLimit = limiter.tokensPerPeriod = reader.integer(limiter.tokensPerPeriod, 1, most);
        return limiter;
    }
    if (!isOn(reader, "true, false, a number of calls per second, or an object"))
        return std::nullopt;
    if (!reader.value().isObject())
        return limiter;
    limiter.tokensPerPeriod = reader["tokensPerPeriod"].integer(limiter.tokensPerPeriod, 1, most);
    limiter.tokenLimit = reader["tokenLimit"].integer(limiter.tokensPerPeriod, 1, most);
    limiter.replenishmentPeriod = positiveDuration(reader["replenishmentPeriod"], limiter.replenishmentPeriod);
    limiter.queueLimit = reader["queueLimit"].integer(0, 0, most);
    limiter.timeoutDuration = positiveDuration(reader["timeoutDuration"], limiter.timeoutDuration);
    reader.warnUnknown({"tokenLimit", "tokensPerPeriod", "replenishmentPeriod", "queueLimit", "timeoutDuration"});
    return limiter;
}

std::optional<BulkheadConfig> decodeBulkhead(const SchemaReader &reader)
{
    BulkheadConfig bulkhead;
    if (reader.value().isNumber()) {
        bulkhead.maxConcurrentCalls = reader.integer(bulkhead.maxConcurrentCalls, 1, most);
        return bulkhead;
    }
    if (!isOn(reader, "true, false, a number of calls at once, or an object"))
        return std::nullopt;
    if (!reader.value().isObject())
        return bulkhead;
    bulkhead.maxConcurrentCalls = reader["maxConcurrentCalls"].integer(bulkhead.maxConcurrentCalls, 1, most);
    bulkhead.maxWaitDuration = reader["maxWaitDuration"].duration().value_or(Nanoseconds(0));
    bulkhead.queueCapacity = reader["queueCapacity"].integer(bulkhead.queueCapacity, 0, most);
    if (reader["queueCapacity"].present() && bulkhead.maxWaitDuration.count() == 0)
        reader["queueCapacity"].warning("does nothing without maxWaitDuration; expected maxWaitDuration beside it");
    reader.warnUnknown({"maxConcurrentCalls", "maxWaitDuration", "queueCapacity"});
    return bulkhead;
}

std::optional<FallbackConfig> decodeFallback(const SchemaReader &reader)
{
    if (!isOn(reader, "true, false, or an object"))
        return std::nullopt;
    FallbackConfig fallback;
    if (!reader.value().isObject())
        return fallback;
    fallback.statusCode = static_cast<int>(reader["statusCode"].integer(200, 100, 599));
    reader["headers"].eachMember([&fallback](const std::string &name, const SchemaReader &value) {
        fallback.headers.emplace_back(name, value.scalarText().value_or(std::string()));
    });
    const json::Value &body = reader["body"].value();
    fallback.body = body.isObject() || body.isArray() ? json::writeCompact(body) : reader["body"].text();
    fallback.statusCodes = reader["statusCodes"].statusSet();
    reader.warnUnknown({"statusCode", "headers", "body", "statusCodes"});
    return fallback;
}

std::optional<ShadowConfig> decodeShadow(const SchemaReader &reader)
{
    constexpr double percent = 100;
    ShadowConfig shadow;
    if (reader.value().isNumber()) {
        shadow.percentage = reader.number(percent, 0, percent);
        return shadow;
    }
    if (!isOn(reader, "true, false, a percentage, or an object"))
        return std::nullopt;
    if (!reader.value().isObject())
        return shadow;
    shadow.percentage = reader["percentage"].number(percent, 0, percent);
    shadow.target = reader["target"].text();
    if (!shadow.target.empty() && !shadow.target.starts_with("http://") && !shadow.target.starts_with("https://"))
        reader["target"].expected("a base URL like \"http://127.0.0.1:8080\"");
    shadow.maxConcurrentCalls = reader["maxConcurrentCalls"].integer(shadow.maxConcurrentCalls, 1, most);
    reader.warnUnknown({"percentage", "target", "maxConcurrentCalls"});
    return shadow;
}

/// What can be said without compiling it: braces that do not pair, and `${`, which is a habit from elsewhere.
void checkIdentifier(const SchemaReader &reader, const std::string &text)
{
    std::size_t open = std::string::npos;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '{' && i > 0 && text[i - 1] == '\\') {
            continue; // written for the character itself
        } else if (text[i] == '{' && open != std::string::npos) {
            reader.error("has a { within { }; expected {url}, {host}, {method}, {body}, {query.name}, {cookie.name} or "
                         "{headers.name}");
            return;
        } else if (text[i] == '{') {
            open = i;
        } else if (text[i] == '}' && open != std::string::npos) {
            if (i == open + 1) {
                reader.error("has an empty {}; expected {url}, {host}, {method}, {body}, {query.name}, {cookie.name} "
                             "or {headers.name}");
                return;
            }
            open = std::string::npos;
        }
    }
    if (open != std::string::npos)
        reader.error("has a { without its }; expected }, or \\{ for the character itself");
    else if (text.find("${") != std::string::npos)
        reader.warning("has ${, whose $ is an ordinary character here; expected { alone for a part of the request");
}

} // namespace

Policy decodePolicy(const SchemaReader &reader)
{
    Policy policy;
    if (!reader.isObject())
        return policy;
    policy.name = reader["name"].requiredText("the policy's name");
    policy.identifier = reader["identifier"].text();
    checkIdentifier(reader["identifier"], policy.identifier);
    policy.fallback = decodeFallback(reader["fallback"]);
    policy.rateLimiter = decodeRateLimiter(reader["rateLimiter"]);
    policy.bulkhead = decodeBulkhead(reader["bulkhead"]);
    policy.holder = decodeHolder(reader["holder"]);
    policy.cache = decodeCache(reader["cache"]);
    policy.schema = decodeSchema(reader["schema"]);
    policy.shadow = decodeShadow(reader["shadow"]);
    policy.totalTimeout = decodeTimeout(reader["totalTimeout"], std::chrono::seconds(30));
    policy.hedging = decodeHedging(reader["hedging"]);
    policy.retry = decodeRetry(reader["retry"]);
    policy.breaker = decodeBreaker(reader["breaker"]);
    policy.attemptTimeout = decodeTimeout(reader["attemptTimeout"], std::chrono::seconds(10));
    if (policy.attemptTimeout && policy.totalTimeout && policy.attemptTimeout->timeout >= policy.totalTimeout->timeout)
        reader["attemptTimeout"].warning("never comes before totalTimeout; expected a shorter time than that");
    reader.warnUnknown({"name", "identifier", "fallback", "rateLimiter", "bulkhead", "holder", "cache", "schema",
                        "shadow", "totalTimeout", "hedging", "retry", "breaker", "attemptTimeout"},
                       {"circuit", "queue"});
    return policy;
}

} // namespace wardbench::codec
