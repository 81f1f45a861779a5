#include "charts/chartaxis.h"

#include "report/chartdata.h"

#include <algorithm>
#include <cmath>

namespace wardbench::charts {

namespace {

double niceStep(double rough)
{
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (rough <= factor * power * (1 + 1e-9))
            return factor * power;
    return 10 * power;
}

} // namespace

LinearAxis linearAxis(double largest, int mostSteps)
{
    LinearAxis axis;
    if (!(largest > 0) || !std::isfinite(largest))
        largest = 1;
    axis.step = niceStep(largest / std::max(1, mostSteps));
    const int steps = std::max(1, static_cast<int>(std::ceil(largest / axis.step - 1e-9)));
    axis.end = axis.step * steps;
    axis.ticks = ticksBetween(0, axis.end, axis.step);
    return axis;
}

QList<Tick> ticksBetween(double start, double end, double step)
{
    QList<Tick> ticks;
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    for (double i = std::ceil(start / step - 1e-9); i <= end / step + 1e-9; ++i)
        ticks.append({step * i, QString::fromStdString(report::decimalText(step * i, decimals))});
    return ticks;
}

QList<Tick> percentileTicks(double end, bool fine)
{
    QList<Tick> ticks;
    for (int decade = 0; decade <= end + 1e-9; ++decade) {
        ticks.append({double(decade), QString::fromStdString(report::percentileLabel(decade))});
        for (int i = 2; i <= 9; ++i) {
            const double x = decade + std::log10(i);
            if (x > end)
                break;
            ticks.append({x, fine || (decade == 0 && i == 2) ? QString::fromStdString(report::percentileLabel(x)) : QString()});
        }
    }
    return ticks;
}

} // namespace wardbench::charts
