#pragma once

#include <QList>
#include <QString>

namespace wardbench::charts {

struct Tick
{
    double value = 0;
    QString label; ///< empty: a minor tick
};

/// A linear axis from 0 with ticks on 1-2-5 steps (reference/ux.md C-22). Its end is a whole step, so that the limit of
/// a live chart grows in steps and does not jitter (C-29).
struct LinearAxis
{
    double end = 1, step = 0.2;
    QList<Tick> ticks;
};

LinearAxis linearAxis(double largest, int mostSteps);

/// Ticks at the multiples of `step`.
QList<Tick> ticksBetween(double start, double end, double step);

/// Ticks of a percentile axis, x = log10(1 / (1 - p)): a label at 0 %, 50 %, 90 %, 99 %, ..., minor ticks between;
/// `fine`: these have labels, too.
QList<Tick> percentileTicks(double end, bool fine = false);

} // namespace wardbench::charts
