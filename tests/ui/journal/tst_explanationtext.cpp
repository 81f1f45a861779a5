#include "journal/explanationtext.h"
#include "shell/theme.h"

#include <QTest>

using namespace wardbench;
using namespace Qt::StringLiterals;

// What the journal says of a request: that came, that was asked about, whose answer went wrong, that is no HTTP.
class TestExplanationText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cameOrAsked();
    void otherStubsSayWhy();
    void faultsAreSaid();
    void otherProtocolsAreShownAsRecorded();

private:
    static MatchExplanation explanation()
    {
        StubExplanation stub;
        stub.stub = 1;
        stub.stubName = "first";
        stub.total = 1;
        stub.conditions = {{false, "path equals /a", "/b", 0}};
        return {0, {stub}};
    }
};

void TestExplanationText::cameOrAsked()
{
    JournalEntry entry;
    entry.sequence = 1;
    entry.request.method = "GET";
    entry.request.target = std::string("/").append("b"); // GCC 12 thinks a two-letter literal may stay unread
    entry.response.status = 404;
    const QString came = explanationHtml(explanation(), entry, u"shop"_s, 0);
    QVERIFY(came.contains(u"The default answered 404"_s) && came.contains(u"got"_s));
    entry.sequence = 0;
    const QString asked = explanationHtml(explanation(), entry, u"shop"_s, 0);
    QVERIFY(asked.contains(u"would match"_s) && asked.contains(u"GET /b"_s) && !asked.contains(u"404"_s));
}

// A proxy answered and was recorded: the stub before it would answer now.
void TestExplanationText::otherStubsSayWhy()
{
    MatchExplanation now = explanation();
    now.stubs.front().stub = 9;
    now.stubs.front().conditions.front().kind = ConditionResult::Kind::Any;
    now.stubs.front().conditions.push_back({false, "path equals /a", "/b", 1});
    const auto matching = [](StubId id, const char *name) {
        StubExplanation stub;
        stub.stub = id;
        stub.stubName = name;
        stub.matched = true;
        return stub;
    };
    for (const auto &[id, name] : {std::pair{StubId(1), "proxy"}, {StubId(2), "recorded"}, {StubId(3), "catch-all"}})
        now.stubs.push_back(matching(id, name));
    now.answeredBy = 2;
    JournalEntry entry;
    entry.sequence = 1;
    entry.stub = 1;
    entry.stubName = "proxy";
    const QString why = explanationHtml(now, entry, u"shop"_s, 1);
    QVERIFY2(why.contains(u"path equals /a, got /b"_s), qPrintable(why));
    QVERIFY2(why.contains(u"matches, and stands before"_s) && why.contains(u"matches too, but stands later"_s), qPrintable(why));
}

void TestExplanationText::faultsAreSaid()
{
    JournalEntry entry;
    entry.sequence = 1;
    entry.stub = 1;
    entry.stubName = "first";
    QVERIFY(!explanationHtml(explanation(), entry, u"shop"_s, 1).contains(u"fault"_s));
    entry.fault = "dribble";
    QVERIFY(explanationHtml(explanation(), entry, u"shop"_s, 1).contains(u"fault dribble"_s));
}

void TestExplanationText::otherProtocolsAreShownAsRecorded()
{
    JournalEntry entry;
    entry.message = json::Value(json::Members{{"data", json::Value("PING")}});
    QCOMPARE(requestText(entry), u"{\n  \"data\": \"PING\"\n}"_s);
    QCOMPARE(responseText(entry), QString());
    entry.reply = json::Value(json::Members{{"data", json::Value("PONG")}});
    QCOMPARE(responseText(entry), u"{\n  \"data\": \"PONG\"\n}"_s);
}

QTEST_MAIN(TestExplanationText)
#include "tst_explanationtext.moc"
