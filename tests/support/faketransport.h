#pragma once

#include "transport/transport.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace wardbench::test {

/// What the fake server does with one request.
struct FakeAnswer
{
    int status = 200;
    Nanoseconds delay{0};
    TransportError error = TransportError::None; ///< instead of a response
    std::string body = "ok";
    http::Headers headers{};
    Nanoseconds queue{0}; ///< part of the delay spent waiting for a connection
};

/// A transport without a network: answers come from a function of the request and of how many requests came before,
/// after their delay on the given scheduler. Remembers what it was sent.
class FakeTransport final : public Transport
{
public:
    using Server = std::function<FakeAnswer(const ClientRequest &request, std::size_t earlier)>;

    explicit FakeTransport(Scheduler &scheduler, Server server = {})
        : m_scheduler(scheduler), m_server(std::move(server))
    {
    }
    /// The same answer always.
    FakeTransport(Scheduler &scheduler, FakeAnswer answer)
        : FakeTransport(scheduler, [answer](const ClientRequest &, std::size_t) { return answer; })
    {
    }
    /// One after the other; the last one stays.
    FakeTransport(Scheduler &scheduler, std::vector<FakeAnswer> answers)
        : FakeTransport(scheduler, [answers](const ClientRequest &, std::size_t earlier) {
              return answers[std::min(earlier, answers.size() - 1)];
          })
    {
    }

    void send(const ClientRequestPtr &request, ReplyCallback callback) override
    {
        const FakeAnswer answer = m_server ? m_server(*request, requests.size()) : FakeAnswer{};
        requests.push_back(request);
        sentAt.push_back(m_scheduler.clock().now());
        const std::uint64_t id = ++m_lastId;
        Pending &pending = m_pending[id];
        pending.callback = std::move(callback);
        pending.reply.timings.called = m_scheduler.clock().now();
        pending.reply.timings.sent = pending.reply.timings.called + answer.queue;
        setOutcome(pending.reply, answer);
        m_scheduler.after(answer.delay, [this, alive = std::weak_ptr<int>(m_alive), id] {
            if (!alive.expired())
                finish(id);
        });
    }
    void cancelAll() override
    {
        ++cancels;
        for (auto &[id, pending] : m_pending) {
            pending.reply.response = nullptr;
            pending.reply.error = TransportError::Cancelled;
            m_scheduler.post([this, alive = std::weak_ptr<int>(m_alive), id = id] {
                if (!alive.expired())
                    finish(id);
            });
        }
    }
    std::uint64_t sentCount() const override { return requests.size(); }
    std::uint64_t lastSend() const override { return m_lastId; }
    void cancel(std::uint64_t send) override
    {
        const auto pending = m_pending.find(send);
        if (pending == m_pending.end())
            return;
        cancelled.push_back(send);
        pending->second.reply.response = nullptr;
        pending->second.reply.error = TransportError::Cancelled;
        m_scheduler.post([this, alive = std::weak_ptr<int>(m_alive), send] {
            if (!alive.expired())
                finish(send);
        });
    }
    std::size_t hits() const { return requests.size(); }

    std::vector<ClientRequestPtr> requests; ///< in arrival order
    std::vector<TimePoint> sentAt;
    std::vector<std::uint64_t> cancelled; ///< numbers of single requests, from 1
    int cancels = 0;

private:
    struct Pending
    {
        Reply reply;
        ReplyCallback callback;
    };

    static void setOutcome(Reply &reply, const FakeAnswer &answer)
    {
        if (answer.error != TransportError::None) {
            reply.error = answer.error;
            reply.errorText = errorName(answer.error);
            return;
        }
        auto response = std::make_shared<http::Response>();
        response->status = answer.status;
        response->headers = answer.headers;
        response->body = answer.body;
        reply.response = std::move(response);
    }
    void finish(std::uint64_t id)
    {
        const auto node = m_pending.extract(id);
        if (!node)
            return;
        Reply reply = node.mapped().reply;
        reply.timings.done = m_scheduler.clock().now();
        node.mapped().callback(reply);
    }

    Scheduler &m_scheduler;
    Server m_server;
    std::map<std::uint64_t, Pending> m_pending;
    std::uint64_t m_lastId = 0;
    std::shared_ptr<int> m_alive = std::make_shared<int>();
};

} // namespace wardbench::test
