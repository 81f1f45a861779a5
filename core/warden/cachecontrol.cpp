#include "warden/cachecontrol.h"

#include "http/characters.h"
#include "http/date.h"

#include <algorithm>
#include <array>
#include <utility>

namespace wardbench::warden {
namespace {

std::string_view unquoted(std::string_view text)
{
    return text.size() >= 2 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2) : text;
}

void setFlag(CacheControl &into, std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, bool CacheControl::*>, 8> flags{
        {{"no-store", &CacheControl::noStore},
         {"no-cache", &CacheControl::noCache},
         {"private", &CacheControl::isPrivate},
         {"public", &CacheControl::isPublic},
         {"must-revalidate", &CacheControl::mustRevalidate},
         {"proxy-revalidate", &CacheControl::proxyRevalidate},
         {"immutable", &CacheControl::immutable},
         {"only-if-cached", &CacheControl::onlyIfCached}}};
    for (const auto &[flag, member] : flags) {
        if (http::equalsIgnoringCase(flag, name))
            into.*member = true;
    }
}

// A lifetime that cannot be read is none at all: the answer is stale (RFC 9111 section 4.2.1).
void setSeconds(CacheControl &into, std::string_view name, std::string_view value)
{
    constexpr std::array<std::pair<std::string_view, CacheControl::Seconds CacheControl::*>, 6> numbers{
        {{"max-age", &CacheControl::maxAge},
         {"s-maxage", &CacheControl::sharedMaxAge},
         {"stale-while-revalidate", &CacheControl::staleWhileRevalidate},
         {"stale-if-error", &CacheControl::staleIfError},
         {"min-fresh", &CacheControl::minFresh},
         {"max-stale", &CacheControl::maxStale}}};
    for (const auto &[number, member] : numbers) {
        if (http::equalsIgnoringCase(number, name) && !(into.*member))
            into.*member = http::deltaSeconds(value).value_or(std::chrono::seconds(0));
    }
}

void readDirective(CacheControl &into, std::string_view directive)
{
    const std::size_t equals = directive.find('=');
    const std::string_view name = http::trimBlanks(directive.substr(0, equals));
    if (name.empty())
        return;
    into.present = true;
    if (http::equalsIgnoringCase(name, "max-stale"))
        into.acceptsStale = true;
    setFlag(into, name);
    if (equals != std::string_view::npos)
        setSeconds(into, name, unquoted(http::trimBlanks(directive.substr(equals + 1))));
}

/// Statuses that may be kept without the server saying so (RFC 9110 section 15.1).
bool isHeuristicallyCacheable(int status)
{
    constexpr std::array known{200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501};
    return std::find(known.begin(), known.end(), status) != known.end();
}

std::optional<std::chrono::sys_seconds> dateField(const http::Response &response, std::string_view name)
{
    const std::string *value = response.headers.find(name);
    return value ? http::parseDate(*value) : std::nullopt;
}

std::optional<Nanoseconds> explicitLifetime(const CacheConfig &config, const CacheControl &control,
                                            const http::Response &response)
{
    if (config.shared && control.sharedMaxAge)
        return *control.sharedMaxAge;
    if (control.maxAge)
        return *control.maxAge;
    if (!response.headers.has("expires"))
        return std::nullopt;
    const auto expires = dateField(response, "expires");
    const auto date = dateField(response, "date").value_or(http::systemDate());
    return expires && *expires > date ? Nanoseconds(*expires - date) : Nanoseconds(0); // "0" and the like: over
}

Nanoseconds heuristicLifetime(const CacheConfig &config, const CacheControl &control, const http::Response &response)
{
    Nanoseconds lifetime{0};
    const auto modified = dateField(response, "last-modified");
    const auto date = dateField(response, "date").value_or(http::systemDate());
    if (modified && *modified < date && isHeuristicallyCacheable(response.status))
        lifetime = Nanoseconds(static_cast<std::int64_t>(static_cast<double>(Nanoseconds(date - *modified).count()) *
                                                         config.cacheHeuristic));
    return control.immutable ? std::max(lifetime, config.immutableMinTimeToLive) : lifetime;
}

bool mayStore(const CacheConfig &config, const ClientRequest &request, const http::Response &response,
              const CacheControl &control, bool hasLifetime)
{
    if (control.noStore || CacheControl::of(request.headers).noStore || response.status == 206)
        return false;
    if (config.shared && control.isPrivate)
        return false;
    if (config.shared && request.headers.has("authorization") && !control.isPublic && !control.mustRevalidate &&
        !control.sharedMaxAge)
        return false;
    const std::string *vary = response.headers.find("vary");
    if (vary && vary->find('*') != std::string::npos)
        return false;
    return hasLifetime || control.isPublic || (!config.shared && control.isPrivate) || control.immutable ||
           isHeuristicallyCacheable(response.status);
}

bool isPlain(const CacheConfig &config, const http::Response &response)
{
    return config.cachesStatus(response.status) && (config.cacheWithCookie || !response.headers.has("set-cookie"));
}

} // namespace

