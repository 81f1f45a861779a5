#pragma once

#include "stats/sample.h"
#include "transport/transport.h"

#include <string>
#include <vector>

namespace wardbench {

/// A request and its reply in the terms of JMeter's result files. `errorKind` as the recorder takes it; when it began,
/// its label and thread are the caller's to fill in.
Sample sampleOf(const ClientRequest &request, const Reply &reply, const std::string &errorKind, Nanoseconds elapsed);

/// Where samples of a load go, and as whose.
struct SampleTarget
{
    SampleSink *sink = nullptr; ///< null: none are made; outlives the load
    std::string group;          ///< the users' name: "Bare client"
    std::string label;          ///< of a scenario of one request, else what stands before the request's name
};

/// Makes the samples of one load thread and keeps count of its users. Costs nothing without a sink.
class SampleTeller
{
public:
    SampleTeller(SampleTarget target, std::size_t users);

    bool wanted() const { return m_target.sink != nullptr; }
    void working(std::size_t user); ///< is in an iteration, or between two
    void left(std::size_t user);
    /// `step`: the request's name, empty when the scenario has one only. `now` on the clock that `called` is of.
    void tell(std::size_t user, const std::string &step, const ClientRequest &request, const Reply &reply,
              const std::string &errorKind, TimePoint called, TimePoint now);

private:
    const SampleTarget m_target;
    std::vector<bool> m_working, m_seen;
    UserCounts m_users;
};

} // namespace wardbench
