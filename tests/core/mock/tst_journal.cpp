#include "mockfixture.h"

using namespace wardbench;
using namespace wardbench::test;

namespace {

void ask(RawClient &client, const std::string &request)
{
    client.send(request);
    client.readResponse();
}

} // namespace

class TestJournal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsWhatWasSentAndAnswered();
    void cutsBodies();
    void dropsTheOldest();
    void keepsWithinItsMemory();
    void pagesGiveEachEntryOnce();
    void longWaitsHoldNothingUp();
    void staysWithTheOldNamesAfterAnEdit();
    void underWay();
    void onDemand();
    void canBeOff();
    void canBeCleared();
};

void TestJournal::keepsWhatWasSentAndAnswered()
{
    const ImposterPtr shop = oneStub(
        R"({"is":{"body":"no"}},{"is":{"statusCode":201,"headers":{"X":"1"},"body":"yes"},"behaviors":[{"wait":20}]})",
        R"("name":"order")");
    const RunningMock mock(shop);
    RawClient client(mock.port);
    const auto before = std::chrono::system_clock::now();
    ask(client, get("/first"));
    ask(client, "POST /orders?a=1 HTTP/1.1\r\nHost: a\r\nx-Case: Kept\r\nContent-Length: 3\r\n\r\nabc");
    QTRY_COMPARE(mock.journal().size(), 2u);
    const JournalEntryPtr entry = mock.journal().back();
    QCOMPARE(entry->sequence, 2u);
    QCOMPARE(entry->imposter, mock.id);
    QVERIFY(entry->time >= before && entry->time <= std::chrono::system_clock::now());
    QVERIFY2(entry->client.starts_with("127.0.0.1:"), entry->client.c_str());
    QCOMPARE(entry->request.method, std::string("POST"));
    QCOMPARE(entry->request.target, std::string("/orders?a=1"));
    QCOMPARE(entry->request.path, std::string("/orders"));
    QCOMPARE(entry->request.query, std::string("a=1"));
    QCOMPARE(entry->request.body, std::string("abc"));
    QCOMPARE(entry->requestBodySize, 3u);
    const http::Headers headers{{"Host", "a"}, {"x-Case", "Kept"}, {"Content-Length", "3"}};
    QVERIFY(entry->request.headers == headers);
    QCOMPARE(entry->response.status, 201);
    QCOMPARE(entry->response.reason, std::string("Created"));
    QCOMPARE(*entry->response.headers.find("x"), std::string("1"));
    QVERIFY(entry->response.headers.has("Date"));
    QCOMPARE(*entry->response.headers.find("Transfer-Encoding"), std::string("chunked"));
    QCOMPARE(entry->response.body, std::string("yes"));
    QCOMPARE(entry->responseBodySize, 3u);
    QVERIFY(entry->duration >= std::chrono::milliseconds(20));
    QCOMPARE(entry->stub, shop->stubs.front()->id);
    QCOMPARE(entry->stubName, std::string("order"));
    QCOMPARE(entry->responseIndex, 1);
    QVERIFY(entry->finished);
    QVERIFY(entry->delivered);
}

