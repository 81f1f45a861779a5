#include "mock/proxystep.h"

#include "match/requestjson.h"
#include "mock/proxyupstream.h"
#include "mock/recording.h"
#include "mock/scriptsteps.h"
#include "mock/tcpupstream.h"
#include "script/scripthost.h"

#include <asio/post.hpp>

namespace wardbench::mock {
namespace {

class ProxyStep final : public AnswerStep
{
public:
    explicit ProxyStep(const Proxy &proxy)
        : m_to(proxy.to), m_upstream(ProxyUpstream::make(proxy)), m_tcpUpstream(TcpUpstream::make(proxy))
    {
    }

    bool run(AnswerContext &context, const std::function<void()> &next) const override
    {
        if (const TcpRequest *request = context.tcp())
            return ask(*request, context, next);
        if (!m_upstream) {
            fail(context, {"invalid proxy", m_upstream.error().message});
            return true;
        }
        (*m_upstream)
            ->fetch(context.request(), context.loop(),
                    [this, &context, next](http::Response &&response, const ProxyEnd &end) {
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
        if (!m_tcpUpstream) {
            fail(context, {"invalid proxy", m_tcpUpstream.error().message});
            return true;
        }
        TcpUpstream::WholeRule rule;
        if (!context.endOfRequest().empty())
            rule = [&context, binary = request.binary](const std::string &bytes, std::function<void(bool)> answer) {
                askForEnd(context.scripts(), context.endOfRequest(), bytes, binary, context.loop(), std::move(answer));
            };
        (*m_tcpUpstream)
            ->ask(request.data, context.loop(), std::move(rule),
                  [this, &context, next, binary = request.binary](TcpUpstream::Reply &&reply) {
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

    void fail(AnswerContext &context, const ProxyFailure &failure) const
    {
        json::Members error{{"code", failure.code}, {"message", failure.message}};
        if (context.tcp())
            error.emplace_back("source", m_to);
        context.fail(json::Value(std::move(error)));
    }

    const std::string m_to;
    const Result<ProxyUpstream::Ptr> m_upstream;
    const Result<TcpUpstream::Ptr> m_tcpUpstream; ///< either is an error
};

class RecordStep final : public AnswerStep
{
public:
    explicit RecordStep(const Proxy &proxy) : m_proxy(proxy)
    {
        if (auto headers = injectedHeaders(proxy))
            m_injected = std::move(*headers);
        for (const json::Value &generator : proxy.predicateGenerators.items())
            m_asksScripts = m_asksScripts || generator.find("inject");
    }

    bool run(AnswerContext &context, const std::function<void()> &next) const override
    {
        if (!context.services().recorder)
            return true;
        const json::Value seen = requestSeen(context);
        if (!m_asksScripts) {
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
        if (context.tcp())
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
    bool m_asksScripts = false;
};

} // namespace

AnswerStepPtr proxyStep(const Proxy &proxy)
{
    return std::make_shared<const ProxyStep>(proxy);
}

AnswerStepPtr recordStep(const Proxy &proxy)
{
    return proxy.mode == Proxy::Mode::Transparent ? nullptr : std::make_shared<const RecordStep>(proxy);
}

} // namespace wardbench::mock
