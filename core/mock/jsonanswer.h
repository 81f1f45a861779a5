#pragma once

#include "mock/mockservice.h"
#include "mock/pendinganswer.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace wardbench::mock {

/// The stubs of an imposter for requests that are JSON: their predicates look at its members. Compiled when first asked
/// for, and again after an edit. Any thread.
class JsonStubs
{
public:
    std::shared_ptr<const CompiledStubs> of(const CompiledStubs &stubs);

private:
    std::mutex m_mutex;
    std::shared_ptr<const CompiledStubs> m_compiled;
};

class JsonAnswer;

/// Answers whose asker is away, asking a proxy's upstream; by the key that they come back with. Any thread.
class AskersAway
{
public:
    /// `callbackUrl`: where they come back to, without the key.
    explicit AskersAway(std::string callbackUrl) : m_callbackUrl(std::move(callbackUrl)) {}

    /// The whole address, with a new key.
    std::string add(std::shared_ptr<JsonAnswer> answer);
    /// Null: nobody is away with this key.
    std::shared_ptr<JsonAnswer> take(const std::string &key);
    void forgetAll();

private:
    static constexpr std::size_t most = 10'000; ///< then who is away longest is given up

    const std::string m_callbackUrl;
    std::mutex m_mutex;
    std::uint64_t m_next = 0;
    std::map<std::uint64_t, std::shared_ptr<JsonAnswer>> m_away;
};

/// The answer to a request that came as JSON, over REST: the response object itself.
class JsonAnswer final : public PendingAnswer, private ProxyElsewhere
{
public:
    using Done = MockService::Asked;

    /// `away` null: proxies are asked here; else by who asks, and answers are wrapped in "response".
    JsonAnswer(std::shared_ptr<RunningImposter> home, Lane &lane, JsonRequest request, std::shared_ptr<JsonStubs> stubs,
               std::shared_ptr<AskersAway> away, Done done);

    /// The asker is back with what the upstream said. Any thread.
    void goOn(const json::Value &upstream, Done done);

private:
    std::size_t match(const CompiledStubs &stubs, MatchContext &context) const override;
    AnswerContext contextWith(std::shared_ptr<ScriptHost> scripts) const override;
    std::uint64_t requestSize() const override { return m_body.body.size(); }
    void describe(JournalRecord &record) const override;
    void give() override;
    void fetch(std::function<void(const json::Value &answer)> done) override;

    json::Value answer(bool &failed) const;
    json::Value response() const; ///< of the stub, as written

    const JsonRequest m_request;
    const std::shared_ptr<JsonStubs> m_stubs;
    const std::shared_ptr<AskersAway> m_away;
    const CompiledImposter::Ptr m_imposter; ///< as it was when the request came
    http::Request m_body;                   ///< the JSON as a body, for the stubs
    TcpRequest m_tcp;                       ///< of a tcp imposter
    Done m_done;
    std::function<void(const json::Value &)> m_fetched; ///< while the asker is away
    bool m_wasAway = false;
    json::Value m_reply;
};

} // namespace wardbench::mock
