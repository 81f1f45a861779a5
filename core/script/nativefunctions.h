#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

namespace wardbench {

class ScriptEnvironment;

/// What our own JavaScript files call; scripts never get hold of it.
class NativeFunctions : public QObject
{
    Q_OBJECT

public:
    explicit NativeFunctions(ScriptEnvironment &environment) : m_environment(environment) {}

    Q_INVOKABLE void log(const QString &level, const QString &text);
    Q_INVOKABLE void later(int timer, double milliseconds);
    Q_INVOKABLE void answer(double call, bool succeeded, const QString &text);
    Q_INVOKABLE QString regexProblem(const QString &pattern, const QString &flags);
    Q_INVOKABLE QString zoneName(double time);
    /// Text to bytes as Node's Buffer does: utf8, hex, base64, base64url, latin1, ascii, utf16le.
    Q_INVOKABLE QByteArray encode(const QString &text, const QString &encoding);
    Q_INVOKABLE QString decode(const QByteArray &bytes, double offset, double length, const QString &encoding);

private:
    ScriptEnvironment &m_environment;
};

} // namespace wardbench
