#pragma once

#include "codec/workspacefile.h"
#include "mock/mockservice.h"
#include "support/rawclient.h"

#include <QtTest>

#include <chrono>
#include <string>
#include <thread>

namespace wardbench::test {

/// The first imposter of a mountebank text, as a file would give it.
inline ImposterPtr imposter(const std::string &text)
{
    const LoadedFile file = codec::loadText(text);
    for (const Issue &issue : file.issues)
        qInfo("%s", issue.format("test").c_str());
    if (!file.workspace || hasErrors(file.issues) || file.workspace->imposters.empty())
        qFatal("the test's imposter is broken");
    return file.workspace->imposters.front();
}

/// An imposter of one stub: `{"responses": [RESPONSES]}` with further members.
inline ImposterPtr oneStub(const std::string &responses, const std::string &stubMembers = {},
                           const std::string &members = {})
{
    return imposter(R"({"protocol":"http","name":"m","keepAlive":true)" + (members.empty() ? "" : ',' + members) +
                    R"(,"stubs":[{)" + (stubMembers.empty() ? "" : stubMembers + ',') + R"("responses":[)" + responses +
                    "]}]}");
}

inline MockOptions withScripts()
{
    MockOptions options;
    options.allowInjection = true;
    return options;
}

/// A running mock of its own.
class RunningMock
{
public:
    explicit RunningMock(const ImposterPtr &imposter, const StartOptions &options = {}, const MockOptions &mock = {})
        : service(mock)
    {
        const auto started = service.start(imposter, options);
        if (!started)
            qFatal("%s", started.error().message.c_str());
        id = started->id;
        port = started->port;
    }
    ImposterCounters counters() const { return service.counters(id); }
    /// Until `count` requests have arrived; QTRY_... would look every 50 ms only.
    void awaitReceived(std::uint64_t count) const
    {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (counters().received < count && std::chrono::steady_clock::now() < limit)
            std::this_thread::yield();
    }
    std::vector<JournalEntryPtr> journal() const { return service.journal(id, 0, 100'000).entries; }

    MockService service;
    ImposterId id = 0;
    std::uint16_t port = 0;
};

} // namespace wardbench::test
