#pragma once

#include "base/clock.h"

#include <cstdint>
#include <optional>
#include <string>

namespace wardbench {

/// What goes wrong with an answer on the wire: mountebank's and WireMock's names, or an object of our own
/// (docs/FILE_FORMAT.md). Alone it takes the answer's place; beside an `is` it spoils that answer.
struct Fault
{
    enum class Kind {
        None,
        Empty,          ///< FIN without a byte
        Reset,          ///< RST: before the first byte, after `afterBytes` of the body, or after the whole answer
        Garbage,        ///< bytes that are no HTTP, then FIN
        MalformedChunk, ///< a chunked head, then bytes that are no chunk, then FIN
        Dribble,        ///< the body in `pieces` over `duration`
        Throttle,       ///< at most `bytesPerSecond`
        Limit,          ///< `afterBytes` of the body, then FIN
        SlowClose,      ///< the whole answer, then FIN after `duration`
        Hang,           ///< nothing (or the head only); closed after `duration`, 0: never
        Unknown         ///< a name nobody knows: mountebank sends the default response
    };
    enum class Direction { Response, Request };

    Kind kind = Kind::None;
    Direction direction = Direction::Response; ///< Throttle: which way is slow; Request: the answer waits for it
    double probability = 1;                    ///< drawn for each answer
    std::optional<std::uint64_t> count;        ///< only for so many answers of the stub
    std::optional<std::uint64_t> seed;         ///< of the draws; else the imposter's streams
    std::uint64_t afterBytes = 0;              ///< Reset, Limit
    bool afterHead = false;                    ///< Reset within the body (`afterBytes` given), Hang: head is sent
    bool afterAnswer = false;                  ///< Reset: once everything was sent
    int pieces = 1;                            ///< Dribble
    Nanoseconds duration{0};                   ///< Dribble, SlowClose, Hang
    double bytesPerSecond = 0;                 ///< Throttle
    std::uint64_t bytes = 36;                  ///< Garbage
    std::string name;                          ///< as written
    bool named = false; ///< given by its name alone, as mountebank has it: behaviors do not run then
};

} // namespace wardbench
