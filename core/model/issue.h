#pragma once

#include "json/pointer.h"

#include <string>
#include <vector>

namespace wardbench {

/// Something wrong in a file, at a place in it.
struct Issue
{
    enum class Severity { Error, Warning };

    Severity severity = Severity::Error;
    std::string pointer;     ///< JSON pointer
    std::string message;     ///< what is wrong; what was expected
    json::Position position; ///< of the value in the text, when the issue came from a text

    /// `FILE:LINE:COLUMN: error: /json/pointer: message` (workspace.md, Issues).
    std::string format(std::string_view file) const;
};

using Issues = std::vector<Issue>;

bool hasErrors(const Issues &issues);

} // namespace wardbench
