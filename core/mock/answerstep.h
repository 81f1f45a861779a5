#pragma once

#include "base/random.h"
#include "http/message.h"
#include "match/requestview.h"
#include "mock/answertimings.h"
#include "mock/bodysource.h"
#include "mock/csvtable.h"
#include "mock/preparedresponse.h"
#include "mock/proxyrules.h"
#include "mock/recorder.h"
#include "json/value.h"

#include <asio/io_context.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace wardbench {
class ScriptHost;
class ShellCommands;
} // namespace wardbench

namespace wardbench::mock {

/// Counters by name, from 1. Any thread.
class NamedCounters
{
public:
    std::uint64_t next(const std::string &name)
    {
        const std::lock_guard lock(m_mutex);
        return ++m_counts[name];
    }
    void reset()
    {
        const std::lock_guard lock(m_mutex);
        m_counts.clear();
    }

private:
    std::mutex m_mutex;
    std::map<std::string, std::uint64_t> m_counts;
};

/// What the answers of a running imposter may call on, besides their stub.
struct AnswerServices
{
    std::string folder; ///< of the workspace: body files, and CSV files with a relative path; empty: the current one
    bool tls = false;   ///< the imposter is an https one
    CsvFiles csv;
    NamedCounters counters; ///< of templates
    ImposterId imposter = 0;
    std::shared_ptr<ShellCommands> shell{}; ///< null: the imposter has no shell command
    Recorder recorder{};                    ///< none: proxies keep nothing
    ProxyRules proxies{};
    std::shared_ptr<AnswerTimings> timings = std::make_shared<AnswerTimings>();
};

/// Whoever asks for an answer and does the proxying as well (mountebank.md 2.8.9).
class ProxyElsewhere
{
public:
    virtual ~ProxyElsewhere() = default;
    /// Has the answer of the context's proxy fetched; `done` gets it later, on the context's thread.
    virtual void fetch(std::function<void(const json::Value &answer)> done) = 0;
};

/// One answer in the making. Belongs to its exchange's thread.
class AnswerContext
{
public:
    /// `scripts` null: the imposter has none.
    AnswerContext(const http::Request &request, const std::string &client, asio::io_context &loop,
                  AnswerServices &services, std::shared_ptr<ScriptHost> scripts = {})
        : m_request(request), m_client(client), m_loop(loop), m_services(services), m_scripts(std::move(scripts))
    {
    }
    /// The same over tcp. All must outlive this.
    AnswerContext(const TcpRequest &request, const std::string &endOfRequest, const std::string &client,
                  asio::io_context &loop, AnswerServices &services, std::shared_ptr<ScriptHost> scripts);

    const http::Request &request() const { return m_request; } ///< over tcp: an empty one
    const TcpRequest *tcp() const { return m_tcp; }            ///< null: http
    /// tcp: the script that tells where a message ends; empty: none.
    const std::string &endOfRequest() const { return *m_endOfRequest; }
    const std::string &client() const { return m_client; }
    /// The request is this, and `elsewhere`, if not null, does the proxying.
    void setAsked(json::Value request, ProxyElsewhere *elsewhere)
    {
        m_requestJson = std::move(request);
        m_elsewhere = elsewhere;
    }
    ProxyElsewhere *elsewhere() const { return m_elsewhere; } ///< null: proxies are asked here
    const json::Value &requestJson(); ///< mountebank.md 2.2.1, 2.4; worked out when first asked for
    asio::io_context &loop() const { return m_loop; }
    AnswerServices &services() const { return m_services; }
    ScriptHost &scripts() const { return *m_scripts; }

    /// mountebank's response object: statusCode, headers, body, _mode, or data; defaults not merged yet.
    json::Value answer;
    std::optional<BodySource> file; ///< the body comes from here

    /// The answer came from an upstream (tcp: it is the body); as long as no step changes it, its very bytes are sent
    /// on.
    void proxied(json::Value recorded, http::Response upstream);
    /// The upstream's answer, when nothing changed it; else null.
    const http::Response *unchangedUpstream() const;

    StubId stub = 0;
    RandomStream random; ///< of the stub, for draw `k`
    std::uint64_t k = 0;

    /// Ends the answer here: a 500 with mountebank's error object (2.2.4).
    void fail(std::string code, std::string message);
    void fail(json::Value error) { m_failure = std::move(error); }
    bool failed() const { return m_failure.has_value(); }
    const json::Value &failure() const { return *m_failure; }

private:
    const http::Request &m_request;
    const TcpRequest *m_tcp = nullptr;
    const std::string *m_endOfRequest = nullptr;
    ProxyElsewhere *m_elsewhere = nullptr;
    const std::string &m_client;
    asio::io_context &m_loop;
    AnswerServices &m_services;
    std::shared_ptr<ScriptHost> m_scripts;
    std::optional<json::Value> m_requestJson;
    std::optional<json::Value> m_failure;
    json::Value m_recorded;
    std::optional<http::Response> m_upstream;
};

/// One step on the way to an answer: where it begins (inject, proxy, a file) or a behavior. Immutable, shared by all
/// requests of its stub.
class AnswerStep
{
public:
    virtual ~AnswerStep() = default;
    /// Works on `context`. True when done; else `next` is called once, later, on the context's thread.
    virtual bool run(AnswerContext &context, const std::function<void()> &next) const = 0;
};
using AnswerStepPtr = std::shared_ptr<const AnswerStep>;

class PassedProxy;

/// How the answers of one response are made when they cannot be prepared: the steps in their order.
struct AnswerPlan
{
    json::Value start; ///< the `is` object
    std::vector<AnswerStepPtr> steps;
    std::size_t behaviorsBegin = 0, behaviorsEnd = 0; ///< which of the steps are behaviors
    std::shared_ptr<const PassedProxy> passed{};      ///< the upstream's answer may be passed on as it comes
    std::optional<IsResponse> fallback;               ///< the imposter's default response
    bool keepAlive = false;
};
using AnswerPlanPtr = std::shared_ptr<const AnswerPlan>;

/// The plan of a response, or null when it can be prepared. `seed`less: draws come with each request.
AnswerPlanPtr planAnswer(const Response &response, const std::optional<IsResponse> &fallback, bool keepAlive);

/// What a plan came to.
struct MadeAnswer
{
    std::shared_ptr<const PreparedResponse> response;
    std::optional<BodySource> file;
};

/// Runs the plan's steps on `context`; `done` is called once, on its thread, perhaps inside this call. The context must
/// live until then.
void runSteps(AnswerPlanPtr plan, AnswerContext &context, std::function<void()> done);

/// What the plan came to, its steps done, over http.
MadeAnswer madeAnswer(const AnswerPlan &plan, const AnswerContext &context);

} // namespace wardbench::mock
