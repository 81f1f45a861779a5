#pragma once

#include "http/requestparser.h"
#include "io/poller.h"
#include "server/hub.h"
#include "server/outputqueue.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace wardbench::server {

class ConnectionExchange;

/// One accepted HTTP/1.x connection: reads requests, hands them on one at a time, writes the answers, closes well.
/// Belongs to its hub and its thread.
class Connection final : public io::Poller::Client
{
public:
    enum class Cut { Quiet, ByClient, Reset };

    Connection(Hub &hub, Endpoint &endpoint, int descriptor);
    ~Connection();
    Connection(const Connection &) = delete;
    Connection &operator=(const Connection &) = delete;

    void start(io::Poller &poller);
    void ready(std::uint32_t events) override;
    /// Goes on after an answer, or where it stopped to let others go first.
    void resume();
    /// Closes at once and tells everyone who waits for it.
    void cut(Cut how);

    bool isDue(TimePoint now) const;
    void timeOut();

    Endpoint &endpoint() const { return m_endpoint; }
    Hub &hub() const { return m_hub; }
    const std::string &client() const { return m_client; }

    // For the exchange.
    void answer(Outgoing &&answer, std::function<void(bool)> &&done);
    void answerPart(std::shared_ptr<const std::string> &&bytes, std::function<void(bool)> &&done);
    void finishAnswer(bool close);
    std::size_t unacknowledged() const;

private:
    enum class Wait { Idle, Head, Body, Answer, Sending, Drain };
    struct Pending
    {
        std::uint64_t end;
        std::function<void(bool)> done;
    };

    bool open() const { return m_descriptor >= 0; }
    bool mayParse() const;
    void serve();
    void parseAvailable();
    bool parseSome(std::string_view &input);
    bool read(std::string_view &input);
    void startExchange();
    void noteOutput();
    void sendContinue();
    void refuse(int status, std::string_view reason, std::uint64_t offset);
    void closeAfterAnswers();
    void endOfStream();
    void flush();
    void reportSent();
    void startDrain();
    void drain();
    void updateWait();
    void report(int status, std::string_view reason, std::uint64_t offset) const;

    Hub &m_hub;
    Endpoint &m_endpoint;
    int m_descriptor;
    std::shared_ptr<RequestHandler> m_opener; ///< was told of the opening, is told of the end
    std::string m_client;
    http::RequestParser m_parser;
    std::string m_input; ///< read, not parsed yet
    std::size_t m_inputUsed = 0;
    OutputQueue m_output;
    std::vector<Pending> m_pending;                 ///< answers not wholly sent, whose sender wants to know
    std::shared_ptr<ConnectionExchange> m_exchange; ///< current, or the last one kept for the next request
    TimePoint m_deadline;
    Wait m_wait = Wait::Idle;
    std::uint64_t m_progress = 0; ///< what `m_deadline` counts from: body bytes read, or answer bytes sent
    std::uint64_t m_requests = 0;
    std::size_t m_drained = 0;
    bool m_busy = false;     ///< an exchange waits for its answer
    bool m_serving = false;  ///< inside `serve`
    bool m_noted = false;    ///< the hub will call `resume`
    bool m_readable = false; ///< the socket may have bytes
    bool m_finSeen = false;  ///< an event told of the peer's FIN, so reading must go on to the end
    bool m_ended = false;    ///< read to the end of the stream
    bool m_closing = false;  ///< no further request; closes when the answers are out
    bool m_draining = false;
    bool m_continueSent = false;
};

} // namespace wardbench::server
