#include "mock/httpanswer.h"

#include "http/messagewriter.h"
#include "mock/cors.h"
#include "mock/delivery.h"
#include "mock/proxystep.h"

namespace wardbench::mock {
namespace {

constexpr std::size_t mostShown = 64 * 1024; ///< in the journal, of a body that was passed on

void cutBody(http::Request &request, std::size_t limit)
{
    if (request.body.size() <= limit)
        return;
    request.body.resize(limit);
    request.body.shrink_to_fit();
}

} // namespace

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

void HttpAnswer::describe(JournalRecord &record) const
{
    record.request = m_exchange->request();
    record.requestBodySize = requestSize();
    cutBody(record.request, home().journal()->bodyLimit());
}

/// A proxy's answer that nothing changes is not held: it goes out as it comes.
bool HttpAnswer::takesOver(AnswerContext &context)
{
    const std::shared_ptr<const PassedProxy> proxy = stub().plan(index())->passed;
    const ProxyUpstream *upstream =
        proxy && !spoiler() && m_preflight.empty() ? proxy->upstream(home().services()) : nullptr;
    if (!upstream)
        return false;
    const auto self = std::static_pointer_cast<HttpAnswer>(shared_from_this());
    ProxyRelay::Options options;
    options.keepAlive = lane().imposter->imposter()->keepAlive && !home().isDraining();
    options.wait = proxy->wait(context);
    if (record()) {
        options.keep = std::min(home().journal()->bodyLimit(), mostShown);
        describe(*record()); // while the request is there
        options.ending = [self](const ProxyRelay::End &end) {
            self->passedOn(end);
        };
    }
    if (proxy->records(home().services()))
        options.recorder = [self, proxy, &context](http::Response &&whole, const ProxyEnd &end,
                                                   const std::function<void()> &go) {
            proxy->record(context, whole, end, go);
        };
    ++home().services().timings->proxied;
    ProxyRelay::start(m_exchange, *upstream, std::move(options),
                      [self](ProxyRelay::End &&end) { self->passed(std::move(end)); });
    return true;
}

/// What the journal tells of it, before the client has the end.
void HttpAnswer::passedOn(const ProxyRelay::End &end)
{
    if (!record() || record()->answered)
        return;
    const bool keepAlive = lane().imposter->imposter()->keepAlive;
    record()->made = std::make_shared<const PreparedResponse>(PreparedResponse::verbatim(end.sent, keepAlive));
    record()->bodySize = end.bodySize;
    record()->form = m_form;
    record()->date = http::dateNow();
    if (end.tooLarge)
        record()->note = "the answer of the proxy is larger than 64 MiB: it was passed on and not recorded";
    if (made()->failed())
        record()->note = "the answer of the proxy was not recorded: " + made()->failure()["message"].text();
    answering();
}

void HttpAnswer::passed(ProxyRelay::End &&end)
{
    home().services().timings->proxying.add(end.time);
    if (end.failure && !end.answered) {
        making()->fail(end.failure->code, end.failure->message);
        return ready();
    }
    passedOn(end);
    forgetContext();
    m_exchange.reset();
    over(end.delivered);
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
        self->over(delivered);
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
    record()->date = date;
    record()->requestBodySize = requestSize();
    record()->request = m_exchange->takeRequest();
    cutBody(record()->request, home().journal()->bodyLimit());
    record()->made = m_made.response;
    record()->form = m_form;
    answering();
}

} // namespace wardbench::mock
