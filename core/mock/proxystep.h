#pragma once

#include "mock/answerstep.h"

namespace wardbench::mock {

/// Fetches the answer from the upstream (mountebank.md 2.8).
AnswerStepPtr proxyStep(const Proxy &proxy);
/// Keeps the answer as it is by now, after the behaviors; done once it is live. Null for a transparent proxy.
AnswerStepPtr recordStep(const Proxy &proxy);

} // namespace wardbench::mock
