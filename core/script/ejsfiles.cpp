#include "script/ejsfiles.h"

#include "script/ejstemplate.h"
#include "script/environment.h"
#include "script/scriptcheck.h"
#include "json/writer.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace wardbench {
namespace {

const QString wordsMember = QStringLiteral("ejs");

/// What is around a template's statements, on one line before them.
QString wrapped(const QString &path, const QString &statements)
{
    const QString name = toQString(json::quoted(path.toStdString()));
    return QStringLiteral(
               "var __file = %1, __output = ''; function __append(text) { if (text !== undefined && text !== "
               "null) __output += text; } try { with (locals || {}) {\n%2} return __output; } catch (__error) { "
               "throw __located(__error, __file); }")
        .arg(name, statements);
}

} // namespace

QString EjsFiles::beside(const QString &name, const QString &base)
{
    return QDir::cleanPath(QFileInfo(base).absoluteDir().filePath(name));
}

QString EjsFiles::resolve(const QString &name, const QString &base)
{
    const QString path = beside(name, base);
    return QFileInfo(path).suffix().isEmpty() ? path + QStringLiteral(".ejs") : path;
}

QJSValue EjsFiles::compiled(const QString &path)
{
    if (const auto known = m_files.find(path); known != m_files.end())
        return known->second.function;
    QFile source(path);
    if (!source.open(QIODevice::ReadOnly))
        return failed(QStringLiteral("cannot read %1: %2").arg(path, source.errorString()));
    const Result<EjsTemplate> made = EjsTemplate::compile(source.readAll().toStdString());
    if (!made)
        return failed(path + QStringLiteral(": ") + toQString(made.error().message));
    File file{toQString(made->statements), made->lines, {}};
    if (const Result<void> checked = checkScript(made->statements); !checked) {
        // "line N, column N: what": the column is of the statements, which are no one else's concern
        const QString message = toQString(checked.error().message);
        const int line = message.section(u',', 0, 0).section(u' ', 1).toInt();
        return failed(path + QStringLiteral(": ") + lineWords(file, line) + message.mid(message.indexOf(u':')));
    }
    const QString program = QStringLiteral("(function (locals, escapeFn, include, __include, __located) { ") +
                            wrapped(path, file.statements) + QStringLiteral(" })");
    const QJSValue function = m_environment.engine().evaluate(program, path, 0); // the first line is ours
    if (function.isError())
        return failed(path + QStringLiteral(": ") +
                      lineWords(file, function.property(QStringLiteral("lineNumber")).toInt()) + QStringLiteral(": ") +
                      function.property(QStringLiteral("message")).toString());
    file.function = function;
    return m_files.emplace(path, std::move(file)).first->second.function;
}

QString EjsFiles::inlined(const QString &path)
{
    return QStringLiteral("(function () { ") + wrapped(path, m_files.at(path).statements) +
           QStringLiteral(" }).call(this)");
}

QJSValue EjsFiles::located(const QJSValue &error, const QString &path)
{
    const auto file = m_files.find(path);
    if (error.property(wordsMember).isString() || file == m_files.end())
        return error;
    const bool isError = error.isError();
    QJSValue thrown = isError ? error : m_environment.engine().newErrorObject(QJSValue::GenericError, error.toString());
    QString place = path;
    const QString source = error.property(QStringLiteral("fileName")).toString();
    int line = isError ? error.property(QStringLiteral("lineNumber")).toInt() : 0;
    if (source == QLatin1String("eval code")) // `inlined`, which begins with a line of ours that counts
        --line;
    else if (source != path && source != QLatin1String("file://") + path)
        line = 0;
    if (line > 0)
        place += QStringLiteral(": ") + lineWords(file->second, line);
    thrown.setProperty(wordsMember, place + QStringLiteral(": ") + error.toString());
    return thrown;
}

QString EjsFiles::lineWords(const File &file, int line) const
{
    if (file.lines.empty())
        return QStringLiteral("line 1");
    const std::size_t place = std::min(static_cast<std::size_t>(std::max(line, 1)), file.lines.size());
    return QStringLiteral("line %1").arg(file.lines[place - 1]);
}

QJSValue EjsFiles::failed(const QString &message)
{
    QJSValue error = m_environment.engine().newErrorObject(QJSValue::GenericError, message);
    error.setProperty(wordsMember, message);
    m_environment.engine().throwError(error);
    return {};
}

} // namespace wardbench
