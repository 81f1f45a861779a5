#pragma once

#include "http/message.h"
#include "model/policy.h"
#include "transport/transport.h"

#include <chrono>
#include <optional>

namespace wardbench::warden {

/// The directives of a message's Cache-Control (RFC 9111 section 5.2, RFC 5861). Of a directive that comes twice the
/// first counts; `no-cache` and `private` with field names count as without, which is the safe reading.
struct CacheControl
{
    using Seconds = std::optional<std::chrono::seconds>;

    bool present = false;
    bool noStore = false, noCache = false, isPrivate = false, isPublic = false, mustRevalidate = false;
    bool proxyRevalidate = false, immutable = false, onlyIfCached = false;
    bool acceptsStale = false; ///< max-stale; without a number any age will do
    Seconds maxAge, sharedMaxAge, staleWhileRevalidate, staleIfError, minFresh, maxStale;

    static CacheControl of(const http::Headers &headers);
};

/// What may be done with a stored answer, and until when.
struct Freshness
{
    bool storable = false;
    Nanoseconds lifetime{0};
    Nanoseconds initialAge{0};      ///< when it was stored
    bool alwaysRevalidate = false;  ///< no-cache
    bool neverStale = false;        ///< must-revalidate
    Nanoseconds whileRevalidate{0}; ///< may be served so long after its lifetime while a new one is fetched
    Nanoseconds ifError{0};         ///< ... when there is no better answer
    Nanoseconds mostStale() const { return neverStale ? Nanoseconds(0) : std::max(whileRevalidate, ifError); }
};

/// By the policy's own duration: methods are the caller's business.
Freshness ttlFreshness(const CacheConfig &config, const http::Response &response);
/// By RFC 9111 sections 3 and 4.2. `delay`: from sending the request to its answer. Clocks are not compared: the age
/// comes from Age and the delay, lifetimes from the server's own dates.
Freshness httpFreshness(const CacheConfig &config, const ClientRequest &request, const http::Response &response,
                        Nanoseconds delay);

/// Has the caller made its own conditions, which a cache must not answer?
bool isConditional(const ClientRequest &request);
bool hasValidator(const http::Response &response);
/// The same request, answered by 304 when the stored response is still good.
ClientRequestPtr conditionalRequest(const ClientRequest &request, const http::Response &stored);
/// The stored response with the fields of the 304 that confirmed it (RFC 9111 section 3.2).
std::shared_ptr<const http::Response> refreshed(const http::Response &stored, const http::Response &notModified);

} // namespace wardbench::warden
