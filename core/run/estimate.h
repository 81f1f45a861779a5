#pragma once

#include "run/runplan.h"

namespace wardbench {

/// Expected time of one repetition of one contestant, warm-up included: waves of the answering stub's mean delay and
/// the think time, or what a Qt client can send at most. Modules are not foreseen: the bare client's time.
Nanoseconds repetitionEstimate(const Scenario &scenario, const RunTarget &target);

/// Mean delay of the stub that would answer the scenario's first request; 0 for servers outside and unmatched ones.
Nanoseconds answerDelay(const Scenario &scenario, const RunTarget &target);

/// Width of the time bins of a phase: 1 s, finer for short ones, at least a 600th of long ones.
Nanoseconds timeBinWidth(Nanoseconds expectedPhase);

} // namespace wardbench
