#include "mock/answerstep.h"

#include "match/requestjson.h"
#include "mock/behaviorsteps.h"
#include "mock/proxystep.h"

namespace wardbench::mock {
namespace {

/// Walks through a plan's steps without nesting where they are done at once.
class Walk final : public std::enable_shared_from_this<Walk>
{
public:
    Walk(AnswerPlanPtr plan, AnswerContext &context, std::function<void()> done)
        : m_plan(std::move(plan)), m_context(context), m_done(std::move(done))
    {
    }

    void go()
    {
        while (m_next < m_plan->steps.size() && !m_context.failed()) {
            measureBehaviors();
            const AnswerStep &step = *m_plan->steps[m_next++];
            if (!step.run(m_context, [self = shared_from_this()] { self->go(); }))
                return;
        }
        measureBehaviors();
        m_done();
    }

private:
    /// Comes by at each step once, and at the end.
    void measureBehaviors()
    {
        if (m_plan->behaviorsBegin == m_plan->behaviorsEnd)
            return;
        if (m_next == m_plan->behaviorsBegin)
            m_behaviorsBegan = std::chrono::steady_clock::now();
        else if (m_next == m_plan->behaviorsEnd)
            m_context.services().timings->behaviors.add(std::chrono::steady_clock::now() - m_behaviorsBegan);
    }

    const AnswerPlanPtr m_plan;
    AnswerContext &m_context;
    std::function<void()> m_done;
    std::size_t m_next = 0;
    TimePoint m_behaviorsBegan;
};

const http::Request &noHttpRequest()
{
    static const http::Request none;
    return none;
}

} // namespace

AnswerContext::AnswerContext(const TcpRequest &request, const std::string &endOfRequest, const std::string &client,
                             asio::io_context &loop, AnswerServices &services, std::shared_ptr<ScriptHost> scripts)
    : m_request(noHttpRequest()), m_tcp(&request), m_endOfRequest(&endOfRequest), m_client(client), m_loop(loop),
      m_services(services), m_scripts(std::move(scripts))
{
}

const json::Value &AnswerContext::requestJson()
{
    if (!m_requestJson)
        m_requestJson = m_tcp ? wardbench::requestJson(*m_tcp, m_client) : wardbench::requestJson(m_request, m_client);
    return *m_requestJson;
}

void AnswerContext::proxied(json::Value recorded, http::Response upstream)
{
    answer = m_recorded = std::move(recorded);
    m_upstream = std::move(upstream);
}

const http::Response *AnswerContext::unchangedUpstream() const
{
    return m_upstream && answer.sameNode(m_recorded) ? &*m_upstream : nullptr;
}

void AnswerContext::fail(std::string code, std::string message)
{
    m_failure = json::Value(json::Members{{"code", std::move(code)}, {"message", std::move(message)}});
}

AnswerPlanPtr planAnswer(const Response &response, const std::optional<IsResponse> &fallback, bool keepAlive)
{
    if (response.fault.named)
        return nullptr;
    std::vector<AnswerStepPtr> steps = beginningSteps(response);
    bool onlyWaits = true;
    for (const Behavior &behavior : response.behaviors)
        onlyWaits = onlyWaits && behavior.kind == Behavior::Kind::Wait && behavior.wait.kind != Delay::Kind::Script;
    if (steps.empty() && onlyWaits)
        return nullptr; // prepared; its waits are added up
    auto plan = std::make_shared<AnswerPlan>();
    plan->behaviorsBegin = steps.size();
    for (std::size_t i = 0; i < response.behaviors.size(); ++i)
        steps.push_back(behaviorStep(response.behaviors[i], i));
    plan->behaviorsEnd = steps.size();
    if (response.kind == Response::Kind::Proxy) {
        if (onlyWaits && plan->behaviorsBegin == 1)
            plan->passed = PassedProxy::of(response, steps.front());
        if (AnswerStepPtr record = recordStep(response.proxy))
            steps.push_back(std::move(record));
    }
    plan->start = response.is.source.isObject() ? response.is.source : json::Value::object();
    plan->steps = std::move(steps);
    plan->fallback = fallback;
    plan->keepAlive = keepAlive;
    return plan;
}

void runSteps(AnswerPlanPtr plan, AnswerContext &context, std::function<void()> done)
{
    context.answer = plan->start;
    std::make_shared<Walk>(std::move(plan), context, std::move(done))->go();
}

MadeAnswer madeAnswer(const AnswerPlan &plan, const AnswerContext &context)
{
    if (context.failed())
        return {std::make_shared<const PreparedResponse>(PreparedResponse::failure(context.failure(), plan.keepAlive)),
                std::nullopt};
    if (const http::Response *upstream = context.unchangedUpstream())
        return {std::make_shared<const PreparedResponse>(PreparedResponse::verbatim(*upstream, plan.keepAlive)),
                std::nullopt};
    std::optional<std::uint64_t> size;
    if (context.file)
        size = context.file->size();
    return {std::make_shared<const PreparedResponse>(
                PreparedResponse::of(context.answer, plan.fallback, plan.keepAlive, size)),
            context.file};
}

} // namespace wardbench::mock
