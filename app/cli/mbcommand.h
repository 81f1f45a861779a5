#pragma once

#include "cli/command.h"

namespace wardbench::cli {

/// mountebank's own command line, for programs and habits that start `mb`.
class MbCommand final : public Command
{
public:
    QString name() const override;
    QString help() const override;
    int execute(const QStringList &arguments, const Streams &streams) override;
};

} // namespace wardbench::cli
