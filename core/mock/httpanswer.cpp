#include "mock/httpanswer.h"

#include "http/messagewriter.h"
#include "mock/cors.h"
#include "mock/delivery.h"

namespace wardbench::mock {

HttpAnswer::HttpAnswer(std::shared_ptr<RunningImposter> home, Lane &lane, server::ExchangePtr exchange,
                       const AnswerForm &form)
    : PendingAnswer(std::move(home), lane, exchange->loop(), exchange->client(), exchange->requestComplete()),
      m_exchange(std::move(exchange)), m_form(form)
{
    if (lane.imposter->imposter()->allowCors)
        m_preflight = preflightAnswer(m_exchange->request());
}

AnswerContext HttpAnswer::contextWith(std::shared_ptr<ScriptHost> scripts) const
{
    return {m_exchange->request(), m_exchange->client(), m_exchange->loop(), home().services(), std::move(scripts)};
}

std::uint64_t HttpAnswer::requestSize() const
{
    return m_exchange->request().body.size() + m_exchange->request().droppedBody;
}

void HttpAnswer::give()
{
    finishMaking();
    const std::string_view date = http::dateNow();
    const PreparedResponse &response = m_made.response ? *m_made.response : stub().response(index());
    m_form.close = m_form.close || home().isDraining();
    if (record())
        addToRecord(date);
    forgetContext();
    const server::ExchangePtr exchange = std::exchange(m_exchange, nullptr);
    const auto done = [self = std::static_pointer_cast<HttpAnswer>(shared_from_this())](bool delivered) {
        self->done(delivered);
    };
    if (!spoiler() && !m_made.file)
        return exchange->respond(response.outgoing(m_form, date), done);
    AnswerParts parts = response.parts(m_form, date);
    if (m_made.file && response.bodySize(m_form) > 0)
        parts.body = *m_made.file;
    Delivery::start(exchange, std::move(parts), spoiler() ? *spoiler() : Fault{}, done);
}

void HttpAnswer::finishMaking()
{
    if (!failure().isNull()) {
        const bool keepAlive = lane().imposter->imposter()->keepAlive;
        m_made.response = std::make_shared<const PreparedResponse>(PreparedResponse::failure(failure(), keepAlive));
    } else if (const AnswerContext *context = made()) {
        m_made = madeAnswer(*stub().plan(index()), *context);
    }
    if (m_preflight.empty())
        return;
    PreparedResponse granted = m_made.response ? *m_made.response : stub().response(index());
    granted.setHeaders(m_preflight);
    m_made.response = std::make_shared<const PreparedResponse>(std::move(granted));
}

void HttpAnswer::addToRecord(std::string_view date)
{
    const std::size_t limit = home().journal()->bodyLimit();
    record()->date = date;
    record()->requestBodySize = requestSize();
    record()->request = m_exchange->takeRequest();
    std::string &body = record()->request.body;
    if (body.size() > limit) {
        body.resize(limit);
        body.shrink_to_fit();
    }
}

void HttpAnswer::done(bool delivered)
{
    if (record()) {
        record()->made = m_made.response;
        record()->form = m_form;
    }
    over(delivered);
}

} // namespace wardbench::mock
