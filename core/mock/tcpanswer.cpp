#include "mock/tcpanswer.h"

#include "match/requestjson.h"
#include "mock/delivery.h"
#include "mock/responder.h"
#include "mock/wiretext.h"
#include "json/writer.h"

namespace wardbench::mock {
namespace {

class RecordedData final : public RecordedMessage
{
public:
    RecordedData(TcpRequest request, std::string client, json::Value reply)
        : m_request(std::move(request)), m_client(std::move(client)), m_reply(std::move(reply))
    {
    }

    json::Value request() const override { return requestJson(m_request, m_client); }
    json::Value response() const override { return m_reply; }
    std::size_t size() const override { return m_request.data.size() + m_reply["data"].text().size(); }

private:
    const TcpRequest m_request;
    const std::string m_client;
    const json::Value m_reply;
};

} // namespace

void TcpQueue::begun()
{
    if (++m_waiting == most)
        m_stream->pause(true);
}

void TcpQueue::over()
{
    if (m_waiting-- == most)
        m_stream->pause(false);
    if (m_waiting == 0 && (m_ending || m_draining))
        m_stream->close();
}

void TcpQueue::endWhenAnswered()
{
    m_ending = true;
    if (m_waiting == 0)
        m_stream->close();
}

void TcpAnswer::start(const Home &home, std::shared_ptr<TcpQueue> queue, CompiledImposter::Ptr compiled,
                      std::string data)
{
    const std::shared_ptr<TcpAnswer> answer(
        new TcpAnswer(home, std::move(queue), std::move(compiled), std::move(data)));
    answer->decide();
}

TcpAnswer::TcpAnswer(const Home &home, std::shared_ptr<TcpQueue> queue, CompiledImposter::Ptr compiled,
                     std::string data)
    : m_home(home), m_queue(std::move(queue)),
      m_compiled(std::move(compiled)), m_request{std::move(data), m_compiled->imposter()->binary},
      m_position(CompiledStubs::none)
{
    m_queue->begun();
    if (!m_home.journal)
        return;
    m_record = std::make_shared<JournalRecord>();
    m_record->sequence = m_home.journal->nextSequence();
    m_record->time = std::chrono::system_clock::now();
    m_record->client = m_queue->stream()->client();
}

void TcpAnswer::decide()
{
    m_position = m_compiled->stubs().match(m_request, m_queue->stream()->client());
    const bool matched = m_position != CompiledStubs::none;
    m_home.counters.received(matched);
    m_home.counters.started();
    if (!matched)
        return give(json::Value::object());
    const CompiledImposter::Entry &entry = m_compiled->entries()[m_position];
    m_k = entry.state->nextDecision();
    if (entry.prepared->empty())
        return give(json::Value::object());
    m_index = entry.prepared->pick(*entry.state, m_k);
    m_fault = Responder::mishap(*entry.prepared, m_index, *entry.state, m_k);
    if (m_fault && m_fault->takesTheAnswersPlace())
        return misbehave();
    if (m_fault && m_fault->kind == Fault::Kind::Reset)
        return misbehave();
    make();
}

void TcpAnswer::make()
{
    const CompiledImposter::Entry &entry = m_compiled->entries()[m_position];
    const PreparedResponse &prepared = entry.prepared->response(m_index);
    if (const AnswerPlanPtr plan = entry.prepared->plan(m_index)) {
        const server::PeerStreamPtr &stream = m_queue->stream();
        m_context.emplace(m_noRequest, stream->client(), stream->loop(), m_home.services);
        m_context->setRequestJson(requestJson(m_request, stream->client()));
        m_context->random = entry.state->waits;
        m_context->k = m_k;
        m_context->complete = m_complete;
        return runSteps(plan, *m_context, [self = shared_from_this()] {
            if (self->m_context->failed())
                self->fail(self->m_context->failure());
            else
                self->give(self->m_context->answer);
        });
    }
    const Nanoseconds pause = prepared.waits() ? prepared.wait(entry.state->waits, m_k) : Nanoseconds(0);
    if (pause <= Nanoseconds(0))
        return give(entry.prepared->stub()->responses[m_index].is.source);
    m_timer.emplace(m_queue->stream()->loop());
    wait(m_complete + pause);
}

void TcpAnswer::wait(TimePoint due)
{
    m_timer->expires_at(due);
    m_timer->async_wait([self = shared_from_this(), due](std::error_code problem) {
        if (problem)
            return;
        if (std::chrono::steady_clock::now() < due) // never early, whatever the timer's grain is
            return self->wait(due);
        const auto &entry = self->m_compiled->entries()[self->m_position];
        self->give(entry.prepared->stub()->responses[self->m_index].is.source);
    });
}

/// Merged with the default response field by field, and there is one field.
void TcpAnswer::give(const json::Value &answer)
{
    const std::optional<IsResponse> &fallback = m_compiled->imposter()->defaultResponse;
    json::Value data = answer["data"];
    if (!data.isTruthy())
        data = fallback && fallback->data && fallback->data->isTruthy() ? *fallback->data : json::Value("");
    const std::string text = scalarText(data);
    m_reply = json::Value(json::Members{{"data", text}});
    send(m_request.binary ? decodeBase64(text) : text);
}

void TcpAnswer::fail(json::Value error)
{
    m_reply = json::Value(json::Members{{"errors", json::Array{std::move(error)}}});
    send(json::writeCompact(m_reply));
}

void TcpAnswer::misbehave()
{
    const server::PeerStreamPtr stream = m_queue->stream();
    if (m_fault->kind == Fault::Kind::Reset || m_fault->kind == Fault::Kind::Empty) {
        done(true);
        return m_fault->kind == Fault::Kind::Reset ? stream->abort(true) : stream->close();
    }
    m_queue->endWhenAnswered();
    send(garbage(m_fault->bytes));
}

void TcpAnswer::send(std::string bytes)
{
    if (bytes.empty())
        return done(true); // nothing is written, and the connection stays
    m_queue->stream()->send(std::make_shared<const std::string>(std::move(bytes)),
                            [self = shared_from_this()](bool delivered) { self->done(delivered); });
}

void TcpAnswer::done(bool delivered)
{
    m_home.counters.finished();
    if (m_record) {
        m_record->request.method = "TCP";
        m_record->requestBodySize = m_request.data.size();
        m_request.data.resize(std::min(m_request.data.size(), m_home.journal->bodyLimit()));
        m_record->request.body = m_request.data;
        if (m_position != CompiledStubs::none) {
            m_record->answeredBy = m_compiled->entries()[m_position].prepared;
            m_record->responseIndex = m_index;
        }
        m_record->fault = m_fault;
        m_record->duration = std::chrono::steady_clock::now() - m_complete;
        m_record->delivered = delivered;
        m_record->message = std::make_shared<RecordedData>(std::move(m_request), m_record->client, std::move(m_reply));
        m_home.journal->append(std::move(m_record));
    }
    m_queue->over();
}

} // namespace wardbench::mock
