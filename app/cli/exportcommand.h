#pragma once

#include "cli/command.h"

namespace wardbench::cli {

/// `wardbench export`: a chart, its data or the whole run, from a run file. Pictures need the build with the window
/// (exportchart.h); CSV and JSON work in every build.
class ExportCommand final : public Command
{
public:
    QString name() const override;
    QString help() const override;
    int execute(const QStringList &arguments, const Streams &streams) override;
};

} // namespace wardbench::cli
