#include "mock/behaviorsteps.h"

#include <asio/steady_timer.hpp>

#include <algorithm>

namespace wardbench::mock {
namespace {

/// Calls `next` at `time`, never early.
void callAt(const std::shared_ptr<asio::steady_timer> &timer, TimePoint time, std::function<void()> next)
{
    timer->expires_at(time);
    timer->async_wait([timer, time, next = std::move(next)](std::error_code problem) {
        if (problem)
            return;
        if (std::chrono::steady_clock::now() < time)
            callAt(timer, time, next);
        else
            next();
    });
}

class WaitStep final : public AnswerStep
{
public:
    WaitStep(const Delay &delay, std::uint64_t lane) : m_delay(delay), m_lane(lane) {}

    bool run(AnswerContext &context, const std::function<void()> &next) const override
    {
        constexpr Nanoseconds longest = std::chrono::hours(24 * 365);
        const Nanoseconds wait = std::min(longest, m_delay.draw(context.random, context.k, m_lane));
        if (wait <= Nanoseconds(0))
            return true;
        callAt(std::make_shared<asio::steady_timer>(context.loop()), std::chrono::steady_clock::now() + wait, next);
        return false;
    }

private:
    const Delay m_delay;
    const std::uint64_t m_lane;
};

/// `bodyFile`: opened for each answer, so that it may be edited.
class FileStep final : public AnswerStep
{
public:
    explicit FileStep(std::string path) : m_path(std::move(path)) {}

    bool run(AnswerContext &context, const std::function<void()> &) const override
    {
        Result<BodySource> file = BodySource::file(context.services().folder, m_path);
        if (file)
            context.file = std::move(*file);
        else
            context.fail("body file", file.error().message);
        return true;
    }

private:
    const std::string m_path;
};

} // namespace

std::vector<AnswerStepPtr> beginningSteps(const Response &response)
{
    std::vector<AnswerStepPtr> steps;
    if (!response.is.bodyFile.empty())
        steps.push_back(std::make_shared<const FileStep>(response.is.bodyFile));
    return steps;
}

AnswerStepPtr behaviorStep(const Behavior &behavior, std::uint64_t lane)
{
    return std::make_shared<const WaitStep>(behavior.wait, lane);
}

} // namespace wardbench::mock
