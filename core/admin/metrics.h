#pragma once

#include "admin/call.h"
#include "admin/liveimposters.h"
#include "match/compiledimposter.h"
#include "server/accessrule.h"

#include <map>
#include <memory>

namespace wardbench::admin {

/// `GET /metrics` in Prometheus' text form (mountebank.md 1.7). Counts are the mocks' own. Times of answers come from
/// the journals, so imposters without one have none; times of matching are measured here, by asking a number of the
/// recorded requests again, so that no request pays for them. Used on one thread.
class Metrics
{
public:
    /// `access` may be null.
    Metrics(const LiveImposters &live, std::shared_ptr<const server::AccessRule> access);

    Reply show(const Call &call);

private:
    struct Histogram
    {
        explicit Histogram(std::vector<double> limits) : bounds(std::move(limits)), counts(bounds.size(), 0) {}
        void observe(Nanoseconds duration);

        std::vector<double> bounds; ///< seconds
        std::vector<std::uint64_t> counts;
        std::uint64_t total = 0;
        double sum = 0;
    };
    struct Series
    {
        std::string label;
        std::uint64_t since = 0;
        std::uint64_t received = 0;
        std::uint64_t unmatched = 0;
        Histogram matching{{.01, .05, .1, .2, .5, 1}};
        Histogram answering{{.01, .05, .1, .2, .5, 1, 3, 5, 10, 30}};
        ImposterPtr compiledFrom;
        std::shared_ptr<const CompiledStubs> stubs;
    };

    void collect();
    void read(ImposterId id, Series &series);
    void measureMatching(const JournalEntry &entry, Series &series);
    void write(std::string &out) const;

    const LiveImposters &m_live;
    const std::shared_ptr<const server::AccessRule> m_access;
    std::map<ImposterId, Series> m_series; ///< those of gone imposters stay: counters never fall
};

} // namespace wardbench::admin
