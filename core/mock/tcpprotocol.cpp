#include "mock/tcpprotocol.h"

#include "match/requestjson.h"
#include "mock/tcpanswer.h"

#include <algorithm>

namespace wardbench::mock {
namespace {

constexpr std::size_t mostHeld = 64u << 20; ///< bytes of a request whose end is not found

/// What of a tcp imposter is not run yet.
Result<void> runnable(const Imposter &imposter, const RequestEndRule &requestEnd)
{
    if (!imposter.endOfRequestScript.empty() && !requestEnd)
        return imposterError(imposter, "endOfRequestResolver is JavaScript, which is not run here");
    for (const StubPtr &stub : imposter.stubs) {
        const auto proxies = [](const Response &response) {
            return response.kind == Response::Kind::Proxy;
        };
        if (stub->hasScript() || std::any_of(stub->responses.begin(), stub->responses.end(), proxies))
            return imposterError(imposter, "scripts and proxies of tcp imposters are not run by this version");
    }
    return {};
}

} // namespace

/// One connection.
class TcpProtocol::Session final : public server::StreamSession
{
public:
    Session(std::shared_ptr<TcpProtocol> protocol, server::PeerStreamPtr stream)
        : m_protocol(std::move(protocol)), m_stream(std::move(stream)),
          m_queue(std::make_shared<TcpQueue>(m_stream, m_protocol->m_draining))
    {
        m_protocol->m_counters.connected();
    }

    void received(std::string_view bytes) override
    {
        const CompiledImposter::Ptr compiled = m_protocol->compiled();
        if (compiled->imposter()->endOfRequestScript.empty() || !m_protocol->m_requestEnd)
            return answer(compiled, std::string(bytes));
        m_input.append(bytes);
        if (m_input.size() > mostHeld)
            return m_stream->abort(true);
        m_stream->pause(true); // until the rule has spoken
        m_protocol->m_requestEnd(*compiled->imposter(), m_input, m_stream->loop(), [link = m_link](bool whole) {
            if (Session *self = link->session)
                self->judged(whole);
        });
    }
    void ended() override { m_queue->endWhenAnswered(); }
    void closed(bool abortedByClient) override
    {
        m_link->session = nullptr;
        m_protocol->m_counters.disconnected(abortedByClient);
    }

private:
    /// What a rule's late word finds, also when the session is gone.
    struct Link
    {
        Session *session;
    };

    void judged(bool whole)
    {
        if (whole)
            answer(m_protocol->compiled(), std::exchange(m_input, {}));
        m_stream->pause(false);
    }

    void answer(const CompiledImposter::Ptr &compiled, std::string data)
    {
        TcpAnswer::start({m_protocol, m_protocol->m_services, m_protocol->m_counters, m_protocol->journal()}, m_queue,
                         compiled, std::move(data));
    }

    const std::shared_ptr<TcpProtocol> m_protocol;
    const server::PeerStreamPtr m_stream;
    const std::shared_ptr<TcpQueue> m_queue;
    const std::shared_ptr<Link> m_link = std::make_shared<Link>(Link{this});
    std::string m_input; ///< of a request that is not whole
};

TcpProtocol::TcpProtocol(const ProtocolSetup &setup)
    : Protocol("tcp", setup.journal), m_requestEnd(setup.requestEnd),
      m_compiled(CompiledImposter::compile(setup.imposter, setup.options.seed, setup.options.repetition))
{
    m_services.folder = setup.options.folder;
}

Result<std::shared_ptr<Protocol>> TcpProtocol::create(const ProtocolSetup &setup)
{
    if (const auto fine = runnable(*setup.imposter, setup.requestEnd); !fine)
        return fine.error();
    return std::shared_ptr<Protocol>(std::shared_ptr<TcpProtocol>(new TcpProtocol(setup)));
}

server::Service TcpProtocol::service() const
{
    // The listener shares in this object, which is never a constant.
    return {{}, std::const_pointer_cast<TcpProtocol>(shared_from_this()), {}};
}

Result<void> TcpProtocol::update(const ImposterPtr &imposter, const StartOptions &options)
{
    if (const auto fine = runnable(*imposter, m_requestEnd); !fine)
        return fine;
    // The coding of predicates belongs to the mode.
    const CompiledImposter::Ptr before = compiled()->imposter()->binary == imposter->binary ? compiled() : nullptr;
    setCompiled(CompiledImposter::compile(imposter, options.seed, options.repetition, before));
    return {};
}

void TcpProtocol::startOver(const StartOptions &options)
{
    m_counters.reset();
    m_services.counters.reset();
    setCompiled(compiled()->withFreshStates(options.seed, options.repetition));
}

CompiledImposter::Ptr TcpProtocol::compiled() const
{
    const std::lock_guard lock(m_mutex);
    return m_compiled;
}

void TcpProtocol::setCompiled(CompiledImposter::Ptr compiled)
{
    const std::lock_guard lock(m_mutex);
    m_compiled.swap(compiled);
}

ImposterCounters TcpProtocol::counters() const
{
    // Matches before receipts: what is counted as matched is counted as received as well.
    std::vector<StubCounters> stubs;
    for (const CompiledImposter::Entry &entry : compiled()->entries())
        stubs.push_back({entry.state->id, entry.state->uses.load()});
    ImposterCounters counters = m_counters.read();
    counters.stubs = std::move(stubs);
    return counters;
}

MatchExplanation TcpProtocol::explain(const http::Request &request, std::string_view client) const
{
    const CompiledImposter::Ptr now = compiled();
    return now->stubs().explain(TcpRequest{request.body, now->imposter()->binary}, client);
}

std::unique_ptr<server::StreamSession> TcpProtocol::opened(const server::PeerStreamPtr &stream)
{
    return std::make_unique<Session>(shared_from_this(), stream);
}

} // namespace wardbench::mock
