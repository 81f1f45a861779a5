#pragma once

#include "json/value.h"

#include <cstdint>
#include <functional>
#include <string>

namespace wardbench::admin {

/// A running imposter as far as its JSON tells of it.
struct Portrait
{
    json::Value source;                                     ///< as stored, present format
    std::uint16_t port = 0;                                 ///< the real one
    std::uint64_t requests = 0;                             ///< received
    std::string base{};                                     ///< of links: "http://localhost:2525"
    json::Value metadata{};                                 ///< what a foreign protocol says of itself; null: nothing
    std::function<json::Array()> recorded{};                ///< absent: no requests are kept
    std::function<json::Array(std::size_t stub)> matches{}; ///< absent: no `matches`
};

/// The forms in which the REST API shows an imposter (mountebank.md 1.4), members in mountebank's order. Members of the
/// imposter that mountebank does not know, and which it would drop, follow its own.
json::Value listShape(const Portrait &portrait);
json::Value fullShape(const Portrait &portrait);
json::Value replayableShape(const Portrait &portrait);
/// The imposter without responses that are proxies, and without stubs that have none left.
json::Value withoutProxies(const json::Value &shape);

} // namespace wardbench::admin
