#pragma once

#include "mock/pendinganswer.h"
#include "server/streamhandler.h"

#include <deque>
#include <functional>
#include <memory>
#include <string>

namespace wardbench::mock {

/// The answers that one connection waits for. Each goes out when it is ready, so a later request may be answered first;
/// but an answer that is sent in pieces is not mixed with others. Belongs to the connection's thread.
class TcpQueue
{
public:
    TcpQueue(std::shared_ptr<RunningImposter> home, server::PeerStreamPtr stream)
        : m_home(std::move(home)), m_stream(std::move(stream))
    {
    }

    const server::PeerStreamPtr &stream() const { return m_stream; }
    void begun();
    /// Runs `send`, now or when the way is free. `inPieces`: it keeps the way until it is `over`.
    void whenFree(bool inPieces, std::function<void()> send);
    void over(bool inPieces);
    /// No request comes any more: the last answer ends the connection.
    void endWhenAnswered();

private:
    struct Ready
    {
        bool inPieces;
        std::function<void()> send;
    };
    static constexpr std::size_t most = 1000; ///< beyond which no further request is read

    const std::shared_ptr<RunningImposter> m_home;
    const server::PeerStreamPtr m_stream;
    std::size_t m_waiting = 0;
    bool m_ending = false;
    bool m_taken = false; ///< by an answer in pieces
    std::deque<Ready> m_ready;
};

/// The answer to a request over tcp.
class TcpAnswer final : public PendingAnswer
{
public:
    TcpAnswer(std::shared_ptr<RunningImposter> home, Lane &lane, std::shared_ptr<TcpQueue> queue, std::string data);

private:
    std::size_t match(const CompiledStubs &stubs, MatchContext &context) const override
    {
        return stubs.match(m_request, m_queue->stream()->client(), &context);
    }
    AnswerContext contextWith(std::shared_ptr<ScriptHost> scripts) const override;
    std::uint64_t requestSize() const override { return m_request.data.size(); }
    void describe(JournalRecord &record) const override;
    void give() override;

    std::string bytes();
    std::string bytesOf(const json::Value &answer);
    std::string bytesOfError(json::Value error);
    void send(std::string bytes);
    void done(bool delivered);

    const std::shared_ptr<TcpQueue> m_queue;
    const CompiledImposter::Ptr m_imposter; ///< as it was when the request was complete
    TcpRequest m_request;
    json::Value m_reply; ///< mountebank's response object, as it was sent
};

} // namespace wardbench::mock
