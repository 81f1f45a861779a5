#pragma once

#include "cli/command.h"

namespace wardbench::cli {

/// `wardbench run`: scenarios of a workspace against private copies of its mocks (command-line.md).
class RunCommand final : public Command
{
public:
    QString name() const override;
    QString help() const override;
    int execute(const QStringList &arguments, const Streams &streams) override;
};

} // namespace wardbench::cli
