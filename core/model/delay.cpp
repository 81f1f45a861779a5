#include "model/delay.h"

#include <algorithm>
#include <cmath>

namespace wardbench {
namespace {

constexpr int redraws = 10;
constexpr double longestMs = 9.2e12; // what a Nanoseconds can hold

Nanoseconds fromMilliseconds(double ms)
{
    return Nanoseconds(std::llround(std::clamp(ms, 0.0, longestMs) * 1e6));
}

} // namespace

Nanoseconds Delay::draw(const RandomStream &stream, std::uint64_t k, std::uint64_t lane) const
{
    switch (kind) {
    case Kind::Fixed:
        return fromMilliseconds(milliseconds);
    case Kind::Uniform:
        return Nanoseconds(stream.integer(k, fromMilliseconds(lower).count(), fromMilliseconds(upper).count(), lane));
    case Kind::Normal:
    case Kind::Lognormal:
        break;
    case Kind::None:
    case Kind::Script:
        return Nanoseconds(0);
    }
    // Each redraw has a lane of its own: the value stays a function of (k, lane) alone.
    double value = 0;
    for (int attempt = 0; attempt <= redraws; ++attempt) {
        const double normal = stream.normal(k, lane * 16 + static_cast<std::uint64_t>(attempt));
        value = kind == Kind::Normal ? center + spread * normal : median * std::exp(sigma * normal);
        if (maxValue <= 0 || value <= maxValue)
            return fromMilliseconds(value);
    }
    return fromMilliseconds(std::min(value, maxValue));
}

Nanoseconds Delay::mean() const
{
    switch (kind) {
    case Kind::Fixed:
        return fromMilliseconds(milliseconds);
    case Kind::Uniform:
        return fromMilliseconds((lower + upper) / 2);
    case Kind::Normal: {
        const double capped = maxValue > 0 ? std::min(center, maxValue) : center;
        return fromMilliseconds(capped);
    }
    case Kind::Lognormal: {
        const double unlimited = median * std::exp(sigma * sigma / 2);
        return fromMilliseconds(maxValue > 0 ? std::min(unlimited, maxValue) : unlimited);
    }
    case Kind::None:
    case Kind::Script:
        break;
    }
    return Nanoseconds(0);
}

} // namespace wardbench
