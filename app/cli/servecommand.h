#pragma once

#include "cli/command.h"

namespace wardbench::cli {

/// `wardbench serve`: the mocks of files, until a signal (command-line.md).
class ServeCommand final : public Command
{
public:
    QString name() const override;
    QString help() const override;
    int execute(const QStringList &arguments, const Streams &streams) override;
};

} // namespace wardbench::cli
