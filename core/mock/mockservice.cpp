#include "mock/mockservice.h"

#include "mock/holdinghandler.h"
#include "mock/protocol.h"
#include "mock/runningimposter.h"
#include "server/httpserver.h"

#include <QStandardPaths>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

namespace wardbench {
namespace {

std::vector<std::string> urlsOf(std::string_view scheme, const server::Listening &listening)
{
    std::vector<std::string> urls;
    for (const std::string &address : listening.addresses) {
        const bool ipv6 = address.find(':') != std::string::npos;
        const std::string url =
            std::string(scheme) + "://" + (ipv6 ? '[' + address + ']' : address) + ':' + std::to_string(listening.port);
        urls.insert(ipv6 ? urls.end()
                         : std::find_if(urls.begin(), urls.end(),
                                        [](const std::string &known) { return known.find('[') != std::string::npos; }),
                    url);
    }
    return urls;
}

/// The number of threads made explicit, and no larger than an imposter can serve.
MockOptions withThreads(MockOptions options)
{
    if (options.ioThreads <= 0)
        options.ioThreads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    options.ioThreads = std::min(options.ioThreads, mock::RunningImposter::mostThreads);
    return options;
}

std::string userTlsFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation).toStdString() + "/wardbench/tls";
}

/// One running imposter.
struct Running
{
    ImposterId id = 0;
    server::Listening listening;
    StartOptions options;
    std::shared_ptr<mock::Protocol> protocol;
    std::mutex editing; ///< one update or reset at a time; also guards what follows and `options`
    std::shared_ptr<mock::HoldingHandler> holding; ///< stands before the protocol's handler
};
using RunningPtr = std::shared_ptr<Running>;

} // namespace

class MockService::Private
{
public:
    explicit Private(MockOptions given) : options(std::move(given)), server(options.ioThreads, limits(options)) {}

    static server::Limits limits(const MockOptions &options)
    {
        server::Limits limits;
        limits.access = options.access;
        return limits;
    }

    RunningPtr find(ImposterId id) const
    {
        const std::lock_guard lock(mutex);
        const auto found = running.find(id);
        return found == running.end() ? nullptr : found->second;
    }
    std::vector<RunningPtr> all() const
    {
        const std::lock_guard lock(mutex);
        std::vector<RunningPtr> list;
        for (const auto &[id, one] : running)
            list.push_back(one);
        return list;
    }
    static ImposterStatus statusOf(const Running &one)
    {
        return {one.id, one.protocol->imposter(), one.listening.port, urlsOf(one.protocol->scheme(), one.listening),
                one.protocol->counters()};
    }

    /// Under `editing`: requests meet the protocol's handler again, those that waited as well.
    void letThrough(Running &one)
    {
        if (!one.holding)
            return;
        server.setHandler(one.listening.id, one.protocol->service().requests);
        std::exchange(one.holding, nullptr)->letThrough();
    }

    const MockOptions options;
    mutable std::mutex mutex;
    std::map<ImposterId, RunningPtr> running;
    std::atomic<ImposterId> nextId{1};
    const std::shared_ptr<mock::DeniedPorts> deniedPorts = std::make_shared<mock::DeniedPorts>();
    server::HttpServer server; ///< last: its threads end before what they use
};

MockService::MockService(MockOptions options) : d(std::make_unique<Private>(withThreads(std::move(options)))) {}

MockService::~MockService()
{
    stopAll();
}

Result<ImposterStatus> MockService::start(const ImposterPtr &imposter, const StartOptions &options)
{
    auto one = std::make_shared<Running>();
    one->id = d->nextId++;
    one->options = options;
    mock::ProtocolSetup setup{imposter,
                              options,
                              nullptr,
                              d->options.tlsFolder.empty() ? userTlsFolder() : d->options.tlsFolder,
                              d->options.allowInjection,
                              d->options.scriptLog,
                              one->id,
                              d->options.recorder};
    setup.proxies.via = d->options.via;
    setup.proxies.deniedPorts = d->deniedPorts;
    setup.foreign = d->options.foreign;
    if (options.journal) {
        setup.journal = std::make_shared<mock::Journal>(d->options.journalCapacity, d->options.journalBytes,
                                                        d->options.journalBodyLimit, options.journalOnDemand);
    }
    auto protocol = mock::Protocol::create(setup);
    if (!protocol)
        return protocol.error();
    one->protocol = std::move(*protocol);
    one->protocol->goOnFrom(options.cursors);
    if (const auto port = one->protocol->ownPort()) {
        one->listening.port = *port;
    } else {
        const std::string &host = imposter->host.empty() ? d->options.host : imposter->host;
        auto listening = d->server.listen(host, options.anyPort ? 0 : imposter->port, one->protocol->service());
        if (!listening)
            return Error{"imposter \"" + imposter->displayName() + "\": " + listening.error().message,
                         listening.error().code};
        one->listening = *listening;
    }
    const std::lock_guard lock(d->mutex);
    d->running.emplace(one->id, one);
    return Private::statusOf(*one);
}