void TestJournal::cutsBodies()
{
    const std::string big(200'000, 'r');
    const RunningMock mock(oneStub(R"({"is":{"body":")" + big + R"("}})"));
    RawClient client(mock.port);
    ask(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + std::string(100'000, 'q'));
    QTRY_COMPARE(mock.journal().size(), 1u);
    const JournalEntryPtr entry = mock.journal().front();
    QCOMPARE(entry->request.body, std::string(65'536, 'q'));
    QCOMPARE(entry->requestBodySize, 100'000u);
    QCOMPARE(entry->response.body, std::string(65'536, 'r'));
    QCOMPARE(entry->responseBodySize, 200'000u);
}

void TestJournal::dropsTheOldest()
{
    const RunningMock mock(oneStub(R"({"is":{}})"), {}, {.journalCapacity = 5});
    RawClient client(mock.port);
    for (int i = 0; i < 12; ++i)
        ask(client, get("/" + std::to_string(i)));
    QTRY_COMPARE(mock.counters().inFlight, 0u);
    const JournalPage page = mock.service.journal(mock.id, 2, 100);
    QCOMPARE(page.entries.size(), 5u);
    QCOMPARE(page.dropped, 5u); // positions 2 to 6
    QCOMPARE(page.next, 12u);
    QCOMPARE(page.entries.front()->request.path, std::string("/7"));
    QCOMPARE(page.entries.front()->sequence, 8u);
    QCOMPARE(page.entries.back()->request.path, std::string("/11"));
}

void TestJournal::keepsWithinItsMemory()
{
    const RunningMock mock(oneStub(R"({"is":{}})"), {}, {.journalBytes = 200'000});
    RawClient client(mock.port);
    for (int i = 0; i < 20; ++i)
        ask(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n" + std::string(50'000, 'q'));
    QTRY_COMPARE(mock.counters().inFlight, 0u);
    QCOMPARE(mock.service.journal(mock.id, 20, 10).entries.size(), 0u);
    QCOMPARE(mock.journal().size(), 3u);
    QCOMPARE(mock.journal().back()->sequence, 20u);
}

void TestJournal::pagesGiveEachEntryOnce()
{
    const RunningMock mock(oneStub(R"({"is":{}})"));
    RawClient client(mock.port);
    std::uint64_t since = 0;
    std::vector<std::uint64_t> seen;
    for (int round = 0; round < 4; ++round) {
        for (int i = 0; i < 7; ++i)
            ask(client, get("/"));
        QTRY_COMPARE(mock.counters().inFlight, 0u);
        for (;;) {
            const JournalPage page = mock.service.journal(mock.id, since, 3);
            since = page.next;
            for (const JournalEntryPtr &entry : page.entries)
                seen.push_back(entry->sequence);
            if (page.entries.empty())
                break;
        }
    }
    QCOMPARE(seen.size(), 28u);
    for (std::size_t i = 0; i < seen.size(); ++i)
        QCOMPARE(seen[i], i + 1);
}

void TestJournal::longWaitsHoldNothingUp()
{
    const RunningMock mock(imposter(R"({"protocol":"http","keepAlive":true,"stubs":[
        {"predicates":[{"equals":{"path":"/slow"}}],"responses":[{"is":{},"behaviors":[{"wait":250}]}]},{"responses":[{"is":{}}]}]})"));
    RawClient slow(mock.port);
    RawClient quick(mock.port);
    slow.send(get("/slow"));
    QTRY_COMPARE(mock.counters().received, 1u);
    ask(quick, get("/quick"));
    QTRY_COMPARE(mock.journal().size(), 1u);
    const JournalPage page = mock.service.journal(mock.id, 0, 10);
    QCOMPARE(page.entries.front()->request.path, std::string("/quick"));
    QCOMPARE(page.entries.front()->sequence, 2u);
    slow.readResponse();
    QTRY_COMPARE(mock.service.journal(mock.id, page.next, 10).entries.size(), 1u);
    QCOMPARE(mock.service.journal(mock.id, page.next, 10).entries.front()->sequence, 1u);
}

void TestJournal::staysWithTheOldNamesAfterAnEdit()
{
    RunningMock mock(oneStub(R"({"is":{"body":"old"}})", R"("name":"old name")"));
    RawClient client(mock.port);
    ask(client, get("/"));
    QTRY_COMPARE(mock.journal().size(), 1u);
    QVERIFY(mock.service.update(mock.id, imposter(R"({"protocol":"http","keepAlive":true})")));
    ask(client, get("/"));
    QTRY_COMPARE(mock.journal().size(), 2u);
    QCOMPARE(mock.journal()[0]->stubName, std::string("old name"));
    QCOMPARE(mock.journal()[0]->response.body, std::string("old"));
    QCOMPARE(mock.journal()[1]->stub, 0u);
    QCOMPARE(mock.journal()[1]->responseIndex, -1);
}

// What waits is there before it is in a page, and in one of the two at any time.
void TestJournal::underWay()
{
    const RunningMock mock(oneStub(R"({"is":{"body":"late"},"behaviors":[{"wait":300}]})"));
    RawClient client(mock.port);
    client.send(get("/slow"));
    QTRY_COMPARE(mock.service.underWay(mock.id).size(), 1u);
    const JournalEntryPtr entry = mock.service.underWay(mock.id).front();
    QCOMPARE(entry->request.path, std::string("/slow"));
    QCOMPARE(entry->sequence, 1u);
    QVERIFY(!entry->finished && entry->stub == 0);
    client.readResponse();
    const std::size_t before = mock.service.underWay(mock.id).size();
    QVERIFY(before + mock.journal().size() >= 1);
    QTRY_COMPARE(mock.journal().size(), 1u);
    QVERIFY(mock.journal().front()->finished);
    QVERIFY(mock.service.underWay(mock.id).empty());
}

void TestJournal::onDemand()
{
    RunningMock mock(oneStub(R"({"is":{}})"), {.journalOnDemand = true});
    RawClient client(mock.port);
    ask(client, get("/1"));
    QTRY_COMPARE(mock.counters().inFlight, 0u);
    QVERIFY(mock.journal().empty());
    for (const char *member : {R"("recordRequests":true)", R"("recordMatches":true)"}) {
        const std::size_t before = mock.journal().size();
        QVERIFY(mock.service.update(mock.id, oneStub(R"({"is":{}})", {}, member)));
        ask(client, get("/2"));
        QTRY_COMPARE(mock.journal().size(), before + 1);
        QVERIFY(mock.service.update(mock.id, oneStub(R"({"is":{}})")));
        ask(client, get("/3"));
        QTRY_COMPARE(mock.counters().inFlight, 0u);
        QCOMPARE(mock.journal().size(), before + 1);
    }
    QCOMPARE(mock.counters().received, 5u);
}

void TestJournal::canBeOff()
{
    const RunningMock mock(oneStub(R"({"is":{}})"), {.journal = false});
    RawClient client(mock.port);
    ask(client, get("/"));
    QCOMPARE(mock.counters().received, 1u);
    QVERIFY(mock.journal().empty());
    QCOMPARE(mock.service.journal(mock.id, 3, 10).next, 3u);
}

void TestJournal::canBeCleared()
{
    RunningMock mock(oneStub(R"({"is":{}})"));
    RawClient client(mock.port);
    ask(client, get("/"));
    QTRY_COMPARE(mock.journal().size(), 1u);
    mock.service.clearJournal(mock.id);
    QVERIFY(mock.journal().empty());
    ask(client, get("/"));
    QTRY_COMPARE(mock.journal().size(), 1u);
    QCOMPARE(mock.journal().front()->sequence, 2u);
    QCOMPARE(mock.counters().received, 2u);
}

QTEST_GUILESS_MAIN(TestJournal)
#include "tst_journal.moc"
