#include "load/schedule.h"

#include <algorithm>
#include <cmath>

namespace wardbench {
namespace {

double inSeconds(Nanoseconds value)
{
    return static_cast<double>(value.count()) / 1e9;
}

Nanoseconds fromSeconds(double value)
{
    return Nanoseconds(std::llround(value * 1e9));
}

double areaOf(double from, const LoadStage &stage)
{
    return inSeconds(stage.duration) * (from + stage.target) / 2;
}

/// Seconds from the begin of a stage until the area below its line is `area`.
double timeOfArea(double from, const LoadStage &stage, double area)
{
    const double length = inSeconds(stage.duration), slope = stage.target - from;
    if (slope == 0)
        return area / from;
    const double radicand = std::max(0.0, length * (from * from * length + 2 * area * slope));
    return (std::sqrt(radicand) - from * length) / slope;
}

} // namespace

ArrivalSchedule::ArrivalSchedule(double start, std::vector<LoadStage> stages, bool poisson, const RandomStream &random)
    : m_from(start), m_stages(std::move(stages)), m_poisson(poisson), m_random(random)
{
    if (m_poisson)
        m_area = -std::log1p(-m_random.unit(0));
}

std::optional<Nanoseconds> ArrivalSchedule::next()
{
    // Sums of doubles: an arrival that belongs on the end of a stage must not fall into it by the last digit.
    constexpr double tolerance = 1e-9;
    while (m_stage < m_stages.size() && m_area >= m_areaBefore + areaOf(m_from, m_stages[m_stage]) - tolerance) {
        const LoadStage &over = m_stages[m_stage++];
        m_areaBefore += areaOf(m_from, over);
        m_stageBegin += over.duration;
        m_from = over.target;
    }
    if (m_stage == m_stages.size())
        return std::nullopt;
    const double within = timeOfArea(m_from, m_stages[m_stage], std::max(0.0, m_area - m_areaBefore));
    ++m_index;
    m_area = m_poisson ? m_area - std::log1p(-m_random.unit(m_index)) : static_cast<double>(m_index);
    return m_stageBegin + fromSeconds(within);
}

std::vector<UserChange> userChanges(const LoadProfile &load)
{
    std::vector<UserChange> changes;
    int users = static_cast<int>(load.start);
    changes.emplace_back(Nanoseconds(0), users);
    Nanoseconds end{0};
    for (const LoadStage &stage : load.stages) {
        const auto from = static_cast<double>(users);
        const auto target = static_cast<int>(stage.target);
        const double length = inSeconds(stage.duration);
        end += stage.duration;
        for (int v = users + 1; v <= target; ++v)
            changes.emplace_back(end - fromSeconds(length * (stage.target - v) / (stage.target - from)), v);
        for (int v = users; v > target; --v)
            changes.emplace_back(end - fromSeconds(length * (stage.target - v + 1) / (stage.target - from)), v - 1);
        users = target;
    }
    return changes;
}

Nanoseconds rampUpDelay(Nanoseconds rampUp, int users, std::size_t user)
{
    const float milliseconds = static_cast<float>(rampUp.count()) / 1e6F / static_cast<float>(std::max(1, users));
    const auto each = static_cast<std::int64_t>(std::floor(milliseconds + 0.5F));
    return std::chrono::milliseconds(each * static_cast<std::int64_t>(user));
}

std::vector<std::pair<double, double>> loadCurve(const LoadProfile &load)
{
    std::vector<std::pair<double, double>> points;
    double at = 0;
    if (load.kind != LoadProfile::Kind::Users) {
        points.emplace_back(at, load.start);
        for (const LoadStage &stage : load.stages) {
            at += inSeconds(stage.duration);
            points.emplace_back(at, stage.target);
        }
        return points;
    }
    const double full = inSeconds(rampUpDelay(load.rampUp, load.users, static_cast<std::size_t>(load.users - 1)));
    if (full > 0)
        points.emplace_back(0.0, 1.0);
    points.emplace_back(full, load.users);
    // Without a duration the end is not known: some length for the eye.
    const double end = load.measured.duration ? inSeconds(*load.measured.duration) : full > 0 ? 2 * full : 1;
    points.emplace_back(std::max(end, full), load.users);
    return points;
}

} // namespace wardbench
