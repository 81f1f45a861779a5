#include "script/scriptengine.h"

#include "base/duration.h"
#include "script/scriptcheck.h"
#include "json/parser.h"
#include "json/writer.h"

#include <algorithm>
#include <cmath>

namespace wardbench {
namespace {

/// How mountebank runs a script: the names it sees around it, the call, the error.
struct Interface
{
    const char *parameters;
    const char *call;
    const char *error;
    const char *helper; ///< of calls.js
};

constexpr Interface interfaces[] = {
    {"config, logger, imposterState", "(config, logger, imposterState);", "invalid predicate injection", "predicate"},
    {"config, injectState, logger, done, imposterState", "(config, injectState, logger, done, imposterState);",
     "invalid response injection", "respond"},
    {"config, response, logger", "(config, response, logger);", "invalid decorator injection", "decorate"},
    {"", "()", "invalid wait injection", "wait"},
    {"config", "(config);", "invalid predicateGenerator injection", "generate"},
    {"requestData, logger", "(requestData, logger)", "invalid endOfRequestResolver injection", "resolve"},
};

constexpr std::size_t mostCompiled = 20'000; ///< scripts of edits long gone are forgotten beyond this

/// Longest wait that a timer can hold; mountebank's wraps around beyond it.
constexpr double longestWait_ms = 2147483647;

std::string sourceOf(int kind, const std::string &script)
{
    return "(" + script + ")" + interfaces[kind].call;
}

} // namespace

ScriptEngine::ScriptEngine(Options options)
    : m_options(std::move(options)),
      m_environment({m_options.timeLimit, m_options.log, m_options.stuck,
                     [this](std::uint32_t call, bool succeeded, const std::string &text) {
                         answered(call, succeeded, text);
                     }}),
      m_calls(m_environment.load("calls.js", {m_environment.native(), m_environment.tools()}))
{
}

ScriptEngine::~ScriptEngine() = default;

const ScriptEngine::Compiled &ScriptEngine::compiled(Kind kind, const std::string &script)
{
    auto &known = m_compiled[kind];
    if (const auto found = known.find(script); found != known.end())
        return found->second;
    if (known.size() >= mostCompiled)
        known.clear();
    Compiled &made = known[script];
    if (const Result<void> checked = checkScript(script); !checked) {
        made.problem = checked.error().message;
        return made;
    }
    // mountebank evaluates scripts in strict code; the line break ends a comment at the script's end
    const std::string program = std::string("(function (") + interfaces[kind].parameters +
                                ") { \"use strict\"; return (" + script + "\n)" + interfaces[kind].call + " })";
    const Result<QJSValue> value = m_environment.evaluate(toQString(program), QStringLiteral("script"));
    if (value)
        made.function = *value;
    else
        made.problem = value.error().message;
    return made;
}

ScriptEngine::Reply ScriptEngine::invoke(Kind kind, const std::string &script, QJSValueList arguments)
{
    const Compiled &code = compiled(kind, script);
    if (!code.problem.empty())
        return {{}, code.problem};
    arguments.prepend(code.function);
    const QJSValue helper = m_calls.property(QString::fromLatin1(interfaces[kind].helper));
    const ScriptEnvironment::Called called = m_environment.call(helper, arguments);
    if (called.timedOut)
        return {{}, "the script " + m_environment.timeLimitWords()};
    if (called.value.isError()) // none that the helper caught: the engine was told to stop
        return {{}, scriptErrorText(called.value)};
    const QJSValue result = called.value.property(1);
    if (!called.value.property(0).toBool())
        return {{}, result.toString().toStdString()};
    return {result, {}};
}

ScriptOutcome<bool> ScriptEngine::predicate(const std::string &script, const json::Value &request)
{
    const Reply reply = invoke(Predicate, script, {text(request)});
    if (!reply.problem.empty())
        return failure(Predicate, script, reply.problem);
    return reply.value.toBool();
}

Result<bool> ScriptEngine::holds(const std::string &script, const json::Value &request)
{
    ScriptOutcome<bool> outcome = predicate(script, request);
    if (const bool *held = std::get_if<bool>(&outcome))
        return *held;
    m_matchFailure = std::get<ScriptFailure>(std::move(outcome));
    return fail(m_matchFailure.message + ": " + m_matchFailure.data);
}

void ScriptEngine::respond(const std::string &script, const json::Value &request, Callback<json::Value> done)
{
    begin(Respond, script, {text(request)}, std::move(done));
}

void ScriptEngine::decorate(const std::string &script, const json::Value &request, const json::Value &response,
                            Callback<json::Value> done)
{
    begin(Decorate, script, {text(request), QJSValue(toQString(json::writeCompact(response)))}, std::move(done));
}

void ScriptEngine::begin(Kind kind, const std::string &script, const QJSValueList &arguments,
                         Callback<json::Value> done)
{
    const std::uint32_t call = ++m_lastCall;
    m_pending[call] = {kind, script, std::move(done), std::chrono::steady_clock::now() + m_options.answerLimit};
    QJSValueList all{QJSValue(call)};
    all += arguments;
    const Reply reply = invoke(kind, script, all);
    if (!reply.problem.empty())
        failPending(call, reply.problem);
}

void ScriptEngine::answered(std::uint32_t call, bool succeeded, const std::string &text)
{
    if (!succeeded)
        return failPending(call, text);
    auto parsed = json::parse(text);
    if (const auto *error = std::get_if<json::ParseError>(&parsed))
        return failPending(call, "the answer is no JSON that can be sent: " + error->message);
    auto pending = m_pending.extract(call);
    if (!pending.empty())
        pending.mapped().done(std::get<json::Value>(std::move(parsed)));
}

void ScriptEngine::failPending(std::uint32_t call, const std::string &problem)
{
    auto pending = m_pending.extract(call);
    if (!pending.empty())
        pending.mapped().done(failure(pending.mapped().kind, pending.mapped().script, problem));
}

ScriptOutcome<Nanoseconds> ScriptEngine::wait(const std::string &script)
{
    const Reply reply = invoke(Wait, script, {});
    if (!reply.problem.empty())
        return failure(Wait, script, reply.problem);
    const double milliseconds = reply.value.toNumber();
    const bool sane = std::isfinite(milliseconds) && milliseconds > 0 && milliseconds <= longestWait_ms;
    return std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double, std::milli>(sane ? milliseconds : 0));
}

