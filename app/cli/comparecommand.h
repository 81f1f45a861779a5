#pragma once

#include "cli/command.h"

namespace wardbench::cli {

/// `wardbench compare`: saved runs against the first of them, by the unpaired method (docs/STATISTICS.md).
class CompareCommand final : public Command
{
public:
    QString name() const override;
    QString help() const override;
    int execute(const QStringList &arguments, const Streams &streams) override;
};

} // namespace wardbench::cli
