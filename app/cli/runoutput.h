#pragma once

#include "base/result.h"
#include "cli/runoptions.h"
#include "stats/runresult.h"

#include <iosfwd>
#include <set>
#include <string>
#include <vector>

namespace wardbench::cli {

/// Writes results where they were asked for: tables as scenarios end, the other formats at the end; run files and
/// formats to the folder of --out. The table is on standard output too, unless --format leaves it out.
class RunOutput
{
public:
    RunOutput(const RunOptions &options, std::ostream &out, std::ostream &err);

    Result<void> prepare(); ///< makes the folder of --out
    /// `kept`: where the run store has it.
    Result<void> add(const RunResult &result, const std::string &kept);
    Result<void> finish();

private:
    std::string pathOf(const std::string &name) const;
    std::string uniqueStem(const RunResult &result);
    Result<void> write(const std::string &name, const std::string &text) const;

    const RunOptions &m_options;
    std::ostream &m_out;
    std::ostream &m_err;
    std::vector<RunResult> m_results;
    std::vector<std::string> m_stems;
    std::set<std::string> m_usedStems;
};

} // namespace wardbench::cli
