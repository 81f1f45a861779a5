#include "codec/workspacefile.h"
#include "models/issuesmodel.h"
#include "models/journalmodel.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace wardbench;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

JournalEntryPtr entry(std::uint64_t sequence, StubId stub, const std::string &target = "/", int status = 200)
{
    JournalEntry made;
    made.sequence = sequence;
    made.time = std::chrono::system_clock::time_point(std::chrono::seconds(1'000'000) + std::chrono::milliseconds(sequence));
    made.request.method = "GET";
    made.request.target = target;
    made.response.status = status;
    made.stub = stub;
    made.stubName = stub ? "stub" : "";
    made.responseIndex = stub ? 0 : -1;
    made.duration = 38ms;
    return std::make_shared<const JournalEntry>(made);
}

QVector<JournalEntryPtr> entries(std::uint64_t first, int count)
{
    QVector<JournalEntryPtr> made;
    for (int i = 0; i < count; ++i)
        made << entry(first + static_cast<std::uint64_t>(i), 1);
    return made;
}

int twoResponses(StubId)
{
    return 2;
}

Issue issue(Issue::Severity severity, const char *pointer, const char *message)
{
    return {severity, pointer, message, {}};
}

} // namespace

class TestListModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void journalIsBounded();
    void journalTexts();
    void journalFilters();
    void issuesChangeInPlace();
    void issuePlaces();
};

void TestListModels::journalIsBounded()
{
    JournalModel model(nullptr, 100);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    model.append(1, u"shop"_s, entries(1, 60), twoResponses);
    model.append(1, u"shop"_s, entries(61, 60), twoResponses);
    QCOMPARE(inserted.count(), 2); // one batch, one signal
    QCOMPARE(model.rowCount(), 100);
    QCOMPARE(model.row(0).entry->sequence, std::uint64_t(21));
    QCOMPARE(model.row(99).entry->sequence, std::uint64_t(120));
    model.append(1, u"shop"_s, entries(121, 250), twoResponses);
    QCOMPARE(model.rowCount(), 100);
    QCOMPARE(model.row(0).entry->sequence, std::uint64_t(271));
    QCOMPARE(model.find(model.row(42).entry), 42);
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void TestListModels::journalTexts()
{
    QCOMPARE(JournalModel::answerText(*entry(1, 1), 2), u"stub (1 of 2)"_s);
    QCOMPARE(JournalModel::answerText(*entry(1, 1), 1), u"stub"_s);
    JournalEntry spoilt = *entry(1, 1);
    spoilt.fault = "reset";
    QCOMPARE(JournalModel::answerText(spoilt, 1), u"stub, fault: reset"_s);
    QCOMPARE(JournalModel::answerText(*entry(1, 0, "/", 404), 0), u"no match: default 404"_s);
    QCOMPARE(JournalModel::durationText(38ms), u"38 ms"_s);
    QCOMPARE(JournalModel::durationText(340us), u"0.3 ms"_s);
    QCOMPARE(JournalModel::durationText(2us), u"0 ms"_s);
    QCOMPARE(JournalModel::durationText(12s), u"12.0 s"_s);
}

void TestListModels::journalFilters()
{
    JournalModel model;
    JournalFilter filter;
    const QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    filter.setSourceModel(&model);
    model.append(1, u"shop"_s, {entry(1, 1, "/products/7"), entry(2, 0, "/product/7", 404)}, twoResponses);
    model.append(2, u"api"_s, entries(3, JournalModel::burstPerSecond + 30), twoResponses); // all within a second
    QCOMPARE(filter.rowCount(), 2 + JournalModel::burstPerSecond);
    filter.setShow(JournalFilter::Show::All);
    QCOMPARE(filter.rowCount(), model.rowCount());
    filter.setShow(JournalFilter::Show::Unmatched);
    QCOMPARE(filter.rowCount(), 1);
    filter.setShow(JournalFilter::Show::All);
    filter.setText(u"products"_s);
    QCOMPARE(filter.rowCount(), 1);
    filter.setText(u"404"_s);
    QCOMPARE(filter.rowCount(), 1);
}

void TestListModels::issuesChangeInPlace()
{
    const WorkspacePtr workspace = codec::decodeWorkspace(codec::newWorkspace("x"), nullptr);
    IssuesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    using Severity = Issue::Severity;
    const Issue a = issue(Severity::Warning, "/a", "a"), b = issue(Severity::Error, "/b", "b"), c = issue(Severity::Warning, "/c", "c");
    model.setIssues({a, b, c}, workspace);
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(model.index(0, IssuesModel::Message).data().toString(), u"b"_s); // errors first
    QCOMPARE(model.errors(), 1);
    const QPersistentModelIndex last = model.index(2, IssuesModel::Message);
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    model.setIssues({b, c}, workspace);
    QCOMPARE(removed.count(), 1);
    QCOMPARE(last.data().toString(), u"c"_s);
    QCOMPARE(last.row(), 1);
    QCOMPARE(model.pathAt(1), json::Path{"c"});
    model.setIssues({}, workspace);
    QCOMPARE(model.rowCount(), 0);
}

void TestListModels::issuePlaces()
{
    const LoadedFile file = codec::loadText(R"({"format":"wardbench/1","imposters":[{"protocol":"http","name":"shop","stubs":[
        {"name":"one","responses":[{"is":{}}]}]}],"policies":[{"name":"p","identifier":"x"}]})");
    QVERIFY(file.workspace);
    QCOMPARE(IssuesModel::placeName("/imposters/0/stubs/0/responses/0", *file.workspace), u"shop \u203a one \u203a responses/0"_s);
    QCOMPARE(IssuesModel::placeName("/policies/0/identifier", *file.workspace), u"p \u203a identifier"_s);
    QCOMPARE(IssuesModel::placeName("", *file.workspace), u"workspace"_s);
}

QTEST_MAIN(TestListModels)
#include "tst_listmodels.moc"
