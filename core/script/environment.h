#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <QJSEngine>
#include <QJSValue>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace wardbench {

enum class ScriptLogLevel { Debug, Info, Warning, Error };
using ScriptLog = std::function<void(ScriptLogLevel, const std::string &)>;

class NativeFunctions;

/// A JavaScript engine with what scripts find around them (environment.js, promise.js, buffer.js), and a limit on the
/// time that it runs in one go. Created, used and destroyed on one thread; several on several threads do not meet.
class ScriptEnvironment
{
public:
    struct Options
    {
        Nanoseconds timeLimit = std::chrono::seconds(1);
        ScriptLog log{}; ///< what scripts log; called on the engine's thread
        /// The engine did not stop even when told to. Called once a time, on another thread, while it still runs.
        std::function<void()> stuck{};
        /// What a script answers to a call: its number, whether it is an answer, the answer or words for what failed.
        std::function<void(std::uint32_t call, bool succeeded, const std::string &text)> answer{};
    };

    explicit ScriptEnvironment(Options options);
    ~ScriptEnvironment();
    ScriptEnvironment(const ScriptEnvironment &) = delete;
    ScriptEnvironment &operator=(const ScriptEnvironment &) = delete;

    struct Called
    {
        QJSValue value;
        bool timedOut = false; ///< it was interrupted at the limit; the engine is usable again
    };
    /// Calls a function, and what promises that it settles do then, under the same limit.
    Called call(const QJSValue &function, const QJSValueList &arguments);

    /// The value of `program`, or the words of its syntax error. `name` is for stack traces.
    Result<QJSValue> evaluate(const QString &program, const QString &name);
    /// The value of one of our own files, by its name in the resources; `arguments` are given to the function it is.
    QJSValue load(const char *file, const QJSValueList &arguments);

    QJSEngine &engine() { return m_engine; }
    QJSValue native() const { return m_native; } ///< never to be given to a script
    QJSValue tools() const { return m_tools; }   ///< what environment.js returns
    Nanoseconds timeLimit() const { return m_options.timeLimit; }
    /// "took longer than 1 s, the time limit of scripts".
    std::string timeLimitWords() const;

    /// When the next timer is due; TimePoint::max() without one.
    TimePoint nextTimer() const;
    /// A timer that is due, or 0; it is no longer known then.
    int takeDueTimer(TimePoint now);

    /// Stops what runs, from any thread, for good.
    void interrupt() { m_engine.setInterrupted(true); }

private:
    friend class NativeFunctions;

    Options m_options;
    std::multimap<TimePoint, int> m_timers;
    std::unique_ptr<NativeFunctions> m_functions;
    QJSEngine m_engine;
    QJSValue m_native;
    QJSValue m_tools;
    QJSValue m_drain, m_forget; ///< of what promises are still to do
};

/// "message (line 3)" of an error that the engine reports.
std::string scriptErrorText(const QJSValue &error);

inline QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace wardbench
