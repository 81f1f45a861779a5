#include "mock/tcpprotocol.h"

#include "mock/scriptsteps.h"
#include "mock/tcpanswer.h"

namespace wardbench::mock {
namespace {

constexpr std::size_t mostHeld = 64u << 20; ///< bytes of a request whose end is not found

/// One connection.
class TcpSession final : public server::StreamSession
{
public:
    TcpSession(std::shared_ptr<RunningImposter> home, server::PeerStreamPtr stream)
        : m_home(std::move(home)), m_stream(std::move(stream)), m_queue(std::make_shared<TcpQueue>(m_home, m_stream))
    {
        m_home->connectionOpened();
    }

    void received(std::string_view bytes) override
    {
        const Lane &lane = m_home->laneOf(m_stream->loop());
        const std::shared_ptr<ScriptHost> &scripts = lane.imposter->scripts();
        const Imposter &imposter = *lane.imposter->imposter();
        m_input.append(bytes);
        if (imposter.endOfRequestScript.empty() || !scripts)
            return answer();
        if (m_input.size() > mostHeld)
            return m_stream->abort(true);
        m_stream->pause(true); // until the script has spoken
        askForEnd(*scripts, imposter.endOfRequestScript, m_input, imposter.binary, m_stream->loop(),
                  [link = m_link](bool whole) {
                      if (TcpSession *self = link->session)
                          self->judged(whole);
                  });
    }
    void ended() override { m_queue->endWhenAnswered(); }
    void closed(bool abortedByClient) override
    {
        m_link->session = nullptr;
        m_home->connectionClosed(abortedByClient);
    }

private:
    /// What a script's late word finds, also when the session is gone.
    struct Link
    {
        TcpSession *session;
    };

    void judged(bool whole)
    {
        m_stream->pause(false);
        if (whole)
            answer();
    }

    void answer()
    {
        Lane &lane = m_home->laneOf(m_stream->loop());
        add(lane.received);
        std::make_shared<TcpAnswer>(m_home, lane, m_queue, std::exchange(m_input, {}))->begin();
    }

    const std::shared_ptr<RunningImposter> m_home;
    const server::PeerStreamPtr m_stream;
    const std::shared_ptr<TcpQueue> m_queue;
    const std::shared_ptr<Link> m_link = std::make_shared<Link>(Link{this});
    std::string m_input; ///< of a request that is not whole
};

} // namespace

server::Service TcpProtocol::service() const
{
    // The listener shares in this object, which is never a constant.
    return {{}, std::const_pointer_cast<TcpProtocol>(shared_from_this()), {}};
}

MatchExplanation TcpProtocol::explain(const http::Request &request, std::string_view client) const
{
    return home()->explain(TcpRequest{request.body, imposter()->binary}, client);
}

std::unique_ptr<server::StreamSession> TcpProtocol::opened(const server::PeerStreamPtr &stream)
{
    return std::make_unique<TcpSession>(home(), stream);
}

} // namespace wardbench::mock
