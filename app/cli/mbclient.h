#pragma once

#include "cli/command.h"
#include "cli/mboptions.h"

namespace wardbench::cli {

/// `mb save`: what the running server has goes to `--savefile`. Returns the exit code.
int runMbSave(const MbOptions &options, const Streams &streams);
/// `mb replay`: the running server's imposters go on without their proxies. Returns the exit code.
int runMbReplay(const MbOptions &options, const Streams &streams);

} // namespace wardbench::cli
