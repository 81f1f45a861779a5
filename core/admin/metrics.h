#pragma once

#include "admin/call.h"
#include "admin/liveimposters.h"
#include "mock/answertimings.h"
#include "server/accessrule.h"

#include <map>
#include <memory>

namespace wardbench::admin {

/// `GET /metrics` in Prometheus' text form (mountebank.md 1.7). All of it is counted by the mocks; times of matching
/// and making come from requests that go into a journal. Used on one thread.
class Metrics
{
public:
    /// `access` may be null.
    Metrics(const LiveImposters &live, std::shared_ptr<const server::AccessRule> access);

    Reply show(const Call &call);

private:
    struct Series
    {
        std::string label;
        std::uint64_t received = 0;
        std::uint64_t unmatched = 0;
        std::shared_ptr<const mock::AnswerTimings> timings;
    };

    void collect();
    void writeAlways(std::string &out) const;
    void writeAnswered(std::string &out) const;

    const LiveImposters &m_live;
    const std::shared_ptr<const server::AccessRule> m_access;
    const double m_started;                ///< seconds since 1970
    std::map<ImposterId, Series> m_series; ///< those of gone imposters stay: counters never fall
};

} // namespace wardbench::admin
