#pragma once

#include "mock/journal.h"
#include "mock/mockservice.h"
#include "mock/proxyrules.h"
#include "script/environment.h"
#include "server/httpserver.h"

#include <memory>
#include <string>
#include <string_view>

namespace wardbench::mock {

/// What a protocol is started with.
struct ProtocolSetup
{
    ImposterPtr imposter;
    StartOptions options;
    std::shared_ptr<Journal> journal; ///< null: requests are counted only
    std::string tlsFolder;            ///< where the certificate of this machine is kept
    bool allowInjection = false;      ///< JavaScript and shell commands of the imposter may run
    ScriptLog log{};                  ///< of scripts; any thread
    ImposterId id = 0;
    Recorder recorder{};
    ProxyRules proxies{};
    ForeignProtocols foreign{};
};

/// One running imposter, whatever it speaks, as MockService sees it. Thread-safe, but for one edit (update, startOver)
/// at a time.
class Protocol
{
public:
    /// Errors (BadInput): the imposter is inactive, or its key, cert, ca or ciphers cannot be used.
    static Result<std::shared_ptr<Protocol>> create(const ProtocolSetup &setup);

    virtual ~Protocol() = default;
    Protocol(const Protocol &) = delete;
    Protocol &operator=(const Protocol &) = delete;

    std::string_view scheme() const { return m_scheme; } ///< of its addresses: "http"
    const std::shared_ptr<Journal> &journal() const { return m_journal; }

    /// What answers on its port; `tls` changes with an update.
    virtual server::Service service() const = 0;
    /// The port of a protocol that opens it itself; none: `service` answers on a port that is opened for it.
    virtual std::optional<std::uint16_t> ownPort() const { return std::nullopt; }
    virtual json::Value metadata() const { return {}; } ///< MockService::metadata
    virtual std::shared_ptr<const AnswerTimings> timings() const { return nullptr; }

    // MockService::ask and askAgain. A protocol without stubs has no answer.
    virtual void ask(const JsonRequest &, asio::io_context &, MockService::Asked done)
    {
        done(json::Value::object(), false);
    }
    virtual bool askAgain(const std::string &, const json::Value &, MockService::Asked) { return false; }

    /// Requests from now on meet this one. Errors as `create`; then the old one stays.
    virtual Result<void> update(const ImposterPtr &imposter, const StartOptions &options) = 0;
    /// Fresh cursors, counters and decision streams, after the connections were closed.
    virtual void startOver(const StartOptions &options) = 0;
    /// Before the first request: how often each stub counts as used already.
    virtual void goOnFrom(const std::vector<std::uint64_t> &) {}
    /// Answers from now on end their connection.
    virtual void drain() = 0;
    /// Frees what still waits, after the connections were cut.
    virtual void letGo() {}

    virtual ImposterPtr imposter() const = 0;
    virtual ImposterCounters counters() const = 0;
    virtual MatchExplanation explain(const http::Request &request, std::string_view client) const = 0;

protected:
    Protocol(std::string scheme, std::shared_ptr<Journal> journal)
        : m_scheme(std::move(scheme)), m_journal(std::move(journal))
    {
    }

private:
    const std::string m_scheme;
    const std::shared_ptr<Journal> m_journal;
};

/// Denied when it has scripts and they may not run.
Result<void> scriptsAllowed(const Imposter &imposter, bool allowInjection);
/// "imposter "NAME": PROBLEM".
Error imposterError(const Imposter &imposter, const std::string &problem);

} // namespace wardbench::mock