CacheControl CacheControl::of(const http::Headers &headers)
{
    CacheControl control;
    for (const http::Header &field : headers) {
        if (!http::equalsIgnoringCase(field.name, "cache-control"))
            continue;
        std::string_view rest = field.value;
        bool quoted = false;
        std::size_t start = 0;
        for (std::size_t i = 0; i <= rest.size(); ++i) {
            if (i < rest.size() && rest[i] == '"')
                quoted = !quoted;
            if (i == rest.size() || (rest[i] == ',' && !quoted)) {
                readDirective(control, http::trimBlanks(rest.substr(start, i - start)));
                start = i + 1;
            }
        }
    }
    // HTTP/1.0's way; it counts only when there is no other (RFC 9111 section 5.4).
    const std::string *pragma = headers.find("pragma");
    if (!control.present && pragma && http::toLower(*pragma).find("no-cache") != std::string::npos)
        control.noCache = true;
    return control;
}

Freshness ttlFreshness(const CacheConfig &config, const http::Response &response)
{
    Freshness freshness;
    freshness.storable = isPlain(config, response);
    freshness.lifetime = config.duration;
    freshness.whileRevalidate = config.staleWhileRevalidate;
    freshness.ifError = config.staleIfError;
    return freshness;
}

Freshness httpFreshness(const CacheConfig &config, const ClientRequest &request, const http::Response &response,
                        Nanoseconds delay)
{
    const CacheControl control = CacheControl::of(response.headers);
    const auto given = explicitLifetime(config, control, response);
    Freshness freshness;
    freshness.storable = isPlain(config, response) && mayStore(config, request, response, control, given.has_value());
    freshness.lifetime = given.value_or(heuristicLifetime(config, control, response));
    if (config.maxTtl)
        freshness.lifetime = std::min(freshness.lifetime, *config.maxTtl);
    const std::string *age = response.headers.find("age");
    freshness.initialAge = delay + (age ? http::deltaSeconds(*age).value_or(std::chrono::seconds(0)) : Nanoseconds(0));
    freshness.alwaysRevalidate = control.noCache;
    freshness.neverStale = control.mustRevalidate || control.noCache ||
                           (config.shared && (control.proxyRevalidate || control.sharedMaxAge));
    freshness.whileRevalidate =
        control.staleWhileRevalidate ? Nanoseconds(*control.staleWhileRevalidate) : config.staleWhileRevalidate;
    freshness.ifError = control.staleIfError ? Nanoseconds(*control.staleIfError) : config.staleIfError;
    return freshness;
}

bool isConditional(const ClientRequest &request)
{
    constexpr std::array<std::string_view, 6> names{"if-none-match",       "if-modified-since", "if-match",
                                                    "if-unmodified-since", "if-range",          "range"};
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return request.headers.has(name); });
}

bool hasValidator(const http::Response &response)
{
    return response.headers.has("etag") || response.headers.has("last-modified");
}

ClientRequestPtr conditionalRequest(const ClientRequest &request, const http::Response &stored)
{
    auto made = std::make_shared<ClientRequest>(request);
    if (const std::string *tag = stored.headers.find("etag"))
        made->headers.set("If-None-Match", *tag);
    if (const std::string *modified = stored.headers.find("last-modified"))
        made->headers.set("If-Modified-Since", *modified);
    return made;
}

std::shared_ptr<const http::Response> refreshed(const http::Response &stored, const http::Response &notModified)
{
    auto made = std::make_shared<http::Response>(stored);
    made->headers.remove("age"); // it told the age of the stored one
    for (const http::Header &field : notModified.headers) {
        if (!http::equalsIgnoringCase(field.name, "content-length") &&
            !http::equalsIgnoringCase(field.name, "content-encoding"))
            made->headers.set(field.name, field.value);
    }
    return made;
}

} // namespace wardbench::warden
