#pragma once

#include "transport/transport.h"

#include <functional>
#include <map>
#include <vector>

namespace wardbench::test {

/// Answers every request after a delay, from the scheduler; what to answer is up to the test.
class ScriptedTransport final : public Transport
{
public:
    struct Answer
    {
        Nanoseconds delay{std::chrono::milliseconds(80)};
        int status = 200;
        std::string body;
        TransportError error = TransportError::None;
        bool never = false; ///< until cancelled
        http::Headers headers{};
    };

    explicit ScriptedTransport(Scheduler &scheduler) : m_scheduler(scheduler) {}

    std::function<Answer(const ClientRequest &)> respond = [](const ClientRequest &) {
        return Answer();
    };
    std::vector<ClientRequestPtr> requests;
    int inFlight = 0, mostInFlight = 0;

    void send(const ClientRequestPtr &request, ReplyCallback callback) override
    {
        requests.push_back(request);
        mostInFlight = std::max(mostInFlight, ++inFlight);
        const std::uint64_t id = m_next++;
        m_waiting.emplace(id, Waiting{std::move(callback), m_scheduler.clock().now()});
        const Answer answer = respond(*request);
        if (!answer.never)
            m_scheduler.after(answer.delay, [this, id, answer] { deliver(id, answer); });
    }
    void cancelAll() override
    {
        Answer cancelled;
        cancelled.error = TransportError::Cancelled;
        while (!m_waiting.empty())
            deliver(m_waiting.begin()->first, cancelled);
    }
    std::uint64_t sentCount() const override { return requests.size(); }

private:
    struct Waiting
    {
        ReplyCallback callback;
        TimePoint called;
    };

    void deliver(std::uint64_t id, const Answer &answer)
    {
        auto waiting = m_waiting.extract(id);
        if (waiting.empty())
            return;
        --inFlight;
        Reply reply;
        reply.error = answer.error;
        reply.timings = {waiting.mapped().called, waiting.mapped().called + std::chrono::milliseconds(1),
                         m_scheduler.clock().now()};
        if (answer.error == TransportError::None) {
            auto response = std::make_shared<http::Response>();
            response->status = answer.status;
            response->body = answer.body;
            response->headers = answer.headers;
            reply.response = response;
        }
        waiting.mapped().callback(reply);
    }

    Scheduler &m_scheduler;
    std::map<std::uint64_t, Waiting> m_waiting;
    std::uint64_t m_next = 0;
};

} // namespace wardbench::test
