#include "mock/proxystep.h"

#include "match/requestjson.h"
#include "mock/proxyupstream.h"
#include "mock/recording.h"
#include "mock/scriptsteps.h"
#include "mock/tcpupstream.h"
#include "script/scripthost.h"

#include <asio/post.hpp>

#include <mutex>
#include <optional>

namespace wardbench::mock {
namespace {

/// What a proxy asks, made when it is first wanted, by the rules of who runs it.
template <typename Upstream>
class Asked
{
public:
    const Result<typename Upstream::Ptr> &of(const Proxy &proxy, const ProxyRules &rules) const
    {
        std::call_once(m_once, [&] { m_upstream.emplace(Upstream::make(proxy, rules)); });
        return *m_upstream;
    }

private:
    mutable std::once_flag m_once;
    mutable std::optional<Result<typename Upstream::Ptr>> m_upstream;
};

class ProxyStep final : public AnswerStep
{
public:
    explicit ProxyStep(const Proxy &proxy) : m_proxy(proxy) {}

    const Result<ProxyUpstream::Ptr> &upstream(const AnswerServices &services) const
    {
        return m_upstream.of(m_proxy, services.proxies);
    }

    bool run(AnswerContext &context, const std::function<void()> &next) const override
    {
        ++context.services().timings->proxied;
        if (context.elsewhere())
            return askElsewhere(context, next);
        if (const TcpRequest *request = context.tcp())
            return ask(*request, context, next);
        const auto &upstream = this->upstream(context.services());
        if (!upstream) {
            fail(context, {"invalid proxy", upstream.error().message});
            return true;
        }
        (*upstream)->fetch(context.request(), context.loop(),
                           [this, &context, next](http::Response &&response, const ProxyEnd &end) {
                               context.services().timings->proxying.add(end.time);
                               if (end.failure) {
                                   fail(context, *end.failure);
                               } else {
                                   json::Value recorded = recordedAnswer(response, end.time);
                                   context.proxied(std::move(recorded), std::move(response));
                               }
                               next();
                           });
        return false;
    }

private:
    /// Over tcp, where the end of a reply is that of a request.
    bool ask(const TcpRequest &request, AnswerContext &context, const std::function<void()> &next) const
    {
        const auto &upstream = m_tcpUpstream.of(m_proxy, context.services().proxies);
        if (!upstream) {
            fail(context, {"invalid proxy", upstream.error().message});
            return true;
        }
        TcpUpstream::WholeRule rule;
        if (!context.endOfRequest().empty())
            rule = [&context, binary = request.binary](const std::string &bytes, std::function<void(bool)> answer) {
                askForEnd(context.scripts(), context.endOfRequest(), bytes, binary, context.loop(), std::move(answer));
            };
        (*upstream)->ask(request.data, context.loop(), std::move(rule),
                         [this, &context, next, binary = request.binary](TcpUpstream::Reply &&reply) {
                             context.services().timings->proxying.add(reply.time);
                             if (reply.failure) {
                                 fail(context, *reply.failure);
                             } else {
                                 http::Response upstream;
                                 upstream.body = std::move(reply.data);
                                 json::Value recorded = recordedData(upstream.body, binary, reply.time);
                                 context.proxied(std::move(recorded), std::move(upstream));
                             }
                             next();
                         });
        return false;
    }

    /// Who asked goes there, and comes back with the answer.
    bool askElsewhere(AnswerContext &context, const std::function<void()> &next) const
    {
        const TimePoint begin = std::chrono::steady_clock::now();
        context.elsewhere()->fetch([&context, next, begin](const json::Value &answer) {
            const Nanoseconds time = std::chrono::steady_clock::now() - begin;
            context.services().timings->proxying.add(time);
            const auto ms = std::chrono::round<std::chrono::milliseconds>(time).count();
            context.answer = (answer.isObject() ? answer : json::Value::object())
                                 .withMember("_proxyResponseTime", static_cast<std::int64_t>(ms));
            next();
        });
        return false;
    }

    void fail(AnswerContext &context, const ProxyFailure &failure) const
    {
        json::Members error{{"code", failure.code}, {"message", failure.message}};
        if (context.tcp())
            error.emplace_back("source", m_proxy.to);
        context.fail(json::Value(std::move(error)));
    }

