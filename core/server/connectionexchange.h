#pragma once

#include "server/requesthandler.h"

namespace wardbench::server {

class Connection;

/// The exchange of a socket connection. One object serves request after request while nobody else holds it.
class ConnectionExchange final : public Exchange
{
public:
    ConnectionExchange(Connection *connection, asio::io_context &loop, const std::string &client)
        : m_connection(connection), m_loop(loop), m_client(client)
    {
    }

    const http::Request &request() const override { return m_request; }
    http::Request takeRequest() override { return std::move(m_request); }
    const std::string &client() const override { return m_client; }
    asio::io_context &loop() const override { return m_loop; }
    TimePoint requestComplete() const override { return m_complete; }
    bool wantsClose() const override { return m_wantsClose; }
    void respond(Outgoing answer, std::function<void(bool delivered)> done) override;
    void send(std::shared_ptr<const std::string> bytes, std::function<void(bool delivered)> done) override;
    void finish(bool close) override;
    std::size_t unacknowledged() const override;
    bool over() const override { return m_connection == nullptr; }
    void tunnel(io::TlsContext::Ptr tls) override;
    void abort(bool reset) override;

private:
    friend class Connection;

    void notDelivered(std::function<void(bool delivered)> done);

    Connection *m_connection; ///< null when answered, or when the connection is gone
    asio::io_context &m_loop;
    std::string m_client;
    http::Request m_request;
    TimePoint m_complete;
    bool m_wantsClose = false;
    bool m_headRequest = false; ///< known even after the request was taken
    bool m_bodyOnly = false;    ///< HTTP/0.9
};

} // namespace wardbench::server
