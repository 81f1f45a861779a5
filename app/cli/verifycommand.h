#pragma once

#include "cli/command.h"

namespace wardbench::cli {

/// `wardbench verify`: asks each stub of the files its own question.
class VerifyCommand final : public Command
{
public:
    QString name() const override;
    QString help() const override;
    int execute(const QStringList &arguments, const Streams &streams) override;
};

} // namespace wardbench::cli
