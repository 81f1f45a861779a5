#pragma once

#include "cli/command.h"

#include <QStringList>

#include <sstream>

namespace wardbench::test {

/// One command line run inside the test: its exit code and what it wrote where.
struct Invocation
{
    explicit Invocation(const QStringList &arguments, const std::string &input = {})
    {
        std::ostringstream outStream, errStream;
        std::istringstream inStream(input);
        code = cli::runCommandLine(arguments, {outStream, errStream, inStream});
        out = outStream.str();
        err = errStream.str();
    }

    int code = -1;
    std::string out, err;
};

inline bool contains(const std::string &text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

} // namespace wardbench::test
