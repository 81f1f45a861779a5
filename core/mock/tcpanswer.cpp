#include "mock/tcpanswer.h"

#include "match/requestjson.h"
#include "match/text.h"
#include "mock/delivery.h"
#include "mock/wiretext.h"
#include "script/scriptoutcome.h"
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

json::Value reply(std::string data)
{
    return json::Value(json::Members{{"data", std::move(data)}});
}

} // namespace

void TcpQueue::begun()
{
    if (++m_waiting >= most)
        m_stream->pause(true);
}

void TcpQueue::whenFree(bool inPieces, std::function<void()> send)
{
    if (m_taken)
        return m_ready.push_back({inPieces, std::move(send)});
    m_taken = inPieces;
    send();
}

void TcpQueue::over(bool inPieces)
{
    if (inPieces)
        m_taken = false;
    while (!m_taken && !m_ready.empty()) {
        const Ready next = std::move(m_ready.front());
        m_ready.pop_front();
        whenFree(next.inPieces, next.send);
    }
    if (m_waiting-- == most)
        m_stream->pause(false);
    if (m_waiting == 0 && (m_ending || m_home->isDraining()))
        m_stream->close();
}

void TcpQueue::endWhenAnswered()
{
    m_ending = true;
    if (m_waiting == 0)
        m_stream->close();
}

TcpAnswer::TcpAnswer(std::shared_ptr<RunningImposter> home, Lane &lane, std::shared_ptr<TcpQueue> queue,
                     std::string data)
    : PendingAnswer(std::move(home), lane, queue->stream()->loop(), queue->stream()->client(),
                    std::chrono::steady_clock::now()),
      m_queue(std::move(queue)), m_imposter(lane.imposter), m_request{std::move(data), m_imposter->imposter()->binary}
{
    m_queue->begun();
}

AnswerContext TcpAnswer::contextWith(std::shared_ptr<ScriptHost> scripts) const
{
    const server::PeerStreamPtr &stream = m_queue->stream();
    return {m_request,         m_imposter->imposter()->endOfRequestScript,
            stream->client(),  stream->loop(),
            home().services(), std::move(scripts)};
}

void TcpAnswer::describe(JournalRecord &record) const
{
    record.request.method = "TCP";
    record.requestBodySize = m_request.data.size();
    TcpRequest kept = m_request;
    kept.data.resize(std::min(kept.data.size(), home().journal()->bodyLimit()));
    record.request.body = kept.data;
    record.message = std::make_shared<RecordedData>(std::move(kept), record.client, m_reply);
}

void TcpAnswer::give()
{
    m_queue->whenFree(spoiler() != nullptr, [self = std::static_pointer_cast<TcpAnswer>(shared_from_this()),
                                             bytes = bytes()]() mutable { self->send(std::move(bytes)); });
}

std::string TcpAnswer::bytes()
{
    if (!failure().isNull())
        return bytesOfError(failure());
    if (&stub() == m_imposter->overCapacity().get())
        return bytesOfError(json::Members{{"code", stub().label()}, {"message", "all places are taken"}});
    const AnswerContext *context = made();
    if (!context)
        return bytesOf(stub().stub() ? stub().stub()->responses[index()].is.source : json::Value());
    if (context->failed())
        return bytesOfError(context->failure());
    if (const http::Response *upstream = context->unchangedUpstream()) {
        m_reply = reply(context->answer["data"].text());
        return upstream->body;
    }
    return bytesOf(context->answer);
}

/// Merged with the default response field by field, and there is one field.
std::string TcpAnswer::bytesOf(const json::Value &answer)
{
    const std::optional<IsResponse> &fallback = m_imposter->imposter()->defaultResponse;
    json::Value data = answer["data"];
    if (!data.isTruthy())
        data = fallback && fallback->data && fallback->data->isTruthy() ? *fallback->data : json::Value("");
    if (std::optional<std::string> bytes = bufferBytes(data)) {
        m_reply = reply(m_request.binary ? encodeBase64(*bytes) : toValidUtf8(*bytes));
        return std::move(*bytes);
    }
    const std::string text = scalarText(data);
    m_reply = reply(text);
    return m_request.binary ? decodeBase64(text) : text;
}

std::string TcpAnswer::bytesOfError(json::Value error)
{
    m_reply = json::Value(json::Members{{"errors", json::Array{std::move(error)}}});
    return json::writeCompact(m_reply);
}

void TcpAnswer::send(std::string bytes)
{
    const auto over = [self = std::static_pointer_cast<TcpAnswer>(shared_from_this())](bool delivered) {
        self->done(delivered);
    };
    if (record()) {
        describe(*record());
        answering();
    }
    if (!spoiler() && bytes.empty())
        return done(true); // nothing is written, and the connection stays
    auto shared = std::make_shared<const std::string>(std::move(bytes));
    if (!spoiler())
        return m_queue->stream()->send(std::move(shared), over);
    Fault fault = *spoiler();
    if (fault.kind == Fault::Kind::MalformedChunk)
        fault.kind = Fault::Kind::Garbage; // there are no chunks
    AnswerParts parts;
    const std::size_t size = shared->size();
    parts.body = BodySource::memory(std::move(shared), 0, size);
    Delivery::start(m_queue->stream(), std::move(parts), fault, over);
}

void TcpAnswer::done(bool delivered)
{
    const bool inPieces = spoiler() != nullptr;
    over(delivered);
    m_queue->over(inPieces);
}

} // namespace wardbench::mock
