#pragma once

#include <QJSValue>
#include <QObject>
#include <QString>

#include <map>
#include <vector>

namespace wardbench {

class ScriptEnvironment;

/// The files of one rendering, as functions; called by ejs.js. What goes wrong is thrown into JavaScript, with the
/// words for the user in the error's member `ejs`.
class EjsFiles : public QObject
{
    Q_OBJECT

public:
    explicit EjsFiles(ScriptEnvironment &environment) : m_environment(environment) {}

    Q_INVOKABLE QString resolve(const QString &name,
                                const QString &base); ///< an include's file: ".ejs" when it has no suffix
    Q_INVOKABLE QString beside(const QString &name, const QString &base);
    Q_INVOKABLE QJSValue compiled(const QString &path); ///< (locals, escapeFn, include, __include, __located)
    Q_INVOKABLE QString inlined(const QString &path);   ///< source text for eval, of a file that was compiled
    /// `error`, with file and line unless it has them already.
    Q_INVOKABLE QJSValue located(const QJSValue &error, const QString &path);

private:
    struct File
    {
        QString statements;
        std::vector<std::size_t> lines;
        QJSValue function;
    };

    QJSValue failed(const QString &message);
    QString lineWords(const File &file, int line) const;

    ScriptEnvironment &m_environment;
    std::map<QString, File> m_files;
};

} // namespace wardbench
