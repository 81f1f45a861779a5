#pragma once

#include <cstdint>
#include <string>

namespace wardbench {

/// One request and what came of it, in the terms of JMeter's result files. Times are whole milliseconds there.
struct Sample
{
    std::int64_t start_ms = 0; ///< since 1970
    std::int64_t elapsed_ms = 0;
    std::int64_t latency_ms = 0; ///< to the first byte of the answer
    std::int64_t connect_ms = 0; ///< 0 on a kept connection
    std::int64_t idle_ms = 0;
    std::string label;
    std::string code;    ///< "200", or "Non HTTP response code: ..."
    std::string message; ///< "OK", or "Non HTTP response message: ..."
    std::string thread;  ///< "Users 1-12"
    std::string dataType = "text";
    std::string failure; ///< why an answer was not accepted; empty for a success
    std::string url;
    bool success = true;
    std::uint64_t bytes = 0, sentBytes = 0;
    std::uint32_t groupThreads = 0, allThreads = 0; ///< active when the request ended
};

/// How many users are at work now, have begun, and have ended, since the test began.
struct UserCounts
{
    std::uint64_t active = 0, started = 0, finished = 0;
};

/// Hears of every measured request, on the load thread that made it: must not wait.
class SampleSink
{
public:
    virtual ~SampleSink() = default;
    /// `users` of the running repetition.
    virtual void add(Sample &&sample, const UserCounts &users) = 0;
    /// A repetition is over: all of its users have ended. Any thread.
    virtual void settle() = 0;
};

} // namespace wardbench
