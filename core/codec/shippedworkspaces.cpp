#include "codec/shippedworkspaces.h"

#include "base/nearestname.h"

#include <QFile>
#include <QString>

#include <algorithm>

// A static library's resources are not registered by themselves, and the macro wants to stand outside of a namespace.
static void registerWorkspaces()
{
    Q_INIT_RESOURCE(resources);
}

namespace wardbench::codec {

const std::vector<std::string> &shippedWorkspaceNames()
{
    static const std::vector<std::string> names{"demo", "warden-benchmarks", "mountebank-load", "warden-modules"};
    return names;
}

Result<std::string> shippedWorkspace(std::string_view name)
{
    const std::vector<std::string> &names = shippedWorkspaceNames();
    if (std::find(names.begin(), names.end(), name) == names.end())
        return fail("there is no shipped workspace \"" + std::string(name) +
                        "\"; expected demo, warden-benchmarks, mountebank-load or warden-modules" +
                        suggestion(name, names),
                    Error::Code::NotFound);
    registerWorkspaces();
    QFile file(QStringLiteral(":/workspaces/%1.wardbench")
                   .arg(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))));
    if (!file.open(QIODevice::ReadOnly))
        return fail("the workspace \"" + std::string(name) + "\" is missing from this build");
    return file.readAll().toStdString();
}

} // namespace wardbench::codec
