#include "mock/mockservice.h"

#include "mock/responder.h"
#include "server/httpserver.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>

namespace wardbench {
namespace {

std::vector<std::string> urlsOf(const server::Listening &listening)
{
    std::vector<std::string> urls;
    for (const std::string &address : listening.addresses) {
        const bool ipv6 = address.find(':') != std::string::npos;
        const std::string url =
            "http://" + (ipv6 ? '[' + address + ']' : address) + ':' + std::to_string(listening.port);
        urls.insert(ipv6 ? urls.end()
                         : std::find_if(urls.begin(), urls.end(),
                                        [](const std::string &known) { return known.find('[') != std::string::npos; }),
                    url);
    }
    return urls;
}

/// The number of threads made explicit, and no larger than a responder can serve.
MockOptions withThreads(MockOptions options)
{
    if (options.ioThreads <= 0)
        options.ioThreads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    options.ioThreads = std::min(options.ioThreads, mock::Responder::mostThreads);
    return options;
}

Error cannotServe(const Imposter &imposter)
{
    return fail("imposter \"" + imposter.displayName() + "\": " + imposter.inactive, Error::Code::BadInput);
}

/// One running imposter.
struct Running
{
    ImposterId id = 0;
    server::Listening listening;
    StartOptions options;
    std::shared_ptr<mock::Responder> responder;
    std::mutex editing; ///< one update or reset at a time; also guards `options`
};
using RunningPtr = std::shared_ptr<Running>;

} // namespace

class MockService::Private
{
public:
    explicit Private(MockOptions given) : options(std::move(given)), server(options.ioThreads) {}

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
        return {one.id, one.responder->imposter()->imposter(), one.listening.port, urlsOf(one.listening),
                one.responder->counters()};
    }

    const MockOptions options;
    mutable std::mutex mutex;
    std::map<ImposterId, RunningPtr> running;
    ImposterId nextId = 1;
    server::HttpServer server; ///< last: its threads end before what they use
};

MockService::MockService(MockOptions options) : d(std::make_unique<Private>(withThreads(std::move(options)))) {}

MockService::~MockService()
{
    stopAll();
}

Result<ImposterStatus> MockService::start(const ImposterPtr &imposter, const StartOptions &options)
{
    if (!imposter->inactive.empty())
        return cannotServe(*imposter);
    auto one = std::make_shared<Running>();
    one->options = options;
    std::shared_ptr<mock::Journal> journal;
    if (options.journal) {
        journal = std::make_shared<mock::Journal>(d->options.journalCapacity, d->options.journalBytes,
                                                  d->options.journalBodyLimit);
    }
    one->responder =
        std::make_shared<mock::Responder>(mock::CompiledImposter::compile(imposter, options.seed, options.repetition),
                                          std::move(journal), options.folder);
    const std::string &host = imposter->host.empty() ? d->options.host : imposter->host;
    auto listening = d->server.listen(host, options.anyPort ? 0 : imposter->port, one->responder);
    if (!listening)
        return Error{"imposter \"" + imposter->displayName() + "\": " + listening.error().message,
                     listening.error().code};
    one->listening = *listening;
    const std::lock_guard lock(d->mutex);
    one->id = d->nextId++;
    d->running.emplace(one->id, one);
    return Private::statusOf(*one);
}

Result<void> MockService::update(ImposterId id, const ImposterPtr &imposter)
{
    const RunningPtr one = d->find(id);
    if (!one)
        return fail("this mock is not running", Error::Code::NotFound);
    if (!imposter->inactive.empty())
        return cannotServe(*imposter);
    const std::lock_guard lock(one->editing);
    one->responder->setImposter(mock::CompiledImposter::compile(imposter, one->options.seed, one->options.repetition,
                                                                one->responder->imposter()));
    return {};
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
    one->responder->letGo();
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
        one->responder->drain();
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
    one->responder->startOver(one->responder->imposter()->withFreshStates(seed, repetition));
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
    return one ? one->responder->counters() : ImposterCounters{};
}

JournalPage MockService::journal(ImposterId id, std::uint64_t since, std::size_t max) const
{
    const RunningPtr one = d->find(id);
    if (!one || !one->responder->journal())
        return {{}, since, 0};
    return one->responder->journal()->page(id, since, max);
}

void MockService::clearJournal(ImposterId id)
{
    const RunningPtr one = d->find(id);
    if (one && one->responder->journal())
        one->responder->journal()->clear();
}

MatchExplanation MockService::explain(ImposterId id, const http::Request &request, std::string_view client) const
{
    const RunningPtr one = d->find(id);
    return one ? one->responder->imposter()->stubs().explain(request, client) : MatchExplanation{};
}

} // namespace wardbench
