#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wardbench::test {

/// One row of tests/data/http/conformance.json, or one of its relaxed variants.
struct ConformanceRow
{
    using Fields = std::vector<std::pair<std::string, std::string>>;

    std::string id; ///< "B08", "B08+obsFold"
    std::string input;
    std::vector<std::string> allow;                                     ///< names of relaxed rules
    std::vector<std::string> out;                                       ///< "OK", "OKc", "400", ..., "wait"
    std::optional<std::string> method, target, path, query, host, body; ///< of the first request
    std::optional<Fields> headers, trailers;
};

/// Every row, each relaxed variant as a row of its own. Throws when the file is not what it should be.
std::vector<ConformanceRow> conformanceRows();

} // namespace wardbench::test
