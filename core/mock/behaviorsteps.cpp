#include "mock/behaviorsteps.h"

#include "match/extractor.h"
#include "mock/proxystep.h"
#include "mock/requestscope.h"
#include "mock/scriptsteps.h"
#include "mock/steptimer.h"
#include "mock/tokens.h"

namespace wardbench::mock {
namespace {

class WaitStep final : public AnswerStep
{
public:
    WaitStep(const Delay &delay, std::uint64_t lane) : m_delay(delay), m_lane(lane) {}

    bool run(AnswerContext &context, const std::function<void()> &next) const override
    {
        const Nanoseconds wait = m_delay.draw(context.random, context.k, m_lane);
        if (wait <= Nanoseconds(0))
            return true;
        callAfter(context.loop(), wait, next);
        return false;
    }

private:
    const Delay m_delay;
    const std::uint64_t m_lane;
};

class CopyStep final : public AnswerStep
{
public:
    explicit CopyStep(const Behavior &behavior)
        : m_from(behavior.from), m_into(behavior.into), m_extractor(Extractor::compile(behavior.extraction))
    {
    }

    bool run(AnswerContext &context, const std::function<void()> &) const override
    {
        const auto text = textAt(context.requestJson(), m_from);
        if (text && m_extractor)
            context.answer = withTokens(context.answer, copyTokens(m_into, m_extractor->values(*text)));
        return true;
    }

private:
    const json::Value m_from;
    const std::string m_into;
    const Result<Extractor> m_extractor;
};

class LookupStep final : public AnswerStep
{
public:
    explicit LookupStep(const Behavior &behavior)
        : m_behavior(behavior), m_extractor(Extractor::compile(behavior.extraction))
    {
    }

    bool run(AnswerContext &context, const std::function<void()> &) const override
    {
        const auto text = textAt(context.requestJson(), m_behavior.from);
        if (!text || !m_extractor)
            return true;
        const std::vector<std::string> keys = m_extractor->values(*text);
        if (m_behavior.index >= keys.size())
            return true;
        const auto table = context.services().csv.table(pathIn(context.services().folder), m_behavior.delimiter);
        const auto row = table ? table->row(m_behavior.keyColumn, keys[m_behavior.index]) : std::nullopt;
        if (row)
            context.answer = withTokens(context.answer, lookupTokens(m_behavior.into, *row));
        return true;
    }

private:
    std::string pathIn(const std::string &folder) const
    {
        const bool absolute = m_behavior.csvPath.starts_with('/');
        return absolute || folder.empty() ? m_behavior.csvPath : folder + '/' + m_behavior.csvPath;
    }

    const Behavior m_behavior;
    const Result<Extractor> m_extractor;
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

class TemplateStep final : public AnswerStep
{
public:
    bool run(AnswerContext &context, const std::function<void()> &) const override
    {
        Result<json::Value> rendered = renderTemplates(context.answer, context);
        if (rendered)
            context.answer = std::move(*rendered);
        else
            context.fail("invalid template", rendered.error().message);
        return true;
    }
};

} // namespace

std::vector<AnswerStepPtr> beginningSteps(const Response &response)
{
    std::vector<AnswerStepPtr> steps;
    if (response.kind == Response::Kind::Proxy)
        steps.push_back(proxyStep(response.proxy));
    if (response.kind == Response::Kind::Inject)
        steps.push_back(injectStep(response.script));
    if (!response.is.bodyFile.empty())
        steps.push_back(std::make_shared<const FileStep>(response.is.bodyFile));
    if (response.templated)
        steps.push_back(std::make_shared<const TemplateStep>());
    return steps;
}

AnswerStepPtr behaviorStep(const Behavior &behavior, std::uint64_t lane)
{
    switch (behavior.kind) {
    case Behavior::Kind::Copy:
        return std::make_shared<const CopyStep>(behavior);
    case Behavior::Kind::Lookup:
        return std::make_shared<const LookupStep>(behavior);
    case Behavior::Kind::Decorate:
        return decorateStep(behavior.script);
    case Behavior::Kind::ShellTransform:
        return shellStep(behavior.script);
    case Behavior::Kind::Wait:
        break;
    }
    if (behavior.wait.kind == Delay::Kind::Script)
        return scriptWaitStep(behavior.wait.script);
    return std::make_shared<const WaitStep>(behavior.wait, lane);
}

} // namespace wardbench::mock
