#pragma once

#include "model/imposter.h"
#include "json/value.h"

#include <cstdint>
#include <functional>

namespace wardbench {

using ImposterId = std::uint64_t; ///< of a started imposter; never reused

/// What a proxy response wants kept of an answer (mountebank.md 2.8.5).
struct Recording
{
    ImposterId imposter = 0;
    StubId stub = 0; ///< that proxies
    Proxy::Mode mode = Proxy::Mode::Once;
    json::Value predicates; ///< of the new stub
    json::Value response;   ///< `{is, behaviors?}`
};

/// Keeps a recording where the imposter's stubs are kept. Called on I/O threads: it must not block; `done` is called
/// once, on any thread, when requests meet the new stub (or it was not to be).
using Recorder = std::function<void(Recording recording, std::function<void()> done)>;

} // namespace wardbench
