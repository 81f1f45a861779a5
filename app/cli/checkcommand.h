#pragma once

#include "cli/command.h"

namespace wardbench::cli {

/// `wardbench check`: every issue of workspaces and mountebank files, with its place.
class CheckCommand final : public Command
{
public:
    QString name() const override;
    QString help() const override;
    int execute(const QStringList &arguments, const Streams &streams) override;
};

} // namespace wardbench::cli
