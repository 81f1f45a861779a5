#pragma once

#include "cli/command.h"

namespace wardbench::cli {

/// `wardbench export`: a chart, its data, a report or the figures in another tool's form, from a run file. Pictures need
/// the build with the window (exportchart.h); everything else works in every build.
class ExportCommand final : public Command
{
public:
    QString name() const override;
    QString help() const override;
    int execute(const QStringList &arguments, const Streams &streams) override;
};

} // namespace wardbench::cli
