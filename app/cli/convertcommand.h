#pragma once

#include "cli/command.h"

namespace wardbench::cli {

/// `wardbench convert`: a workspace to a mountebank imposters file and back.
class ConvertCommand final : public Command
{
public:
    QString name() const override;
    QString help() const override;
    int execute(const QStringList &arguments, const Streams &streams) override;
};

} // namespace wardbench::cli