ScriptOutcome<json::Value> ScriptEngine::generatePredicates(const std::string &script, const json::Value &request)
{
    const Reply reply = invoke(Generate, script, {text(request)});
    if (!reply.problem.empty())
        return failure(Generate, script, reply.problem);
    auto parsed = json::parse(reply.value.toString().toStdString());
    if (const auto *error = std::get_if<json::ParseError>(&parsed))
        return failure(Generate, script, error->message);
    return std::get<json::Value>(std::move(parsed));
}

ScriptOutcome<bool> ScriptEngine::isEndOfRequest(const std::string &script, const std::string &data, bool binary)
{
    const QByteArray bytes(data.data(), static_cast<qsizetype>(data.size()));
    const QJSValue given = binary ? m_environment.engine().toScriptValue(bytes) : QJSValue(toQString(data));
    const Reply reply = invoke(Resolve, script, {given, QJSValue(binary)});
    if (!reply.problem.empty())
        return failure(Resolve, script, reply.problem);
    return reply.value.toBool();
}

TimePoint ScriptEngine::nextDue() const
{
    TimePoint due = m_environment.nextTimer();
    for (const auto &[call, pending] : m_pending)
        due = std::min(due, pending.giveUp);
    return due;
}

void ScriptEngine::runDue()
{
    const TimePoint now = std::chrono::steady_clock::now();
    while (const int timer = m_environment.takeDueTimer(now)) {
        const auto called = m_environment.call(m_calls.property(QStringLiteral("fire")), {QJSValue(timer)});
        const std::uint32_t owner = called.timedOut || called.value.isError()
                                        ? m_environment.tools().property(QStringLiteral("owner")).call().toUInt()
                                        : called.value.property(2).toUInt();
        if (called.timedOut)
            failPending(owner, "the script " + m_environment.timeLimitWords());
        else if (!called.value.property(0).toBool())
            failPending(owner, called.value.property(1).toString().toStdString());
    }
    std::vector<std::uint32_t> overdue;
    for (const auto &[call, pending] : m_pending) {
        if (pending.giveUp <= now)
            overdue.push_back(call);
    }
    for (const std::uint32_t call : overdue)
        failPending(call, "the script neither returned a response nor called callback within " +
                              displayDuration(m_options.answerLimit));
}

ScriptFailure ScriptEngine::failure(Kind kind, const std::string &script, const std::string &problem)
{
    ScriptFailure failure{interfaces[kind].error, kind == Wait ? script : sourceOf(kind, script), problem};
    if (m_options.log) {
        m_options.log(ScriptLogLevel::Error, "injection X=> " + problem);
        m_options.log(ScriptLogLevel::Error, "    full source: " + json::quoted(failure.source));
    }
    return failure;
}

QJSValue ScriptEngine::text(const json::Value &value)
{
    if (!value.node() || !value.sameNode(m_lastValue)) {
        m_lastText = QJSValue(toQString(json::writeCompact(value)));
        m_lastValue = value;
    }
    return m_lastText;
}

} // namespace wardbench
