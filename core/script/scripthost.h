#pragma once

#include "script/scriptengine.h"

#include <functional>
#include <memory>
#include <string>

namespace wardbench {

/// Runs work on a thread of the caller's choice, for example by asio::post.
using Executor = std::function<void(std::function<void()>)>;

/// Where and how a result is taken.
template <typename T>
struct ScriptReply
{
    Executor home; ///< `done` is run through it, once; none: on whichever thread has the result
    std::function<void(ScriptOutcome<T>)> done;
};

/// The scripts of one imposter on a thread of their own. Any thread may call; nothing here waits for a script. An
/// engine that cannot be stopped (docs/SCRIPTS.md) is given up on: what waits for it, and what is asked while it still
/// runs, fails at once. A host that goes away drops what it was asked and did not answer.
class ScriptHost
{
public:
    struct Options
    {
        Nanoseconds timeLimit = std::chrono::seconds(1);
        Nanoseconds answerLimit = std::chrono::seconds(60); ///< ScriptEngine::Options
        ScriptLog log{};                                    ///< called on the script thread
    };

    explicit ScriptHost(Options options);
    ~ScriptHost(); ///< stops what runs; any thread, its own too
    ScriptHost(const ScriptHost &) = delete;
    ScriptHost &operator=(const ScriptHost &) = delete;

    void predicate(std::string script, json::Value request, ScriptReply<bool> reply);
    void respond(std::string script, json::Value request, ScriptReply<json::Value> reply);
    void decorate(std::string script, json::Value request, json::Value response, ScriptReply<json::Value> reply);
    void wait(std::string script, ScriptReply<Nanoseconds> reply);
    void generatePredicates(std::string script, json::Value request, ScriptReply<json::Value> reply);
    void isEndOfRequest(std::string script, std::string data, bool binary, ScriptReply<bool> reply);

    /// Runs `work` on the script thread, with its engine: a whole match, for example. Should the engine be given up on
    /// before `work` has returned, `giveUp` is called too, on another thread.
    void post(std::function<void(ScriptEngine &)> work, std::function<void()> giveUp);

private:
    class Private;
    std::shared_ptr<Private> d;
};

} // namespace wardbench