Result<void> MockService::update(ImposterId id, const ImposterPtr &imposter)
{
    const RunningPtr one = d->find(id);
    if (!one)
        return fail("this mock is not running", Error::Code::NotFound);
    if (!imposter->inactive.empty())
        return mock::imposterError(*imposter, imposter->inactive);
    if (const auto allowed = mock::scriptsAllowed(*imposter, d->options.allowInjection); !allowed)
        return allowed.error();
    const std::lock_guard lock(one->editing);
    if (const std::string now = one->protocol->imposter()->protocol; now != imposter->protocol)
        return mock::imposterError(*imposter,
                                   "it runs as " + now + "; stop and start it to speak " + imposter->protocol);
    const io::TlsContext::Ptr before = one->protocol->service().tls;
    if (const auto updated = one->protocol->update(imposter, one->options); !updated)
        return updated.error();
    if (const io::TlsContext::Ptr now = one->protocol->service().tls; now != before)
        d->server.setTls(one->listening.id, now);
    return {};
}

bool MockService::hold(ImposterId id, std::function<void()> wanted)
{
    const RunningPtr one = d->find(id);
    if (!one)
        return false;
    const std::lock_guard lock(one->editing);
    const auto handler = one->protocol->service().requests;
    if (!handler || one->holding)
        return false;
    one->holding = std::make_shared<mock::HoldingHandler>(handler, std::move(wanted));
    d->server.setHandler(one->listening.id, one->holding);
    return true;
}

void MockService::release(ImposterId id)
{
    const RunningPtr one = d->find(id);
    if (!one)
        return;
    const std::lock_guard lock(one->editing);
    d->letThrough(*one);
}

void MockService::keepProxiesFrom(std::uint16_t port)
{
    d->deniedPorts->add(port);
}

void MockService::stop(ImposterId id)
{
    RunningPtr one;
    {
        const std::lock_guard lock(d->mutex);
        auto taken = d->running.extract(id);
        if (taken.empty())
            return;
        one = std::move(taken.mapped());
    }
    d->server.close(one->listening.id);
    one->protocol->letGo();
}

void MockService::stopAll()
{
    for (const RunningPtr &one : d->all())
        stop(one->id);
}

void MockService::drain()
{
    for (const RunningPtr &one : d->all()) {
        d->server.stopAccepting(one->listening.id);
        one->protocol->drain();
    }
}

void MockService::reset(ImposterId id, std::uint64_t seed, std::uint64_t repetition)
{
    const RunningPtr one = d->find(id);
    if (!one)
        return;
    const std::lock_guard lock(one->editing);
    one->options.seed = seed;
    one->options.repetition = repetition;
    d->server.closeConnections(one->listening.id);
    one->protocol->startOver(one->options);
}

std::vector<ImposterStatus> MockService::status() const
{
    std::vector<ImposterStatus> list;
    for (const RunningPtr &one : d->all())
        list.push_back(Private::statusOf(*one));
    return list;
}

ImposterCounters MockService::counters(ImposterId id) const
{
    const RunningPtr one = d->find(id);
    return one ? one->protocol->counters() : ImposterCounters{};
}

JournalPage MockService::journal(ImposterId id, std::uint64_t since, std::size_t max) const
{
    const RunningPtr one = d->find(id);
    if (!one || !one->protocol->journal())
        return {{}, since, 0};
    return one->protocol->journal()->page(id, since, max);
}

std::vector<JournalEntryPtr> MockService::underWay(ImposterId id) const
{
    const RunningPtr one = d->find(id);
    if (!one || !one->protocol->journal())
        return {};
    return one->protocol->journal()->underWay(id);
}

void MockService::clearJournal(ImposterId id)
{
    const RunningPtr one = d->find(id);
    if (one && one->protocol->journal())
        one->protocol->journal()->clear();
}

json::Value MockService::metadata(ImposterId id) const
{
    const RunningPtr one = d->find(id);
    return one ? one->protocol->metadata() : json::Value();
}

std::shared_ptr<const mock::AnswerTimings> MockService::timings(ImposterId id) const
{
    const RunningPtr one = d->find(id);
    return one ? one->protocol->timings() : nullptr;
}

void MockService::ask(ImposterId id, JsonRequest request, Asked done)
{
    if (const RunningPtr one = d->find(id))
        d->server.post([one, request = std::move(request), done = std::move(done)](asio::io_context &loop) {
            one->protocol->ask(request, loop, done);
        });
}

bool MockService::askAgain(ImposterId id, const std::string &key, const json::Value &answer, Asked done)
{
    const RunningPtr one = d->find(id);
    return one && one->protocol->askAgain(key, answer, std::move(done));
}

MatchExplanation MockService::explain(ImposterId id, const http::Request &request, std::string_view client) const
{
    const RunningPtr one = d->find(id);
    return one ? one->protocol->explain(request, client) : MatchExplanation{};
}

} // namespace wardbench
