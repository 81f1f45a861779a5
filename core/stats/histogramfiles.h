#pragma once

#include "stats/histogram.h"

namespace wardbench {

/// HdrHistogram's percentile text, `.hgrm` (reference/loadtools.md 3.4), byte for byte as its Java original writes it:
/// values are highest equivalents, divided by `scale` (1e6: nanoseconds become milliseconds).
std::string encodeHgrm(const Histogram &histogram, double scale = 1e6, int ticksPerHalfDistance = 5);
/// Counts at the printed values; what stands between two lines lies at the upper one. Also takes the C port's form
/// (wrk2) and the comma-separated one. Errors say the line and what was expected.
Result<Histogram> decodeHgrm(std::string_view text, double scale = 1e6);
/// Whether a text begins like one.
bool looksLikeHgrm(std::string_view text);

/// HdrHistogram's interval log, `.hlog` (3.5).
struct HistogramLog
{
    struct Interval
    {
        std::string tag;                  ///< no comma, blank or line break; encodeHlog writes `_` for them
        double start_s = 0, length_s = 0; ///< from the log's start
        Histogram histogram{};
    };

    double start_s = 0; ///< since the epoch
    std::vector<Interval> intervals;
};

/// In version 1.3 with V2 histograms; maxima in milliseconds of nanoseconds, as the Java original has them.
std::string encodeHlog(const HistogramLog &log);
/// Errors say the line and what was expected. Histograms of the versions 0 and 1 are refused by name.
Result<HistogramLog> decodeHlog(std::string_view text);
bool looksLikeHlog(std::string_view text);

} // namespace wardbench
