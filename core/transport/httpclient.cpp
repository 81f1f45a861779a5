#include "transport/httpclient.h"

#include "transport/clientconnection.h"
#include "transport/clientcore.h"

namespace wardbench {
namespace {

/// Keeps a loop's client with the loop.
class ClientService final : public asio::execution_context::service
{
public:
    using key_type = ClientService;
    static asio::execution_context::id id;

    explicit ClientService(asio::execution_context &context)
        : asio::execution_context::service(context),
          m_client(std::make_unique<HttpClient>(static_cast<asio::io_context &>(context)))
    {
    }
    HttpClient &client() { return *m_client; }

private:
    void shutdown() override { m_client.reset(); }

    std::unique_ptr<HttpClient> m_client;
};

asio::execution_context::id ClientService::id;

} // namespace

HttpCall::HttpCall(HttpRequest &&request, std::shared_ptr<HttpReceiver> receiver)
    : m_request(std::move(request)), m_receiver(std::move(receiver))
{
}

void HttpCall::pause()
{
    m_paused = true;
}

void HttpCall::resume()
{
    m_paused = false;
    bodyReady();
}

void HttpCall::bodyReady()
{
    if (const auto core = m_core.lock(); core && m_connection)
        core->resumeLater(*m_connection);
}

void HttpCall::cancel()
{
    const auto core = m_core.lock();
    if (!core || m_over)
        return;
    if (m_connection)
        return m_connection->fail(HttpFault::Cancelled, "cancelled");
    const HttpCallPtr self = shared_from_this();
    core->forget(self);
    core->endLater(self, HttpFault::Cancelled, "cancelled");
}

HttpClient::HttpClient(asio::io_context &loop, const HttpClientSettings &settings)
    : m_core(std::make_shared<ClientCore>(loop, settings))
{
}

HttpClient::~HttpClient()
{
    m_core->shutDown();
}

HttpClient &HttpClient::of(asio::io_context &loop)
{
    return asio::use_service<ClientService>(loop).client();
}

HttpCallPtr HttpClient::start(HttpRequest request, std::shared_ptr<HttpReceiver> receiver)
{
    auto call = std::make_shared<HttpCall>(std::move(request), std::move(receiver));
    m_core->start(call);
    return call;
}

void HttpClient::cancelAll()
{
    m_core->cancelAll();
}

std::uint64_t HttpClient::sentCount() const
{
    return m_core->sentCount();
}

std::size_t HttpClient::inFlight() const
{
    return m_core->inFlight();
}

std::size_t HttpClient::waiting() const
{
    return m_core->waiting();
}

std::size_t HttpClient::idle() const
{
    return m_core->idle();
}

} // namespace wardbench
