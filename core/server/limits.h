#pragma once

#include "base/clock.h"
#include "http/leniency.h"
#include "http/parseerror.h"
#include "server/accessrule.h"

#include <memory>

namespace wardbench::server {

/// What a server allows a client, in size and in time. The defaults are those of docs/HTTP.md; tests shorten them.
struct Limits
{
    http::ParserLimits parser;
    http::Leniencies leniencies;
    Nanoseconds handshake = std::chrono::seconds(10);   ///< TLS, from accepting to its end: closed
    Nanoseconds head = std::chrono::seconds(30);        ///< from a request's first byte to the end of its head: 408
    Nanoseconds bodyStall = std::chrono::seconds(60);   ///< without a body byte: 408
    Nanoseconds answerStall = std::chrono::seconds(60); ///< client takes nothing of an answer: cut
    Nanoseconds idle = std::chrono::seconds(75);        ///< between requests: closed without a word
    Nanoseconds drain = std::chrono::seconds(2); ///< reading on after our last byte, so that it is not lost to a reset
    std::size_t drainBytes = 256 * 1024;
    std::size_t queuedAnswers = 256 * 1024;     ///< unsent bytes beyond which no further request is read
    int backlog = 4096;                         ///< connections the system keeps until they are accepted
    std::shared_ptr<const AccessRule> access{}; ///< others are reset as soon as they are accepted; null: everybody may
};

} // namespace wardbench::server
