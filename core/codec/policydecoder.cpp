#include "codec/decoders.h"

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

std::optional<HolderConfig> decodeHolder(const SchemaReader &reader)
{
    if (!isOn(reader, "true, false, or an object"))
        return std::nullopt;
    HolderConfig holder;
    if (reader.value().isObject()) {
        holder.methods = decodeMethods(reader["methods"], holder.methods);
        reader.warnUnknown({"methods"});
    }
    return holder;
}

std::optional<CacheConfig> decodeCache(const SchemaReader &reader)
{
    if (!isOn(reader, "true, false, or an object"))
        return std::nullopt;
    CacheConfig cache;
    if (!reader.value().isObject())
        return cache;
    if (const auto duration = reader["duration"].duration()) {
        if (duration->count() > 0)
            cache.duration = *duration;
        else
            reader["duration"].expected("a duration above zero");
    }
    const auto entries = static_cast<std::int64_t>(cache.maxEntries);
    cache.maxEntries = static_cast<std::size_t>(reader["maxEntries"].integer(entries, 1));
    cache.methods = decodeMethods(reader["methods"], cache.methods);
    cache.statusCodes = reader["statusCodes"].statusSet();
    cache.cacheWithCookie = reader["cacheWithCookie"].boolean(false);
    reader.warnUnknown({"duration", "maxEntries", "methods", "statusCodes", "cacheWithCookie"}, {"plugin", "strategy"});
    return cache;
}

std::optional<RetryConfig> decodeRetry(const SchemaReader &reader)
{
    constexpr std::int64_t most = 1000;
    RetryConfig retry;
    if (reader.value().isNumber()) {
        retry.count = static_cast<int>(reader.integer(0, 0, most));
        return retry.count > 0 ? std::optional(retry) : std::nullopt;
    }
    if (!isOn(reader, "true, false, a number of re-tries, or an object"))
        return std::nullopt;
    if (!reader.value().isObject()) {
        retry.delay = std::chrono::milliseconds(100);
        return retry;
    }
    retry.count = static_cast<int>(reader["count"].integer(1, 0, most));
    retry.delay = reader["delay"].duration().value_or(Nanoseconds(0));
    retry.methods = decodeMethods(reader["methods"], retry.methods);
    retry.statusCodes = reader["statusCodes"].statusSet();
    reader.warnUnknown({"count", "delay", "methods", "statusCodes"}, {"logger"});
    return retry;
}

/// What can be said without compiling it: braces that do not pair, and `${`, which is a habit from elsewhere.
void checkIdentifier(const SchemaReader &reader, const std::string &text)
{
    std::size_t open = std::string::npos;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '{' && i > 0 && text[i - 1] == '\\') {
            continue; // written for the character itself
        } else if (text[i] == '{' && open != std::string::npos) {
            reader.error("has a { within { }; expected {url}, {method}, {query.name}, {cookie.name} or {headers.name}");
            return;
        } else if (text[i] == '{') {
            open = i;
        } else if (text[i] == '}' && open != std::string::npos) {
            if (i == open + 1) {
                reader.error(
                    "has an empty {}; expected {url}, {method}, {query.name}, {cookie.name} or {headers.name}");
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
    policy.holder = decodeHolder(reader["holder"]);
    policy.cache = decodeCache(reader["cache"]);
    policy.retry = decodeRetry(reader["retry"]);
    reader.warnUnknown({"name", "identifier", "holder", "cache", "retry"},
                       {"schema", "timeout", "timeouts", "hedging", "hedge", "breaker", "circuit", "limiter",
                        "bulkhead", "fallback", "queue"});
    return policy;
}

} // namespace wardbench::codec
