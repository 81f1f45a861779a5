#include "mock/pendinganswer.h"

#include "http/messagewriter.h"
#include "mock/cors.h"
#include "mock/steptimer.h"

namespace wardbench::mock {

Nanoseconds preparedWait(const Decision &decision)
{
    const PreparedResponse &response = decision.stub->response(decision.index);
    return decision.state && response.waits() ? response.wait(decision.state->waits, decision.k) : Nanoseconds(0);
}

PendingAnswer::PendingAnswer(Responder &responder, Lane &lane, server::ExchangePtr exchange, const AnswerForm &form)
    : m_responder(responder.shared_from_this()), m_lane(lane), m_epoch(lane.epoch.load(std::memory_order_relaxed)),
      m_exchange(std::move(exchange)), m_form(form)
{
    if (m_responder->journal())
        record();
}

void PendingAnswer::record()
{
    m_record = std::make_shared<JournalRecord>();
    m_record->sequence = m_responder->journal()->nextSequence();
    m_record->time = std::chrono::system_clock::now();
    m_record->client = m_exchange->client();
}

void PendingAnswer::decided(const Decision &decision)
{
    const CompiledImposter &imposter = *m_lane.imposter;
    m_stub = decision.stub;
    m_index = decision.index;
    m_fault = decision.fault;
    m_made.response = decision.made;
    m_wait = imposter.ownWait();
    if (imposter.imposter()->allowCors)
        m_preflight = preflightAnswer(m_exchange->request());
    if (decision.made)
        return;
    if (!m_stub->plan(m_index)) {
        m_wait += preparedWait(decision);
        return;
    }
    m_context.emplace(m_exchange->request(), m_exchange->client(), m_exchange->loop(), m_responder->services(),
                      imposter.scripts());
    m_context->random = decision.state->waits;
    m_context->k = decision.k;
    m_context->stub = decision.state->id;
}

void PendingAnswer::start(TimePoint time)
{
    if (m_lane.epoch.load(std::memory_order_relaxed) == m_epoch)
        add(m_lane.started);
    if (m_wait <= Nanoseconds(0))
        return make();
    callAt(std::make_shared<asio::steady_timer>(m_exchange->loop()), time + m_wait,
           [self = shared_from_this()] { self->make(); });
}

void PendingAnswer::make()
{
    if (!m_context)
        return answer();
    makeAnswer(m_stub->plan(m_index), *m_context, [self = shared_from_this()](MadeAnswer made) {
        self->m_made = std::move(made);
        self->answer();
    });
}

void PendingAnswer::answer()
{
    const std::string_view date = http::dateNow();
    if (!m_preflight.empty())
        grantPreflight();
    const PreparedResponse &response = m_made.response ? *m_made.response : m_stub->response(m_index);
    m_form.close = m_form.close || m_responder->isDraining();
    m_complete = m_exchange->requestComplete();
    if (m_record)
        addToRecord(date);
    // Let go of before, so that the connection can use it again for its next request.
    m_context.reset();
    const server::ExchangePtr exchange = std::exchange(m_exchange, nullptr);
    const auto done = [self = shared_from_this()](bool delivered) {
        self->done(delivered);
    };
    if (!m_fault && !m_made.file)
        return exchange->respond(response.outgoing(m_form, date), done);
    AnswerParts parts = response.parts(m_form, date);
    if (m_made.file && response.bodySize(m_form) > 0)
        parts.body = *m_made.file;
    Delivery::start(exchange, std::move(parts), m_fault ? *m_fault : Fault{}, done);
}

void PendingAnswer::addToRecord(std::string_view date)
{
    const std::size_t limit = m_responder->journal()->bodyLimit();
    m_record->date = date;
    m_record->request = m_exchange->takeRequest();
    std::string &body = m_record->request.body;
    m_record->requestBodySize = body.size() + m_record->request.droppedBody;
    if (body.size() > limit) {
        body.resize(limit);
        body.shrink_to_fit();
    }
}

void PendingAnswer::grantPreflight()
{
    PreparedResponse granted = m_made.response ? *m_made.response : m_stub->response(m_index);
    granted.setHeaders(m_preflight);
    m_made.response = std::make_shared<const PreparedResponse>(std::move(granted));
}

void PendingAnswer::done(bool delivered)
{
    if (m_record) {
        m_record->answeredBy = m_stub;
        m_record->responseIndex = m_index;
        m_record->fault = m_fault;
        m_record->made = m_made.response;
        m_record->form = m_form;
        m_record->delivered = delivered;
        m_record->duration = std::chrono::steady_clock::now() - m_complete;
        m_responder->journal()->append(std::move(m_record));
    }
    Responder::finish(m_lane, m_epoch);
    if (m_gate)
        std::exchange(m_gate, nullptr)->leave();
}

} // namespace wardbench::mock
