#include "script/environment.h"

#include "base/duration.h"
#include "script/nativefunctions.h"
#include "script/watchdog.h"

#include <QFile>
#include <QProcessEnvironment>

// A static library's resources are not registered by themselves, and the macro wants to stand outside of a namespace.
static void registerScripts()
{
    Q_INIT_RESOURCE(environment);
}

namespace wardbench {
namespace {

/// How long an engine may take to stop once it is told to.
constexpr Nanoseconds grace = std::chrono::milliseconds(300);

/// Holds an engine to its limit for as long as it lives.
class TimeLimit
{
public:
    TimeLimit(QJSEngine &engine, Nanoseconds limit, const std::function<void()> &stuck) : m_engine(engine)
    {
        const TimePoint deadline = std::chrono::steady_clock::now() + limit;
        m_limit = Watchdog::instance().watch(deadline, [&engine] { engine.setInterrupted(true); });
        m_grace = Watchdog::instance().watch(deadline + grace, [&stuck] {
            if (stuck)
                stuck();
        });
    }
    ~TimeLimit() { end(); }
    TimeLimit(const TimeLimit &) = delete;
    TimeLimit &operator=(const TimeLimit &) = delete;

    /// Whether the engine was interrupted.
    bool end()
    {
        if (!m_ended) {
            m_ended = true;
            Watchdog::instance().release(m_grace);
            m_interrupted = !Watchdog::instance().release(m_limit);
            if (m_interrupted)
                m_engine.setInterrupted(false);
        }
        return m_interrupted;
    }

private:
    QJSEngine &m_engine;
    Watchdog::Id m_limit = 0, m_grace = 0;
    bool m_ended = false, m_interrupted = false;
};

} // namespace

ScriptEnvironment::ScriptEnvironment(Options options)
    : m_options(std::move(options)), m_functions(std::make_unique<NativeFunctions>(*this))
{
    registerScripts();
    QJSEngine::setObjectOwnership(m_functions.get(), QJSEngine::CppOwnership);
    m_native = m_engine.newQObject(m_functions.get());
    QJSValue variables = m_engine.newObject();
    const QProcessEnvironment system = QProcessEnvironment::systemEnvironment();
    for (const QString &name : system.keys())
        variables.setProperty(name, system.value(name));
    m_tools = load("environment.js", {m_engine.globalObject(), m_native, variables});
    const QJSValue define = m_tools.property(QStringLiteral("define"));
    const QJSValue promises = load("promise.js", {m_engine.globalObject(), define});
    m_drain = promises.property(QStringLiteral("drain"));
    m_forget = promises.property(QStringLiteral("forget"));
    load("buffer.js", {m_engine.globalObject(), m_native, define});
    // Leftovers of QML, of no use without it.
    for (const char *name : {"URL", "URLSearchParams"})
        m_engine.globalObject().deleteProperty(QString::fromLatin1(name));
}

ScriptEnvironment::~ScriptEnvironment() = default;

ScriptEnvironment::Called ScriptEnvironment::call(const QJSValue &function, const QJSValueList &arguments)
{
    TimeLimit limit(m_engine, m_options.timeLimit, m_options.stuck);
    Called called{function.call(arguments), false};
    m_drain.call();
    called.timedOut = limit.end();
    if (called.timedOut)
        m_forget.call();
    return called;
}

Result<QJSValue> ScriptEnvironment::evaluate(const QString &program, const QString &name)
{
    const QJSValue value = m_engine.evaluate(program, name, 1);
    if (value.isError())
        return fail(scriptErrorText(value), Error::Code::BadInput);
    return value;
}

QJSValue ScriptEnvironment::load(const char *file, const QJSValueList &arguments)
{
    QFile resource(QLatin1String(":/script/") + QLatin1String(file));
    const bool there = resource.open(QIODevice::ReadOnly);
    Q_ASSERT(there);
    const QJSValue made =
        m_engine.evaluate(there ? QString::fromUtf8(resource.readAll()) : QString(), QString::fromLatin1(file), 1)
            .call(arguments);
    if (made.isError())
        qFatal("%s: %s", file,
               qPrintable(made.toString() + QLatin1String(" at line ") +
                          made.property(QStringLiteral("lineNumber")).toString()));
    return made;
}

std::string ScriptEnvironment::timeLimitWords() const
{
    return "took longer than " + displayDuration(m_options.timeLimit) + ", the time limit of scripts";
}

TimePoint ScriptEnvironment::nextTimer() const
{
    return m_timers.empty() ? TimePoint::max() : m_timers.begin()->first;
}

int ScriptEnvironment::takeDueTimer(TimePoint now)
{
    if (m_timers.empty() || m_timers.begin()->first > now)
        return 0;
    return m_timers.extract(m_timers.begin()).mapped();
}

std::string scriptErrorText(const QJSValue &error)
{
    const QJSValue message = error.property(QStringLiteral("message"));
    std::string text = (message.isUndefined() ? error.toString() : message.toString()).toStdString();
    const QJSValue line = error.property(QStringLiteral("lineNumber"));
    if (line.isNumber())
        text += " (line " + std::to_string(line.toInt()) + ")";
    return text;
}

} // namespace wardbench
