#pragma once

#include "support/rawclient.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStringList>

#include <cstdint>
#include <signal.h>
#include <string>

namespace wardbench::test {

constexpr int patience = 20'000; ///< ms

/// A `wardbench serve` of its own process.
class Serve
{
public:
    explicit Serve(const QStringList &arguments, const QByteArray &input = {}, const QStringList &before = {})
    {
        QStringList all = before;
        all << QString::fromLocal8Bit(WARDBENCH_BINARY) << QStringLiteral("serve");
        all += arguments;
        m_process.start(all.takeFirst(), all);
        m_process.write(input);
        m_process.closeWriteChannel();
    }
    ~Serve()
    {
        m_process.kill();
        m_process.waitForFinished(patience);
    }

    /// The next line of standard output; empty when none comes.
    QByteArray line()
    {
        while (!m_process.canReadLine() && m_process.waitForReadyRead(patience)) {
        }
        return m_process.readLine().trimmed();
    }
    /// Port of the next ready line, which must be of this mock.
    std::uint16_t ready(const char *name)
    {
        const QByteArray text = line();
        const QRegularExpression form(QStringLiteral("^ready http://127\\.0\\.0\\.1:(\\d+) (.*)$"));
        const auto match = form.match(QString::fromUtf8(text));
        if (!match.hasMatch() || match.captured(2) != QLatin1String(name)) {
            m_process.waitForReadyRead(100);
            qWarning("not the ready line of %s: %s; %s", name, text.constData(),
                     m_process.readAllStandardError().constData());
            return 0;
        }
        return match.captured(1).toUShort();
    }
    /// Waits until standard error holds `text`; gives all of it.
    QByteArray messages(const QByteArray &text)
    {
        m_process.setReadChannel(QProcess::StandardError);
        m_messages += m_process.readAllStandardError();
        while (!m_messages.contains(text) && m_process.waitForReadyRead(patience))
            m_messages += m_process.readAllStandardError();
        m_process.setReadChannel(QProcess::StandardOutput);
        return m_messages;
    }
    void forgetMessages() { m_messages.clear(); }
    void signal(int number) { ::kill(static_cast<pid_t>(m_process.processId()), number); }
    /// Exit code; -1 when it was killed or does not end.
    int end()
    {
        const bool ended = m_process.state() == QProcess::NotRunning || m_process.waitForFinished(patience);
        return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    QByteArray output() { return m_process.readAllStandardOutput(); }
    QByteArray allMessages() { return m_messages += m_process.readAllStandardError(); }

private:
    QProcess m_process;
    QByteArray m_messages;
};

inline std::string mountebank(const std::string &name, const std::string &body, const std::string &members = {})
{
    return R"({"protocol":"http","keepAlive":true,"name":")" + name + '"' + members +
           R"(,"stubs":[{"responses":[{"is":{"body":")" + body + R"("}}]}]})";
}

inline std::string imposters(const std::string &list)
{
    return R"({"imposters":[)" + list + "]}";
}

inline std::string ask(RawClient &client)
{
    client.send(get("/"));
    return bodyOf(client.readResponse());
}

} // namespace wardbench::test
