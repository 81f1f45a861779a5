#pragma once

#include "mock/foreignprocess.h"
#include "mock/stubprotocol.h"

#include <mutex>

namespace wardbench::mock {

/// A protocol that a program of its own speaks, started for each imposter (mountebank.md 2.8.9). It listens on the port
/// and asks over REST how each request is answered.
class ForeignProtocol final : public StubProtocol
{
public:
    /// Starts `command` and waits until it is ready. Errors are mountebank's.
    static Result<std::shared_ptr<Protocol>> create(const ProtocolSetup &setup, const std::string &command);

    server::Service service() const override { return {}; }
    std::optional<std::uint16_t> ownPort() const override { return m_port; }
    json::Value metadata() const override { return m_metadata; }
    void letGo() override;
    MatchExplanation explain(const http::Request &, std::string_view) const override { return {}; }

    void ask(const JsonRequest &request, asio::io_context &loop, MockService::Asked done) override;
    bool askAgain(const std::string &key, const json::Value &answer, MockService::Asked done) override;

private:
    ForeignProtocol(const ProtocolSetup &setup, std::unique_ptr<ForeignProcess> process);

    std::uint16_t m_port = 0;
    json::Value m_metadata;
    std::shared_ptr<AskersAway> m_away;
    std::mutex m_mutex;
    std::unique_ptr<ForeignProcess> m_process; ///< null: it was ended
};

} // namespace wardbench::mock
