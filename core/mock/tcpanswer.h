#pragma once

#include "match/requestview.h"
#include "mock/answerstep.h"
#include "mock/compiledimposter.h"
#include "mock/journal.h"
#include "mock/streamcounters.h"
#include "server/streamhandler.h"

#include <asio/steady_timer.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace wardbench::mock {

/// The answers that one connection waits for. Belongs to its thread.
class TcpQueue
{
public:
    /// `draining`: the connection ends with the answers that wait now. Must outlive this.
    TcpQueue(server::PeerStreamPtr stream, const std::atomic<bool> &draining)
        : m_stream(std::move(stream)), m_draining(draining)
    {
    }

    const server::PeerStreamPtr &stream() const { return m_stream; }
    void begun();
    void over();
    /// No request comes any more: the last answer ends the connection.
    void endWhenAnswered();

private:
    static constexpr std::size_t most = 1000; ///< beyond which no further request is read

    const server::PeerStreamPtr m_stream;
    const std::atomic<bool> &m_draining;
    std::size_t m_waiting = 0;
    bool m_ending = false;
};

/// One request over tcp, from its last byte to its answer's.
class TcpAnswer final : public std::enable_shared_from_this<TcpAnswer>
{
public:
    /// What answers of one imposter share; `owner` keeps the rest alive.
    struct Home
    {
        std::shared_ptr<void> owner;
        AnswerServices &services;
        StreamCounters &counters;
        const std::shared_ptr<Journal> &journal;
    };

    static void start(const Home &home, std::shared_ptr<TcpQueue> queue, CompiledImposter::Ptr compiled,
                      std::string data);

private:
    TcpAnswer(const Home &home, std::shared_ptr<TcpQueue> queue, CompiledImposter::Ptr compiled, std::string data);

    void decide();
    void make();
    void wait(TimePoint due);
    void give(const json::Value &answer);
    void fail(json::Value error);
    void misbehave();
    void send(std::string bytes);
    void done(bool delivered);

    const Home m_home;
    const std::shared_ptr<TcpQueue> m_queue;
    const CompiledImposter::Ptr m_compiled;
    const TimePoint m_complete = std::chrono::steady_clock::now();
    const http::Request m_noRequest{}; ///< of http
    TcpRequest m_request;
    std::size_t m_position;
    std::size_t m_index = 0;
    std::uint64_t m_k = 0;
    const Fault *m_fault = nullptr; ///< in the stub
    std::optional<AnswerContext> m_context;
    std::optional<asio::steady_timer> m_timer;
    std::shared_ptr<JournalRecord> m_record;
    json::Value m_reply; ///< mountebank's response object, as it was sent
};

} // namespace wardbench::mock
