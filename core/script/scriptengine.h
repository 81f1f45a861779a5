#pragma once

#include "match/scripthost.h"
#include "script/environment.h"
#include "script/scriptoutcome.h"
#include "json/value.h"

#include <map>
#include <string>
#include <unordered_map>

namespace wardbench {

/// The scripts of one imposter and the state they share (mountebank.md 2.9). Each script is the text of a function
/// expression, compiled once. Requests and responses are given and taken as copies. Everything happens on one thread;
/// each call is held to the time limit. Failures are also logged, as mountebank does.
class ScriptEngine final : public PredicateScripts
{
public:
    struct Options
    {
        Nanoseconds timeLimit = std::chrono::seconds(1);
        /// How long a script that left its answer to a callback or a promise is waited for.
        Nanoseconds answerLimit = std::chrono::seconds(60);
        ScriptLog log{};               ///< called on the engine's thread
        std::function<void()> stuck{}; ///< ScriptEnvironment::Options
    };
    template <typename T>
    using Callback = std::function<void(ScriptOutcome<T>)>;

    explicit ScriptEngine(Options options);
    ~ScriptEngine() override;

    /// `request` is as mountebank shows it (2.2.1, 2.4).
    ScriptOutcome<bool> predicate(const std::string &script, const json::Value &request);
    /// The same for a match (MatchContext); when it fails, `matchFailure` has the whole story.
    Result<bool> holds(const std::string &script, const json::Value &request) override;
    const ScriptFailure &matchFailure() const { return m_matchFailure; }
    /// The response of an `inject`; `done` is called within, or later from `runDue`.
    void respond(const std::string &script, const json::Value &request, Callback<json::Value> done);
    /// The response as `decorate` leaves it; `done` as above.
    void decorate(const std::string &script, const json::Value &request, const json::Value &response,
                  Callback<json::Value> done);
    ScriptOutcome<Nanoseconds> wait(const std::string &script);
    /// The predicates that a generator's `inject` makes: an array.
    ScriptOutcome<json::Value> generatePredicates(const std::string &script, const json::Value &request);
    /// Whether the bytes so far make a whole request (2.9.5); `binary`: the script gets a Buffer instead of text.
    ScriptOutcome<bool> isEndOfRequest(const std::string &script, const std::string &data, bool binary);

    /// When `runDue` has something to do; TimePoint::max(): nothing.
    TimePoint nextDue() const;
    /// Runs the timers that are due, and gives up on answers that are overdue.
    void runDue();
    /// Stops what runs, for good. Any thread.
    void interrupt() { m_environment.interrupt(); }

private:
    enum Kind { Predicate, Respond, Decorate, Wait, Generate, Resolve };
    struct Compiled
    {
        QJSValue function;
        std::string problem;
    };
    struct Pending
    {
        Kind kind = Respond;
        std::string script;
        Callback<json::Value> done;
        TimePoint giveUp;
    };
    struct Reply
    {
        QJSValue value;
        std::string problem;
    };

    const Compiled &compiled(Kind kind, const std::string &script);
    Reply invoke(Kind kind, const std::string &script, QJSValueList arguments);
    void begin(Kind kind, const std::string &script, const QJSValueList &arguments, Callback<json::Value> done);
    void answered(std::uint32_t call, bool succeeded, const std::string &text);
    void failPending(std::uint32_t call, const std::string &problem);
    ScriptFailure failure(Kind kind, const std::string &script, const std::string &problem);
    QJSValue text(const json::Value &value);

    Options m_options;
    ScriptEnvironment m_environment;
    QJSValue m_calls;
    std::unordered_map<std::string, Compiled> m_compiled[6];
    std::map<std::uint32_t, Pending> m_pending;
    std::uint32_t m_lastCall = 0;
    ScriptFailure m_matchFailure;
    json::Value m_lastValue; ///< whose text is kept: many predicates look at one request
    QJSValue m_lastText;
};

} // namespace wardbench
