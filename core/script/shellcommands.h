#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "json/value.h"

#include <functional>
#include <memory>
#include <string>

namespace wardbench {

/// Runs the commands of `shellTransform` (mountebank.md 2.7.5) on threads of their own, so that the caller never waits;
/// so many at a time, the others in turn. Any thread may call.
class ShellCommands
{
public:
    struct Options
    {
        Nanoseconds timeLimit = std::chrono::seconds(30); ///< then the command and its children are killed
        std::size_t outputLimit = 64u << 20;              ///< bytes of standard output
        int parallel = 32;
    };

    explicit ShellCommands(Options options);
    ~ShellCommands(); ///< kills what runs; what is open is answered with an error before it returns
    ShellCommands(const ShellCommands &) = delete;
    ShellCommands &operator=(const ShellCommands &) = delete;

    /// Runs `command` by `/bin/sh -c` with the request and the response as JSON: as two quoted arguments unless the
    /// line gets too long for that, and in MB_REQUEST and MB_RESPONSE. `done` gets the JSON that it printed, or
    /// mountebank's words for what failed; it is called on the command's thread.
    void transform(const std::string &command, const json::Value &request, const json::Value &response,
                   std::function<void(Result<json::Value>)> done);

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wardbench
