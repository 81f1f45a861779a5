#pragma once

#include "base/result.h"
#include "http/message.h"
#include "match/explanation.h"
#include "mock/recorder.h"
#include "model/imposter.h"
#include "script/environment.h"
#include "server/accessrule.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

namespace mock {
struct AnswerTimings;
} // namespace mock

/// Protocols that programs speak which are started for each imposter (mountebank.md 2.8.9).
struct ForeignProtocols
{
    std::map<std::string, std::string> commands{}; ///< by the protocol's name, which may be one of ours
    std::string callbackUrl{}; ///< of the REST API, where they ask for answers; ":port" stands for the imposter's
    std::string logLevel = "info";
    std::string host{}; ///< where they are to listen; empty: they decide
};

struct MockOptions
{
    std::string host{};                       ///< empty: loopback, IPv4 and IPv6
    int ioThreads = 0;                        ///< 0: one per core
    std::size_t journalCapacity = 10'000;     ///< requests kept per imposter
    std::size_t journalBytes = 256u << 20;    ///< and their memory, whichever is reached first
    std::size_t journalBodyLimit = 64u << 10; ///< bytes of a body that are kept
    bool allowInjection = false;              ///< run JavaScript and shell commands of imposters; else Denied
    Recorder recorder{};                      ///< keeps what proxies record; none: nothing is kept
    ScriptLog scriptLog{};                    ///< what scripts log; any thread
    std::string tlsFolder{};                  ///< keeps the certificate of this machine; empty: the user's data folder
    std::shared_ptr<const server::AccessRule> access{}; ///< who may connect; null: everybody
    bool via = true; ///< proxies say in a Via header that the request passed here, so that a loop ends
    ForeignProtocols foreign{};
};

/// How one imposter is started.
struct StartOptions
{
    bool anyPort = false;   ///< ignore the imposter's port (runs' private copies)
    std::uint64_t seed = 0; ///< of the decision streams; serve: the imposter's seed, else random
    std::uint64_t repetition = 0;
    std::string folder{};         ///< of the workspace file: body files, CSV files with a relative path
    bool journal = true;          ///< keep requests (runs switch it off: only counters)
    bool journalOnDemand = false; ///< with `journal`: only while the imposter has recordRequests or recordMatches
    std::vector<std::uint64_t> cursors{}; ///< how often each stub, in their order, counts as used already
};

struct StubCounters
{
    StubId stub = 0;
    std::uint64_t matched = 0;

    friend bool operator==(const StubCounters &, const StubCounters &) = default;
};

/// Consistent at the moment of the call.
struct ImposterCounters
{
    std::uint64_t received = 0;     ///< complete requests
    std::uint64_t unmatched = 0;    ///< answered by the default response
    std::uint64_t overCapacity = 0; ///< answered 503 beyond the queue
    std::uint64_t clientAborted = 0;
    std::uint64_t connections = 0; ///< accepted so far
    std::uint64_t openConnections = 0;
    std::uint64_t inFlight = 0; ///< request complete, last byte not yet handed to the kernel (queued ones not included)
    std::uint64_t queued = 0;   ///< waiting for a place
    std::vector<StubCounters> stubs; ///< in stub order

    friend bool operator==(const ImposterCounters &, const ImposterCounters &) = default;
};

struct ImposterStatus
{
    ImposterId id = 0;
    ImposterPtr imposter;
    std::uint16_t port = 0;
    std::vector<std::string> urls; ///< "http://127.0.0.1:4600" first
    ImposterCounters counters;
};

/// A request of mountebank's form (2.2.1).
struct JsonRequest
{
    json::Value json;
    http::Request http; ///< the same, as far as it can be, for http
    std::string client; ///< address:port
};

/// One journalled exchange.
struct JournalEntry
{
    std::uint64_t sequence = 0; ///< rising by one per imposter, in arrival order
    ImposterId imposter = 0;
    std::chrono::system_clock::time_point time;
    std::string client;    ///< address:port
    http::Request request; ///< body cut at 64 KiB; not http: method TCP or MAIL, target the sender
    std::uint64_t requestBodySize = 0;
    json::Value message;     ///< not http: the request as mountebank records it (2.4, 2.5); null: http
    json::Value reply;       ///< and its answer; null: none
    http::Response response; ///< as answered, body cut at 64 KiB
    std::uint64_t responseBodySize = 0;
    Nanoseconds duration{0}; ///< last byte of the request to last byte handed to the kernel
    StubId stub = 0;         ///< 0: no match
    std::string stubName;    ///< as it was then; without a stub "over capacity" or empty
    int responseIndex = -1;  ///< which of the stub's responses
    std::string fault;       ///< that happened to the answer, as the file names it; empty: none
    std::string note;        ///< what a log should tell of it; empty: nothing
    bool finished = false;   ///< false while it waits, is answered or sent; then no stub or answer may be known yet
    bool delivered = false;  ///< the last byte was handed to the kernel; false: the client went away first
};
using JournalEntryPtr = std::shared_ptr<const JournalEntry>;

