#include "script/ejs.h"

#include "script/ejsfiles.h"
#include "script/environment.h"

#include <QFileInfo>

namespace wardbench {

Result<std::string> renderEjs(const std::string &path)
{
    ScriptEnvironment::Options options;
    options.timeLimit = std::chrono::seconds(10);
    ScriptEnvironment environment(std::move(options));
    EjsFiles files(environment);
    QJSEngine::setObjectOwnership(&files, QJSEngine::CppOwnership);
    const QJSValue tools = environment.tools();
    const QJSValue render = environment.load(
        "ejs.js", {environment.engine().newQObject(&files), tools.property(QStringLiteral("stringify"))});
    const QString root = QFileInfo(toQString(path)).absoluteFilePath();
    const ScriptEnvironment::Called called = environment.call(render, {QJSValue(root)});
    if (called.timedOut)
        return fail(path + ": rendering " + environment.timeLimitWords(), Error::Code::BadInput);
    const std::string text = called.value.property(1).toString().toStdString();
    if (!called.value.property(0).toBool())
        return fail(text, Error::Code::BadInput);
    return text;
}

} // namespace wardbench
