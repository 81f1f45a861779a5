#pragma once

#include "base/result.h"
#include "script/environment.h"
#include "json/value.h"

#include <atomic>
#include <memory>
#include <string>
#include <thread>

namespace wardbench::mock {

/// The program that speaks a protocol which this one does not know (mountebank.md 2.8.9). It is ready when it has
/// written a line, which may be JSON about itself; further lines, "level text", and its standard error are logged.
class ForeignProcess
{
public:
    /// Starts `command`, split at its blanks, with `argument` as the last one, and waits until it is ready, at most
    /// 10 s. `protocol` is its name. `log` is called on a thread of its own. Errors are in mountebank's words.
    static Result<std::unique_ptr<ForeignProcess>> start(const std::string &protocol, const std::string &command,
                                                         const json::Value &argument, ScriptLog log);
    ~ForeignProcess(); ///< ends it, by force when it does not end within 2 s
    ForeignProcess(const ForeignProcess &) = delete;
    ForeignProcess &operator=(const ForeignProcess &) = delete;

    /// Of the first line; an empty object when that was no JSON object.
    const json::Value &metadata() const { return m_metadata; }

private:
    class Run;

    ForeignProcess() = default;

    std::atomic<bool> m_ending = false;
    json::Value m_metadata = json::Value::object();
    std::thread m_thread;
};

} // namespace wardbench::mock
