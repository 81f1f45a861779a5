#include "warden/head.h"

#include <algorithm>

namespace wardbench::warden {

Call &Head::open(const ClientRequestPtr &request, ReplyCallback callback)
{
    Call &call = m_surroundings.calls().take(m_surroundings.now());
    call.request = request;
    call.callback = std::move(callback);
    return call;
}

void Head::answer(Call &call, const Reply &reply)
{
    ++call.generation;
    call.state = Call::State::Ready;
    call.reply = reply;
    call.reply.attempts = call.attempts;
    call.reply.joined = call.joined;
    call.reply.fromCache = call.fromCache;
    call.reply.timings.called = call.called;
    call.reply.timings.sent = call.called + call.queued;
    call.next = nullptr;
    (m_firstReady ? m_lastReady->next : m_firstReady) = &call;
    m_lastReady = &call;
    if (!m_posted)
        post();
}

void Head::cancelCalls()
{
    std::vector<Call *> underWay;
    for (Call &call : m_surroundings.calls().all()) {
        if (call.state == Call::State::UnderWay && call.owner)
            m_surroundings.calls().giveBack(call);
        else if (call.state == Call::State::UnderWay)
            underWay.push_back(&call);
    }
    std::sort(underWay.begin(), underWay.end(), [](const Call *a, const Call *b) { return a->id < b->id; });
    const Reply cancelled = refusal(TransportError::Cancelled, m_surroundings.now());
    for (Call *call : underWay)
        answer(*call, cancelled);
}

void Head::post()
{
    m_posted = true;
    m_surroundings.scheduler().post([this, owner = m_surroundings.owner()] {
        if (const auto alive = owner.lock())
            drain();
    });
}

void Head::drain()
{
    m_posted = false; // so that outcomes also flow when a callback runs an event loop of its own
    for (int delivered = 0; m_firstReady && delivered < batch && !m_closed; ++delivered) {
        Call &call = *m_firstReady;
        m_firstReady = call.next;
        deliver(call);
    }
    if (m_firstReady && !m_posted && !m_closed)
        post();
}

void Head::deliver(Call &call)
{
    try {
        call.callback(call.reply);
    } catch (...) {
        ++m_failedCallbacks; // the other callers still get their answers
    }
    m_surroundings.calls().giveBack(call);
}

} // namespace wardbench::warden
