#pragma once

#include "support/rawclient.h"
#include "json/parser.h"

#include <QFile>
#include <QProcess>
#include <QStringList>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QtTest>

#include <cstdint>
#include <memory>
#include <string>

namespace wardbench::test {

/// Leaves nothing running behind a test.
struct Ending
{
    void operator()(QProcess *process) const
    {
        if (process->state() != QProcess::NotRunning && !process->waitForFinished(2000)) {
            process->kill();
            process->waitForFinished();
        }
        delete process;
    }
};
using Process = std::unique_ptr<QProcess, Ending>;

/// A folder in which `wardbench mb` is run.
class MbFolder
{
public:
    /// Its path; written when there is content.
    QString file(const char *name, const QByteArray &content = {}) const
    {
        const QString path = m_folder.filePath(QLatin1String(name));
        if (content.isEmpty())
            return path;
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly) || out.write(content) != content.size())
            qFatal("cannot write");
        return path;
    }
    Process spawn(const QStringList &arguments, const QString &program = {}) const
    {
        Process process(new QProcess);
        process->setWorkingDirectory(m_folder.path());
        if (program.isEmpty())
            process->start(QString::fromLocal8Bit(WARDBENCH_BINARY), QStringList{QStringLiteral("mb")} + arguments);
        else
            process->start(program, arguments);
        return process;
    }
    /// Runs to its end; the exit code.
    int run(const QStringList &arguments, QByteArray *out = nullptr, QByteArray *err = nullptr) const
    {
        const auto process = spawn(arguments);
        if (!process->waitForFinished(20'000))
            return -1;
        if (out)
            *out = process->readAllStandardOutput();
        if (err)
            *err = process->readAllStandardError();
        return process->exitCode();
    }
    bool isReady(QProcess &process) const
    {
        const QString pid = file("test.pid");
        for (int i = 0; i < 2000 && !QFile::exists(pid) && process.state() != QProcess::NotRunning; ++i)
            process.waitForFinished(10);
        return QFile::exists(pid);
    }
    /// A running server, ready.
    Process server(const QString &port, const QStringList &more = {}) const
    {
        auto process =
            spawn(QStringList{QStringLiteral("restart"), QStringLiteral("--port"), port, QStringLiteral("--pidfile"),
                              QStringLiteral("test.pid"), QStringLiteral("--logfile"), QStringLiteral("mb-test.log")} +
                  more);
        while (isReady(*process) && pidIn(file("test.pid")) != process->processId()) // the one before goes first
            process->waitForFinished(10);
        if (process->state() == QProcess::NotRunning)
            qWarning("not ready: %s", process->readAllStandardError().constData());
        return process;
    }
    int stop() const { return run({QStringLiteral("stop"), QStringLiteral("--pidfile"), QStringLiteral("test.pid")}); }

    static qint64 pidIn(const QString &path)
    {
        QFile pid(path);
        return pid.open(QIODevice::ReadOnly) ? pid.readAll().toLongLong() : 0;
    }
    static QString freePort()
    {
        QTcpServer server;
        return server.listen(QHostAddress::LocalHost) ? QString::number(server.serverPort()) : QString();
    }

private:
    QTemporaryDir m_folder;
};

inline json::Value parsed(const std::string &text)
{
    const auto result = json::parse(text);
    const auto *value = std::get_if<json::Value>(&result);
    return value ? *value : json::Value();
}

/// The whole answer of a request to a port of this machine.
inline std::string answerOf(const QString &port, const std::string &method, const std::string &path,
                            const std::string &body = {})
{
    const std::string request = method + ' ' + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
                                (body.empty() ? "" : "Content-Length: " + std::to_string(body.size()) + "\r\n") +
                                "\r\n" + body;
    return roundTrip(static_cast<std::uint16_t>(port.toUInt()), request);
}

/// The JSON of an answer; null when there is none.
inline json::Value call(const QString &port, const std::string &method, const std::string &path,
                        const std::string &body = {})
{
    return parsed(bodyOf(answerOf(port, method, path, body)));
}

} // namespace wardbench::test
