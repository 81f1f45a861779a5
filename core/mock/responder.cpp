#include "mock/responder.h"

#include "http/messagewriter.h"
#include "mock/httpanswer.h"

namespace wardbench::mock {

std::optional<std::uint64_t> Responder::keptBody() const
{
    if (m_home->readsBodies())
        return std::nullopt;
    return m_home->isRecording() ? m_home->journal()->bodyLimit() : 0;
}

void Responder::handle(const server::ExchangePtr &exchange)
{
    if (exchange->request().method == "CONNECT")
        return m_tunnels->open(exchange); // no request to the stubs
    Lane &lane = m_home->laneOf(exchange->loop());
    add(lane.received);
    AnswerForm form = AnswerForm::of(*exchange);
    form.close = form.close || m_home->isDraining();
    const CompiledImposter &imposter = *lane.imposter;
    if (lane.journal || imposter.isSlow())
        return std::make_shared<HttpAnswer>(m_home, lane, exchange, form)->begin();
    const std::size_t position = imposter.stubs().match(exchange->request(), exchange->client());
    const PreparedStub &stub =
        position == CompiledStubs::none ? *imposter.noMatch() : *imposter.entries()[position].prepared;
    if (stub.empty() || !stub.plain())
        return std::make_shared<HttpAnswer>(m_home, lane, exchange, form)->begin(position);
    std::size_t index = 0;
    if (position == CompiledStubs::none) {
        add(lane.unmatched);
    } else {
        StubState &state = *imposter.entries()[position].state;
        index = stub.pick(state, state.nextDecision());
    }
    add(lane.started);
    // The connection keeps this handler, and so the lane, until the answer is out; 16 bytes need no allocation.
    exchange->respond(
        stub.response(index).outgoing(form, http::dateNow()),
        [lane = &lane, epoch = lane.epoch.load(std::memory_order_relaxed)](bool) { lane->finish(epoch); });
}

} // namespace wardbench::mock
