#include "report/exports.h"

#include "report/exportparts.h"
#include "stats/histogramfiles.h"

#include <QDateTime>

#include <algorithm>

namespace wardbench::report {

namespace parts {

Result<const ContestantResult *> contestantNamed(const RunResult &result, const std::string &name)
{
    if (name.empty() && result.contestants.size() == 1)
        return &result.contestants.front();
    std::string names;
    for (const ContestantResult &contestant : result.contestants) {
        if (contestant.name == name)
            return &contestant;
        names += (names.empty() ? "\"" : ", \"") + contestant.name + "\"";
    }
    if (names.empty())
        return fail("the run has no contestant", Error::Code::NotFound);
    return fail(name.empty() ? "this format holds one contestant; name it: " + names
                             : "the run has no contestant \"" + name + "\"; it has " + names,
                Error::Code::BadInput);
}

} // namespace parts

Result<std::string> hgrmText(const RunResult &result, const std::string &contestant)
{
    const Result<const ContestantResult *> chosen = parts::contestantNamed(result, contestant);
    if (!chosen)
        return chosen.error();
    return encodeHgrm((*chosen)->total.latency);
}

std::string hlogText(const RunResult &result)
{
    HistogramLog log;
    const QDateTime started = QDateTime::fromString(QString::fromStdString(result.environment.started), Qt::ISODate);
    log.start_s = started.isValid() ? static_cast<double>(started.toMSecsSinceEpoch()) / 1000 : 0;
    for (const ContestantResult &contestant : result.contestants) {
        for (const Measurement &repetition : contestant.repetitions)
            log.intervals.push_back(
                {contestant.name, repetition.start_s, repetition.duration_ms / 1000, repetition.latency});
    }
    std::stable_sort(log.intervals.begin(), log.intervals.end(),
                     [](const auto &a, const auto &b) { return a.start_s < b.start_s; });
    return encodeHlog(log);
}

} // namespace wardbench::report
