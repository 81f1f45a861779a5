#include "base/clock.h"

namespace wardbench {

SteadyClock &SteadyClock::instance()
{
    static SteadyClock clock;
    return clock;
}

} // namespace wardbench
