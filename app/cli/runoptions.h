#pragma once

#include <QStringList>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wardbench::cli {

enum class RunFormat { Table, Markdown, Json, Csv, Warden, JUnit };

/// What `wardbench run` was asked for.
struct RunOptions
{
    std::string file;
    std::vector<std::string> scenarios; ///< globs; empty: all
    bool list = false, quiet = false, help = false, allowRemote = false;
    double scale = 1;
    std::optional<int> repetitions;
    std::optional<std::uint64_t> seed;
    std::optional<std::string> transport;
    std::string out; ///< folder; empty: none
    std::string jtl;           ///< file of the samples; empty: none
    bool summaryLines = false; ///< JMeter's
    std::string decimalPoint = ".";
    std::vector<RunFormat> formats{RunFormat::Table};
    bool formatsGiven = false;

    bool wants(RunFormat format) const;
    /// The options of `arguments`, or nothing and what is wrong with them.
    static std::optional<RunOptions> read(const QStringList &arguments, QString &problem);
};

} // namespace wardbench::cli
