#include "issues.h"

#include "model/workspacestore.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

#include <random>
#include <set>

using namespace wardbench;
using namespace wardbench::test;
using json::Path;
using json::Value;

namespace {

Value stubNamed(const std::string &name)
{
    return Value(
        json::Members{{"name", Value(name)}, {"responses", std::get<Value>(json::parse(R"([{ "is": {} }])"))}});
}

WorkspacePtr workspaceWithStubs(int count)
{
    json::Array stubs;
    for (int i = 0; i < count; ++i)
        stubs.push_back(stubNamed("s" + std::to_string(i)));
    const std::string text =
        workspaceText(R"("imposters": [{ "protocol": "http", "name": "a" }, { "protocol": "http", "name": "b" }],)"
                      R"("policies": [{ "name": "p" }, { "name": "q", "retrie": 1 }], "scenarios": [{ "name": "s" }])");
    Value root = std::get<Value>(json::parse(text));
    const Value first = root["imposters"].at(0).withMember("stubs", Value(std::move(stubs)));
    root = root.withMember("imposters", root["imposters"].withItem(0, first));
    return codec::decodeWorkspace(root, {});
}

std::vector<StubId> ids(const WorkspacePtr &workspace)
{
    std::vector<StubId> result;
    for (const StubPtr &stub : workspace->imposters.at(0)->stubs)
        result.push_back(stub->id);
    return result;
}

const Path stubsPath{"imposters", "0", "stubs"};

Path stubPath(const std::string &index)
{
    Path path = stubsPath;
    path.push_back(index);
    return path;
}

} // namespace

class SharingTest : public QObject
{
    Q_OBJECT

private:
    WorkspacePtr m_start;
    std::unique_ptr<WorkspaceStore> m_store;

    WorkspacePtr edit(const WorkspaceEdit &change)
    {
        const auto inverse = m_store->apply(change);
        if (!inverse)
            qFatal("%s", inverse.error().message.c_str());
        m_inverse = *inverse;
        return m_store->current();
    }
    WorkspaceEdit m_inverse;

private Q_SLOTS:
    void init()
    {
        m_start = workspaceWithStubs(5);
        m_store = std::make_unique<WorkspaceStore>(codec::decodeWorkspace, m_start);
    }

    void everyStubHasAnIdOfItsOwn()
    {
        const auto all = ids(m_start);
        QCOMPARE(std::set<StubId>(all.begin(), all.end()).size(), std::size_t(5));
        QVERIFY(!std::set<StubId>(all.begin(), all.end()).contains(0));
    }

    void editKeepsIdsAndSharesTheRest()
    {
        Path name = stubPath("2");
        name.push_back("name");
        const WorkspacePtr after = edit(WorkspaceEdit::set("rename", name, Value("other")));
        QCOMPARE(ids(after), ids(m_start));
        const auto &stubs = after->imposters[0]->stubs;
        QCOMPARE(stubs[2]->name, std::string("other"));
        for (const std::size_t i : {0, 1, 3, 4})
            QCOMPARE(stubs[i], m_start->imposters[0]->stubs[i]);
        QVERIFY(after->imposters[0] != m_start->imposters[0]);
        QCOMPARE(after->imposters[1], m_start->imposters[1]);
        QCOMPARE(after->policies, m_start->policies);
        QCOMPARE(after->scenarios, m_start->scenarios);
        QCOMPARE(after->issues.size(), m_start->issues.size());
        const WorkspacePtr undone = edit(m_inverse);
        QCOMPARE(ids(undone), ids(m_start));
        QCOMPARE(json::writeDocument(undone->root), json::writeDocument(m_start->root));
    }

    void moveTakesTheIdAlong()
    {
        auto expected = ids(m_start);
        std::rotate(expected.begin(), expected.begin() + 1, expected.begin() + 4);
        const WorkspacePtr after = edit(WorkspaceEdit::move("move", stubPath("0"), 3));
        QCOMPARE(ids(after), expected);
        QCOMPARE(after->imposters[0]->stubs[3], m_start->imposters[0]->stubs[0]);
        QCOMPARE(ids(edit(m_inverse)), ids(m_start));
    }

    void insertAndRemoveLeaveTheNeighboursAlone()
    {
        const auto before = ids(m_start);
        const auto inserted = ids(edit(WorkspaceEdit::insert("add", stubPath("2"), stubNamed("new"))));
        QCOMPARE(inserted.size(), std::size_t(6));
        QVERIFY(std::find(before.begin(), before.end(), inserted[2]) == before.end());
        auto rest = inserted;
        rest.erase(rest.begin() + 2);
        QCOMPARE(rest, before);
        QCOMPARE(ids(edit(m_inverse)), before);
        auto expected = before;
        expected.erase(expected.begin());
        QCOMPARE(ids(edit(WorkspaceEdit::remove("drop", stubPath("0")))), expected);
    }

