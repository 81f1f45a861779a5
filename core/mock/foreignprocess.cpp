#include "mock/foreignprocess.h"

#include "json/parser.h"
#include "json/writer.h"

#include <QProcess>

#include <array>
#include <future>

namespace wardbench::mock {
namespace {

constexpr int timeToStart = 10'000, timeToEnd = 2'000, look = 50; ///< ms
constexpr qsizetype longestLine = 1 << 20;                        ///< the rest is another line

} // namespace

/// Watches over the process, on a thread of its own.
class ForeignProcess::Run
{
public:
    using Ready = std::promise<Result<json::Value>>;

    Run(const std::atomic<bool> &ending, std::string protocol, const std::string &command, ScriptLog log, Ready ready)
        : m_ending(ending), m_protocol(std::move(protocol)), m_command(QString::fromStdString(command)),
          m_log(std::move(log)), m_ready(std::move(ready))
    {
    }

    void run(const QString &argument)
    {
        QStringList words = m_command.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        m_process.setStandardInputFile(QProcess::nullDevice());
        const QString program = words.isEmpty() ? QString() : words.takeFirst();
        m_process.start(program, words << argument);
        if (!m_process.waitForStarted(timeToStart))
            return answer(fail("Invalid configuration for protocol \"" + m_protocol + "\": cannot run \"" +
                                   m_command.toStdString() + '"',
                               Error::Code::BadInput));
        while (!m_ending && m_process.state() != QProcess::NotRunning) {
            m_process.waitForReadyRead(look);
            read();
        }
        end();
    }

private:
    void read()
    {
        for (const QByteArray &line : m_process.readAllStandardError().split('\n'))
            log(ScriptLogLevel::Error, line.trimmed());
        m_input += m_process.readAllStandardOutput();
        for (qsizetype end = m_input.indexOf('\n'); end >= 0 || m_input.size() > longestLine;
             end = m_input.indexOf('\n')) {
            take(m_input.left(end < 0 ? longestLine : end).trimmed());
            m_input.remove(0, end < 0 ? longestLine : end + 1);
        }
    }

    void take(const QByteArray &line)
    {
        if (m_pending) {
            json::ParseResult parsed = json::parse(line.toStdString());
            const auto *value = std::get_if<json::Value>(&parsed);
            answer(value && value->isObject() ? *value : json::Value::object());
        }
        const qsizetype blank = line.indexOf(' ');
        const std::array<std::pair<QByteArrayView, ScriptLogLevel>, 4> levels{
            std::pair{QByteArrayView("debug"), ScriptLogLevel::Debug},
            {"info", ScriptLogLevel::Info},
            {"warn", ScriptLogLevel::Warning},
            {"error", ScriptLogLevel::Error}};
        for (const auto &[name, level] : levels) {
            if (blank > 0 && QByteArrayView(line).first(blank) == name)
                log(level, line.mid(blank).trimmed());
        }
    }

    void end()
    {
        if (m_ending) {
            m_process.terminate();
            if (!m_process.waitForFinished(timeToEnd)) {
                m_process.kill();
                m_process.waitForFinished();
            }
        }
        read();
        if (m_pending && !m_input.isEmpty())
            take(m_input.trimmed()); // a last line without an end
        if (m_pending)
            answer(fail('"' + m_protocol + "\" start command failed (exit code " +
                            std::to_string(m_process.exitCode()) + ')',
                        Error::Code::BadInput));
        else if (!m_ending)
            log(ScriptLogLevel::Error, "Uh oh! I've crashed! Expect subsequent requests to fail.");
    }

    void answer(Result<json::Value> result)
    {
        m_pending = false;
        m_ready.set_value(std::move(result));
    }

    void log(ScriptLogLevel level, const QByteArray &text)
    {
        if (m_log && !text.isEmpty())
            m_log(level, text.toStdString());
    }

    const std::atomic<bool> &m_ending;
    const std::string m_protocol;
    const QString m_command;
    const ScriptLog m_log;
    Ready m_ready;
    bool m_pending = true;
    QProcess m_process;
    QByteArray m_input;
};

Result<std::unique_ptr<ForeignProcess>> ForeignProcess::start(const std::string &protocol, const std::string &command,
                                                              const json::Value &argument, ScriptLog log)
{
    std::unique_ptr<ForeignProcess> made(new ForeignProcess);
    Run::Ready promise;
    std::future<Result<json::Value>> ready = promise.get_future();
    made->m_thread =
        std::thread([&ending = made->m_ending, protocol, command, log = std::move(log), promise = std::move(promise),
                     text = QString::fromStdString(json::writeCompact(argument))]() mutable {
            Run(ending, protocol, command, std::move(log), std::move(promise)).run(text);
        });
    if (ready.wait_for(std::chrono::milliseconds(timeToStart)) != std::future_status::ready)
        return fail('"' + protocol + "\" start command failed: \"" + command + "\" wrote no line within 10 s",
                    Error::Code::BadInput);
    Result<json::Value> metadata = ready.get();
    if (!metadata)
        return metadata.error();
    made->m_metadata = std::move(*metadata);
    return made;
}

ForeignProcess::~ForeignProcess()
{
    m_ending = true;
    m_thread.join();
}

} // namespace wardbench::mock
