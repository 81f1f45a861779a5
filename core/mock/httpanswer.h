#pragma once

#include "mock/pendinganswer.h"
#include "mock/proxyrelay.h"

namespace wardbench::mock {

/// The answer to a request over http. Its exchange is let go of before the answer goes out, so that the connection can
/// use it again for its next request.
class HttpAnswer final : public PendingAnswer
{
public:
    HttpAnswer(std::shared_ptr<RunningImposter> home, Lane &lane, server::ExchangePtr exchange, const AnswerForm &form);

private:
    std::size_t match(const CompiledStubs &stubs, MatchContext &context) const override
    {
        return stubs.match(m_exchange->request(), m_exchange->client(), &context);
    }
    AnswerContext contextWith(std::shared_ptr<ScriptHost> scripts) const override;
    std::uint64_t requestSize() const override;
    void describe(JournalRecord &record) const override;
    bool takesOver(AnswerContext &context) override;
    void give() override;

    void finishMaking();
    void addToRecord(std::string_view date);
    void passedOn(const ProxyRelay::End &end);
    void passed(ProxyRelay::End &&end);

    server::ExchangePtr m_exchange;
    AnswerForm m_form;
    http::Headers m_preflight; ///< what a CORS preflight is granted
    MadeAnswer m_made;
};

} // namespace wardbench::mock
