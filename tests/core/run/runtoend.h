#pragma once

#include "run/runsession.h"

namespace wardbench::test {

/// The result of a run, once it is over.
inline Result<RunResult> runToEnd(RunRequest request)
{
    RunSession session(std::move(request));
    session.start();
    session.wait();
    return session.result();
}

} // namespace wardbench::test
