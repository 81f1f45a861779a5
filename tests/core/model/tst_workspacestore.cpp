#include "model/workspacestore.h"

#include <QtTest>

using namespace wardbench;

// The store's changes: in order, all or nothing, told with their inverse. The decoder here only keeps the tree.
class TestWorkspaceStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void editsAndInverse();
    void severalAsOne();
    void failsAsAWhole();
    void checkDecides();
    void planSeesTheCurrent();

private:
    static WorkspacePtr decode(const json::Value &root, const WorkspacePtr &)
    {
        auto workspace = std::make_shared<Workspace>();
        workspace->root = root;
        return workspace;
    }
    const json::Value &root() const { return m_shown->root; }

    std::unique_ptr<WorkspaceStore> m_store;
    WorkspacePtr m_shown;
    int m_told = 0;
    const json::Value m_before = json::Members{{"a", 1}, {"list", json::Array{"x"}}};
};

void TestWorkspaceStore::init()
{
    m_told = 0;
    m_store = std::make_unique<WorkspaceStore>(&decode, decode(m_before, nullptr));
    m_shown = m_store->current();
    m_store->observe([this](const WorkspacePtr &before, const WorkspacePtr &after, const WorkspaceEdit &inverse) {
        QVERIFY(inverse.apply(after->root)->root == before->root);
        QCOMPARE(before, m_shown);
        m_shown = after;
        ++m_told;
    });
}

void TestWorkspaceStore::editsAndInverse()
{
    WorkspaceEdit edit = WorkspaceEdit::set("Change", {"a"}, 2);
    edit.setGroup("changes");
    const auto inverse = m_store->apply(edit);
    QVERIFY(bool(inverse));
    QCOMPARE(inverse->group(), std::string("changes"));
    QCOMPARE(root()["a"].text(), std::string("2"));
    QVERIFY(bool(m_store->apply(*inverse)));
    QVERIFY(root() == m_before);
    QCOMPARE(m_told, 2);
}

void TestWorkspaceStore::severalAsOne()
{
    const auto inverse = m_store->transact([](const WorkspacePtr &) {
        return std::vector{WorkspaceEdit::remove("Replace", {"list", "0"}),
                           WorkspaceEdit::insert("Replace", {"list", "0"}, "y"),
                           WorkspaceEdit::insert("Replace", {"list", "-"}, "z")};
    });
    QVERIFY(bool(inverse));
    QCOMPARE(m_told, 1);
    QVERIFY(root()["list"] == json::Value(json::Array{"y", "z"}));
    QCOMPARE(inverse->text(), std::string("Replace"));
    QVERIFY(bool(m_store->apply(*inverse)));
    QVERIFY(root() == m_before);
}

void TestWorkspaceStore::failsAsAWhole()
{
    const auto done = m_store->transact([](const WorkspacePtr &) {
        return std::vector{WorkspaceEdit::set("Change", {"a"}, 2), WorkspaceEdit::remove("Change", {"list", "7"})};
    });
    QVERIFY(!done);
    QVERIFY(m_store->current()->root == m_before);
    QCOMPARE(m_told, 0);
}

void TestWorkspaceStore::checkDecides()
{
    const auto plan = [](const WorkspacePtr &) {
        return std::vector{WorkspaceEdit::set("Change", {"a"}, 2)};
    };
    const auto refused = m_store->transact(plan, [this](const WorkspacePtr &before, const WorkspacePtr &after) {
        return before->root == m_before && after->root["a"].text() == "2" ? Result<void>(fail("no")) : Result<void>();
    });
    QVERIFY(!refused);
    QCOMPARE(refused.error().message, std::string("no"));
    QVERIFY(m_store->current()->root == m_before);
    QVERIFY(bool(m_store->transact(plan, [](const WorkspacePtr &, const WorkspacePtr &) { return Result<void>(); })));
    QCOMPARE(m_told, 1);
}

void TestWorkspaceStore::planSeesTheCurrent()
{
    for (int i = 0; i < 3; ++i) {
        QVERIFY(bool(m_store->transact([](const WorkspacePtr &now) {
            const int next = static_cast<int>(now->root["a"].toInteger().value_or(0)) + 1;
            return std::vector{WorkspaceEdit::set("Count", {"a"}, next)};
        })));
    }
    QCOMPARE(root()["a"].text(), std::string("4"));
    const auto refused = m_store->transact(
        [](const WorkspacePtr &) -> Result<std::vector<WorkspaceEdit>> { return fail("nothing to do"); });
    QVERIFY(!refused);
    QCOMPARE(m_told, 3);
}

QTEST_GUILESS_MAIN(TestWorkspaceStore)
#include "tst_workspacestore.moc"
