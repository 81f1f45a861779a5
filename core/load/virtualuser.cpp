// What a virtual user does: iterations, their requests, and those before and after the load.
#include "load/engineprivate.h"

#include <algorithm>

namespace wardbench {

/// A user's next iteration in a closed model, now.
void LoadEngine::Private::iterate(std::size_t index)
{
    User &user = m_users[index];
    user.state = User::State::Idle;
    const TimePoint at = now();
    if (m_deadline && at >= *m_deadline)
        m_timeOver = true;
    const auto &share = scenario.load.iterationsPerUser;
    if (m_state == State::Measuring && share && user.begunInPhase >= *share)
        retire(index);
    if (!moreToStart() || index >= m_active || user.retired)
        m_samples.left(index);
    if (!moreToStart())
        return endPhaseWhenIdle();
    if (index < m_active && !user.retired)
        beginIteration(index, at);
}

/// An iteration of an open model is due, or was a moment ago.
void LoadEngine::Private::arrive(TimePoint due)
{
    if (m_free.empty()) {
        if (scenario.load.queueWhenBusy)
            m_queue.push_back(due);
        else if (m_state == State::Measuring)
            m_recorder.dropped();
        return;
    }
    const std::size_t user = m_free.back();
    m_free.pop_back();
    beginIteration(user, due);
}

void LoadEngine::Private::beginIteration(std::size_t index, TimePoint due)
{
    User &user = m_users[index];
    user.k = m_nextK;
    if (!drawValues(user, index))
        return endPhaseWhenIdle();
    ++m_nextK;
    ++m_started;
    ++m_busy;
    ++user.begun;
    ++user.begunInPhase;
    user.state = User::State::Busy;
    user.due = due;
    if (m_state == State::Measuring)
        m_samples.working(index);
    user.first = m_choice.empty() ? 0 : m_choice.pick(m_choices.unit(user.k));
    user.step = user.first;
    user.end = m_choice.empty() ? m_steps.requests.size() : user.first + 1;
    if (scenario.cookies == Cookies::PerIteration)
        user.cookies = m_aside.cookies;
    if (m_state == State::Measuring && scenario.load.isOpen())
        m_recorder.slipped(now() - due);
    sendRequest(index);
}

/// The values of the iteration; false when a file has no more of them for this user.
bool LoadEngine::Private::drawValues(User &user, std::size_t index)
{
    for (std::size_t i = 0; i < m_variables.size(); ++i) {
        const VariableStream &stream = m_variables[i];
        const std::uint64_t k = stream.variable().perUser ? user.begun : user.k;
        if (stream.variable().stopAtEnd && stream.ended(k)) {
            if (stream.variable().perUser)
                retire(index);
            else
                m_timeOver = true;
            return false;
        }
        if (m_steps.used[i])
            user.values[i] = stream.value(k);
    }
    return true;
}

void LoadEngine::Private::retire(std::size_t index)
{
    if (!m_users[index].retired)
        ++m_retired;
    m_users[index].retired = true;
}

/// The user's current request with its cookies.
ClientRequestPtr LoadEngine::Private::makeRequest(User &user, const PreparedStep &step) const
{
    ClientRequestPtr request = step.request.make(user.values);
    if (m_samples.wanted())
        user.sent = request;
    if (scenario.cookies == Cookies::Off)
        return request;
    if (const std::string cookie = user.cookies.header(request->host, request->path, request->scheme == "https");
        !cookie.empty()) {
        auto withCookie = std::make_shared<ClientRequest>(*request);
        const std::string *own = withCookie->headers.find("cookie");
        withCookie->headers.set("Cookie", own ? *own + "; " + cookie : cookie);
        request = std::move(withCookie);
    }
    user.sent = request;
    return request;
}

void LoadEngine::Private::sendRequest(std::size_t index)
{
    User &user = m_users[index];
    user.called = now();
    ++m_inFlight;
    live.started.fetch_add(1, std::memory_order_relaxed);
    if (m_state == State::Measuring)
        m_recorder.started(user.called);
    // Two words: fits std::function without an allocation. The engine outlives its requests.
    transport.send(makeRequest(user, m_steps.requests[user.step]),
                   [this, index](const Reply &reply) { answered(index, reply); });
}

void LoadEngine::Private::answered(std::size_t index, const Reply &reply)
{
    const TimePoint end = now();
    User &user = m_users[index];
    const PreparedStep &step = m_steps.requests[user.step];
    --m_inFlight;
    const bool cutByStop = m_cancelling && m_stopping && reply.error == TransportError::Cancelled;
    if (!cutByStop) {
        record(index, end, reply);
        takeOver(user, step, reply);
    }
    const Nanoseconds pause = m_stopping ? Nanoseconds(0) : step.thinkTime.draw(m_thinkTimes, user.k, 1 + user.step);
    if (pause.count() > 0)
        later(pause, &Private::goOn, index);
    else
        goOn(index);
}

void LoadEngine::Private::record(std::size_t index, TimePoint end, const Reply &reply)
{
    const User &user = m_users[index];
    const PreparedStep &step = m_steps.requests[user.step];
    const bool open = scenario.load.isOpen();
    const Nanoseconds service = end - user.called;
    // What a client of an open system feels: the wait for the iteration's begin is part of its first request.
    const Nanoseconds latency = open && user.step == user.first ? end - user.due : service;
    const std::string kind = errorKind(step.success, reply);
    ++m_completed;
    live.completed.fetch_add(1, std::memory_order_relaxed);
    if (!kind.empty())
        live.errors.fetch_add(1, std::memory_order_relaxed);
    if (!reply.failed())
        m_recent.record(latency.count());
    if (m_state != State::Measuring)
        return;
    m_recorder.completed(end, latency, reply, kind, user.step);
    if (m_samples.wanted())
        m_samples.tell(index, scenario.requests.empty() ? std::string() : step.name, *user.sent, reply, kind,
                       user.called, end);
    if (open && !reply.failed())
        m_recorder.serviceTime(service);
    const std::vector<Check> &checks = step.rules.checks();
    for (std::size_t i = 0; i < checks.size(); ++i)
        m_recorder.checked(checks[i].name, step.rules.holds(i, reply, service), user.step);
}

/// Cookies and variables out of the answer.
void LoadEngine::Private::takeOver(User &user, const PreparedStep &step, const Reply &reply)
{
    if (user.sent && !reply.failed() && scenario.cookies != Cookies::Off)
        user.cookies.take(user.sent->host, user.sent->path, reply.response->headers);
    user.sent = nullptr;
    for (std::size_t i = 0; i < step.into.size(); ++i)
        user.values[step.into[i]] = step.rules.value(i, reply);
}

void LoadEngine::Private::goOn(std::size_t index)
{
    User &user = m_users[index];
    ++user.step;
    if (user.step < user.end && !m_stopping && !m_cancelling)
        return sendRequest(index);
    endIteration(index);
}

void LoadEngine::Private::endIteration(std::size_t index)
{
    User &user = m_users[index];
    user.state = User::State::Idle;
    --m_busy;
    if (m_state == State::Measuring && user.step >= user.end)
        m_recorder.iterationEnded();
    if (scenario.load.isOpen()) {
        if (m_queue.empty() || m_stopping) {
            m_samples.left(index);
            m_free.push_back(index);
        } else {
            const TimePoint due = m_queue.front();
            m_queue.pop_front();
            beginIteration(index, due);
        }
    } else if (const Nanoseconds pause = scenario.load.thinkTime.draw(m_thinkTimes, user.k); pause.count() > 0) {
        user.state = User::State::Scheduled;
        later(pause, &Private::iterate, index);
    } else if (moreToStart()) {
        iterate(index);
    } else {
        m_samples.left(index);
    }
    endPhaseWhenIdle();
}

/// The requests before the load or after it, one after the other. Those after it are sent even when the run was
/// stopped, for they clean up.
void LoadEngine::Private::runAside(State state)
{
    m_state = state;
    ++m_phase;
    m_aside.step = 0;
    m_aside.end = (state == State::SettingUp ? m_steps.setup : m_steps.teardown).size();
    if (m_aside.end == 0)
        return endAside();
    for (std::size_t i = 0; i < m_variables.size(); ++i)
        m_aside.values[i] = m_variables[i].value(0);
    sendAside(0);
}

void LoadEngine::Private::sendAside(std::size_t)
{
    const auto &list = m_state == State::SettingUp ? m_steps.setup : m_steps.teardown;
    ++m_inFlight;
    transport.send(makeRequest(m_aside, list[m_aside.step]), [this](const Reply &reply) { answeredAside(reply); });
}

void LoadEngine::Private::answeredAside(const Reply &reply)
{
    --m_inFlight;
    const bool before = m_state == State::SettingUp;
    const PreparedStep &step = (before ? m_steps.setup : m_steps.teardown)[m_aside.step];
    if (const std::string kind = errorKind(step.success, reply); !kind.empty()) {
        std::string &text = before ? failure : remark;
        text = std::string("the ") + (before ? "setup" : "teardown") + " request \"" + step.name + "\" failed: " + kind;
    }
    takeOver(m_aside, step, reply);
    ++m_aside.step;
    if (m_aside.step == m_aside.end || (before && (m_stopping || !failure.empty())))
        return next(&Private::endAside);
    later(step.thinkTime.draw(m_thinkTimes, 0, 1 + m_aside.step), &Private::sendAside);
}

void LoadEngine::Private::endAside()
{
    if (m_state == State::SettingUp)
        beginLoad();
    else
        finish();
}

} // namespace wardbench