/// A piece of a journal. Entries come in the order they finished, each exactly once to a reader who passes `next` on,
/// so that one long wait does not hold up the others; `sequence` tells the order of arrival.
struct JournalPage
{
    std::vector<JournalEntryPtr> entries; ///< finished entries from position `since` on, oldest first
    std::uint64_t next = 0;               ///< pass as `since` next time; 0 is the start
    std::uint64_t dropped = 0; ///< entries between `since` and the first one that the bounded journal no longer has
};

/// Imposters by port. Thread-safe; calls block briefly. Owns the listener thread and the connection threads.
/// Requests meet an immutable compiled imposter, swapped on `update`; connections stay.
class MockService
{
public:
    explicit MockService(MockOptions options = {});
    ~MockService(); ///< stops everything
    MockService(const MockService &) = delete;
    MockService &operator=(const MockService &) = delete;

    /// Opens the port. Errors say what to do: port in use (InUse), no permission (Denied), address unknown,
    /// imposter inactive (BadInput, naming the part).
    Result<ImposterStatus> start(const ImposterPtr &imposter, const StartOptions &options = {});
    /// New stubs and settings for a running imposter; counters, cursors and connections stay. A new key or certificate
    /// is for new connections. A changed port or host needs stop and start, and so does a changed protocol, which is an
    /// error here.
    Result<void> update(ImposterId id, const ImposterPtr &imposter);
    /// For many edits one after the other: requests complete from now on wait until `release`; `wanted` is
    /// called, on an I/O thread, when the first one does. False: not for this protocol, or it waits already.
    bool hold(ImposterId id, std::function<void()> wanted);
    void release(ImposterId id);
    /// From now on no proxy reaches this port of this machine: the REST API's, for example.
    void keepProxiesFrom(std::uint16_t port);
    /// Cuts its connections; the port is free on return.
    void stop(ImposterId id);
    void stopAll();
    /// First step of a gentle end: no new connections, and answers from now on close theirs. Follow `counters` until
    /// nothing is in flight or queued, then `stopAll`.
    void drain();
    /// Fresh cursors, counters and decision streams; open connections are closed. For a run's next repetition.
    void reset(ImposterId id, std::uint64_t seed, std::uint64_t repetition);

    std::vector<ImposterStatus> status() const;
    ImposterCounters counters(ImposterId id) const;
    JournalPage journal(ImposterId id, std::uint64_t since, std::size_t max = 1000) const;
    /// Requests that arrived and are in no page yet, in the order of arrival. Look before the pages: one that ends in
    /// between is in both.
    std::vector<JournalEntryPtr> underWay(ImposterId id) const;
    void clearJournal(ImposterId id);
    /// What a foreign protocol's program says of itself; null: nothing.
    json::Value metadata(ImposterId id) const;
    /// How long answers took; shared with the mock, also when it stops. Null: it is not running, or has no stubs.
    std::shared_ptr<const mock::AnswerTimings> timings(ImposterId id) const;
    /// Answers a request that did not come over its port but as JSON (`POST .../_requests`): the response object as the
    /// stubs say, without defaults; it is counted and recorded. `done` is called once, on an I/O thread; not when the
    /// mock is stopped before. What failed is mountebank's error object.
    using Asked = std::function<void(const json::Value &answer, bool failed)>;
    void ask(ImposterId id, JsonRequest request, Asked done);
    /// The second half of it, for a protocol that does its proxying itself: what the upstream answered. False: `key` is
    /// none that is waited for.
    bool askAgain(ImposterId id, const std::string &key, const json::Value &answer, Asked done);
    /// Why each stub does or does not match `request`, without sending, counting or moving a cursor.
    MatchExplanation explain(ImposterId id, const http::Request &request, std::string_view client = {}) const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

} // namespace wardbench
