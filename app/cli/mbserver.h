#pragma once

#include "cli/command.h"
#include "cli/mboptions.h"

namespace wardbench::cli {

/// `mb start`: serves until SIGINT or SIGTERM. Returns the exit code.
int runMbServer(const MbOptions &options, const Streams &streams);

} // namespace wardbench::cli