    void duplicateIsANewStub()
    {
        const auto before = ids(m_start);
        const Value copied = m_start->root["imposters"].at(0)["stubs"].at(1); // the same node twice
        const WorkspacePtr after = edit(WorkspaceEdit::insert("duplicate", stubPath("2"), copied));
        const auto now = ids(after);
        QCOMPARE(std::set<StubId>(now.begin(), now.end()).size(), std::size_t(6));
        QCOMPARE(now[1], before[1]);
        QCOMPARE(now[3], before[2]);
        // The next edit keeps them apart.
        Path name = stubPath("2");
        name.push_back("name");
        QCOMPARE(ids(edit(WorkspaceEdit::set("rename", name, Value("copy")))), now);
        // Moving everything by one keeps them in order, too.
        const auto shifted = ids(edit(WorkspaceEdit::insert("first", stubPath("0"), stubNamed("first"))));
        QCOMPARE(std::vector<StubId>(shifted.begin() + 1, shifted.end()), now);
    }

    void editAndMoveInOneStep()
    {
        const auto before = ids(m_start);
        WorkspaceEdit both = WorkspaceEdit::move("both", stubPath("4"), 0);
        WorkspaceEdit::Step change;
        change.path = stubPath("0");
        change.path.push_back("enabled");
        change.value = Value(false);
        const auto after = ids(edit(both.add(change)));
        QCOMPARE(after, (std::vector<StubId>{before[4], before[0], before[1], before[2], before[3]}));
    }

    void readingTheFileAgainKeepsIds()
    {
        const std::string text = json::writeDocument(m_start->root);
        const WorkspacePtr again = codec::decodeWorkspace(codec::loadText(text).workspace->root, m_start);
        QCOMPARE(ids(again), ids(m_start));
        QCOMPARE(again->imposters[0]->stubs, m_start->imposters[0]->stubs);
        // And once more, from the tree whose nodes the first reading made.
        Value root = again->root;
        const Value stubs = root["imposters"].at(0)["stubs"].withoutItem(0).withItem(1, stubNamed("edited outside"));
        root = root.withMember("imposters",
                               root["imposters"].withItem(0, root["imposters"].at(0).withMember("stubs", stubs)));
        const WorkspacePtr changed =
            codec::decodeWorkspace(codec::loadText(json::writeDocument(root)).workspace->root, again);
        const auto before = ids(m_start);
        QCOMPARE(ids(changed), (std::vector<StubId>(before.begin() + 1, before.end())));
    }

    void issuesFollowTheirSubtree()
    {
        const auto pointers = [](const WorkspacePtr &workspace) {
            std::vector<std::string> result;
            for (const Issue &issue : workspace->issues) {
                if (issue.pointer.find("/policies") == 0)
                    result.push_back(issue.pointer);
            }
            return result;
        };
        QCOMPARE(pointers(m_start), std::vector<std::string>{"/policies/1/retrie"});
        QCOMPARE(pointers(edit(WorkspaceEdit::move("move", {"policies", "1"}, 0))),
                 std::vector<std::string>{"/policies/0/retrie"});
        QCOMPARE(m_store->current()->policies[0], m_start->policies[1]);
        QCOMPARE(pointers(edit(WorkspaceEdit::remove("fix", {"policies", "0", "retrie"}))), std::vector<std::string>());
    }

    // Whatever is edited: the shared result says the same as a decoding from nothing, and ids stay unique.
    void randomEditsDecodeTheSame()
    {
        for (unsigned seed = 1; seed <= 20; ++seed) {
            std::mt19937 random(seed);
            WorkspaceStore store(codec::decodeWorkspace, workspaceWithStubs(6));
            for (int step = 0; step < 40; ++step) {
                const Value stubs = store.current()->root["imposters"].at(0)["stubs"];
                const std::size_t size = stubs.size();
                const std::string index = std::to_string(size ? random() % size : 0);
                WorkspaceEdit change = WorkspaceEdit::insert(
                    "insert", stubPath(std::to_string(random() % (size + 1))),
                    size && random() % 3 == 0 ? stubs.at(random() % size) : stubNamed("n" + std::to_string(step)));
                if (size > 0) {
                    switch (random() % 4) {
                    case 0:
                        change = WorkspaceEdit::remove("remove", stubPath(index));
                        break;
                    case 1:
                        change = WorkspaceEdit::move("move", stubPath(index), random() % size);
                        break;
                    case 2:
                        change =
                            WorkspaceEdit::set("set", stubPath(index), Value(json::Members{{"name", Value(step)}}));
                        break;
                    default:
                        break;
                    }
                }
                QVERIFY(store.apply(change));
                const WorkspacePtr shared = store.current();
                const WorkspacePtr fresh = codec::decodeWorkspace(shared->root, {});
                QCOMPARE(shared->imposters[0]->stubs.size(), fresh->imposters[0]->stubs.size());
                QCOMPARE(shared->issues.size(), fresh->issues.size());
                for (std::size_t i = 0; i < fresh->issues.size(); ++i)
                    QCOMPARE(shared->issues[i].format("f"), fresh->issues[i].format("f"));
                for (std::size_t i = 0; i < fresh->imposters[0]->stubs.size(); ++i)
                    QVERIFY(shared->imposters[0]->stubs[i]->source == fresh->imposters[0]->stubs[i]->source);
                const auto all = ids(shared);
                QCOMPARE(std::set<StubId>(all.begin(), all.end()).size(), all.size());
            }
        }
    }
};

QTEST_APPLESS_MAIN(SharingTest)
#include "tst_sharing.moc"
