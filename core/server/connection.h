#pragma once

#include "http/requestparser.h"
#include "server/peer.h"

#include <memory>
#include <string>

namespace wardbench::server {

class ConnectionExchange;

/// One accepted HTTP/1.x connection: reads requests, hands them on one at a time, writes the answers, closes well.
class Connection final : public Peer
{
public:
    Connection(Hub &hub, Endpoint &endpoint, int descriptor);
    ~Connection() override;

    bool isDue(TimePoint now) const override;
    void timeOut() override;

    // For the exchange.
    void answer(Outgoing &&answer, std::function<void(bool)> &&done);
    void finishAnswer(bool close);
    void openTunnel(io::TlsContext::Ptr tls);

protected:
    void serve() override;
    void opened() override;
    bool busy() const override { return m_busy; }
    void detach() override;
    void closed(bool abortedByClient) override;
    void handshakeFailed(std::string_view reason) override;

private:
    enum class Wait { Handshake, Idle, Head, Body, Answer, Sending, Closing };

    bool mayParse() const;
    void parseAvailable();
    bool parseSome(std::string_view &input);
    void enterTunnel(std::string_view &input);
    void startExchange();
    void askHandler();
    void sendContinue();
    void refuse(int status, std::string_view reason, std::uint64_t offset);
    void endOfStream();
    void updateWait();
    void report(int status, std::string_view reason, std::uint64_t offset) const;

    std::shared_ptr<RequestHandler> m_opener; ///< was told of the opening, is told of the end
    http::RequestParser m_parser;
    std::string m_input; ///< read, not parsed yet
    std::size_t m_inputUsed = 0;
    std::shared_ptr<ConnectionExchange> m_exchange; ///< current, or the last one kept for the next request
    io::TlsContext::Ptr m_tunnel;                   ///< of a tunnel whose first byte has not come yet
    Wait m_wait = Wait::Idle;
    std::uint64_t m_progress = 0; ///< what `m_deadline` counts from: body bytes read, or answer bytes sent
    std::uint64_t m_requests = 0;
    bool m_busy = false; ///< an exchange waits for its answer
    bool m_continueSent = false;
};

} // namespace wardbench::server
