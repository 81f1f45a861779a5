#pragma once

#include "cli/command.h"

namespace wardbench::cli {

/// `wardbench new`: writes a shipped workspace to a file that does not exist yet.
class NewCommand final : public Command
{
public:
    QString name() const override;
    QString help() const override;
    int execute(const QStringList &arguments, const Streams &streams) override;
};

} // namespace wardbench::cli
