#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "json/value.h"

namespace wardbench {

/// A `wait` or `thinkTime`: fixed, uniform (both ends possible), normal or lognormal, in milliseconds of the file.
struct Delay
{
    enum class Kind { None, Fixed, Uniform, Normal, Lognormal, Script };

    Kind kind = Kind::None;
    double milliseconds = 0;       ///< Fixed
    double lower = 0, upper = 0;   ///< Uniform
    double center = 0, spread = 0; ///< Normal: mean and standard deviation in ms; below 0 counts as 0
    double median = 0, sigma = 0;  ///< Lognormal: median in ms, standard deviation of the underlying normal
    double maxValue =
        0; ///< Normal, Lognormal: cap in ms; 0 is none. Redrawn up to 10 times, then clamped (WireMock's rule).
    std::string script; ///< Script: JavaScript text; runs only where scripts are allowed

    /// Draw `k` of `stream`; `lane` separates several delays of one decision. Never negative.
    Nanoseconds draw(const RandomStream &stream, std::uint64_t k, std::uint64_t lane = 0) const;
    /// Mean, for estimates. Any thread.
    Nanoseconds mean() const;
};

} // namespace wardbench