    const Proxy m_proxy;
    const Asked<ProxyUpstream> m_upstream;
    const Asked<TcpUpstream> m_tcpUpstream;
};

class RecordStep final : public AnswerStep
{
public:
    explicit RecordStep(const Proxy &proxy) : m_proxy(proxy)
    {
        if (auto headers = injectedHeaders(proxy))
            m_injected = std::move(*headers);
    }

    bool run(AnswerContext &context, const std::function<void()> &next) const override
    {
        if (!context.services().recorder)
            return true;
        const json::Value seen = requestSeen(context);
        if (!m_proxy.hasScript()) {
            record(context, generatePredicates(m_proxy.predicateGenerators, seen), next);
            return false;
        }
        asio::io_context &loop = context.loop();
        context.scripts().post(
            [this, &context, &loop, seen, next](ScriptEngine &engine) {
                std::optional<ScriptFailure> failure;
                const auto ask = [&](const std::string &script, const json::Value &what) -> Result<json::Value> {
                    ScriptOutcome<json::Value> outcome = engine.generatePredicates(script, what);
                    if (auto *value = std::get_if<json::Value>(&outcome))
                        return std::move(*value);
                    failure = std::get<ScriptFailure>(std::move(outcome));
                    return fail(failure->message);
                };
                Result<json::Value> made = generatePredicates(m_proxy.predicateGenerators, seen, ask);
                asio::post(loop, [this, &context, next, made = std::move(made), failure] {
                    if (failure) {
                        failByScript(context, *failure);
                        next();
                    } else {
                        record(context, made, next);
                    }
                });
            },
            [&context, &loop, next] {
                asio::post(loop, [&context, next] {
                    failByScript(context,
                                 {"invalid predicateGenerator injection", {}, "the script did not end in time"});
                    next();
                });
            });
        return false;
    }

private:
    /// What predicates are made of: over http with the headers that the upstream got.
    json::Value requestSeen(AnswerContext &context) const
    {
        if (context.tcp() || context.elsewhere())
            return context.requestJson();
        http::Request request = context.request();
        request.headers = withInjected(std::move(request.headers), m_injected);
        return wardbench::requestJson(request, context.client());
    }

    void record(AnswerContext &context, const Result<json::Value> &predicates, const std::function<void()> &next) const
    {
        asio::io_context &loop = context.loop();
        if (!predicates) {
            context.fail("bad data", predicates.error().message);
            return asio::post(loop, next);
        }
        Recording recording{context.services().imposter, context.stub, m_proxy.mode, *predicates,
                            recordedResponse(m_proxy, context.answer)};
        context.services().recorder(std::move(recording), [&loop, next] { asio::post(loop, next); });
    }

    const Proxy m_proxy;
    http::Headers m_injected;
};

} // namespace

std::shared_ptr<const PassedProxy> PassedProxy::of(const Response &response, AnswerStepPtr step)
{
    if (response.proxy.hasScript())
        return nullptr;
    const std::shared_ptr<PassedProxy> made(new PassedProxy);
    made->m_proxy = std::move(step);
    for (const Behavior &behavior : response.behaviors)
        made->m_waits.push_back(behavior.wait);
    made->m_record = recordStep(response.proxy);
    return made;
}

const ProxyUpstream *PassedProxy::upstream(const AnswerServices &services) const
{
    const auto &upstream = static_cast<const ProxyStep &>(*m_proxy).upstream(services);
    return upstream ? upstream->get() : nullptr;
}

Nanoseconds PassedProxy::wait(const AnswerContext &context) const
{
    Nanoseconds sum{0};
    for (std::size_t i = 0; i < m_waits.size(); ++i)
        sum += m_waits[i].draw(context.random, context.k, i);
    return sum;
}

void PassedProxy::record(AnswerContext &context, const http::Response &whole, const ProxyEnd &end,
                         const std::function<void()> &go) const
{
    context.answer = recordedAnswer(whole, end.time);
    if (m_record->run(context, go))
        go();
}

AnswerStepPtr proxyStep(const Proxy &proxy)
{
    return std::make_shared<const ProxyStep>(proxy);
}

AnswerStepPtr recordStep(const Proxy &proxy)
{
    return proxy.mode == Proxy::Mode::Transparent ? nullptr : std::make_shared<const RecordStep>(proxy);
}

} // namespace wardbench::mock
