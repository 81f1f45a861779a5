#include "model/issue.h"

#include <algorithm>

namespace wardbench {

std::string Issue::format(std::string_view file) const
{
    std::string line(file);
    line += ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
    line += severity == Severity::Error ? ": error: " : ": warning: ";
    if (!pointer.empty())
        line += pointer + ": ";
    return line + message;
}

bool hasErrors(const Issues &issues)
{
    return std::any_of(issues.begin(), issues.end(),
                       [](const Issue &issue) { return issue.severity == Issue::Severity::Error; });
}

} // namespace wardbench
