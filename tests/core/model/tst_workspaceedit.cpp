#include "model/workspaceedit.h"

#include "model/workspacestore.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

#include <random>
#include <thread>

using namespace wardbench;
using json::Path;
using json::Value;

namespace {

Value read(std::string_view text)
{
    const json::ParseResult result = json::parse(text);
    return std::holds_alternative<Value>(result) ? std::get<Value>(result) : Value("unreadable");
}

const char *const sample =
    R"({"name":"w","imposters":[{"stubs":[1,2,{"a":1}]},{"stubs":[]}],"extra":{"x":[true,null]}})";

/// All paths of a tree, the root's first.
void collect(const Value &value, const Path &path, std::vector<Path> &paths)
{
    paths.push_back(path);
    const auto down = [&](std::string token, const Value &child) {
        Path below = path;
        below.push_back(std::move(token));
        collect(child, below, paths);
    };
    for (std::size_t i = 0; i < value.items().size(); ++i)
        down(std::to_string(i), value.at(i));
    for (const json::Member &member : value.members())
        down(member.first, member.second);
}

/// A random edit that fits `root`.
WorkspaceEdit randomEdit(std::mt19937 &random, const Value &root)
{
    std::vector<Path> paths;
    collect(root, {}, paths);
    const Path path = paths[random() % paths.size()];
    const Value &value = *json::resolve(root, path);
    const Value fresh = random() % 2 ? Value(int(random() % 1000)) : read(R"({"n":[1,{"m":2}]})");
    const auto child = [&path](std::string token) {
        Path below = path;
        below.push_back(std::move(token));
        return below;
    };
    if (value.isArray() && random() % 3) {
        const std::size_t index = random() % (value.size() + 1);
        if (random() % 2 || index == value.size())
            return WorkspaceEdit::insert("insert", child(random() % 4 ? std::to_string(index) : "-"), fresh);
        return WorkspaceEdit::move("move", child(std::to_string(index)), random() % value.size());
    }
    if (value.isObject() && random() % 2) {
        WorkspaceEdit edit("add");
        WorkspaceEdit::Step step;
        step.path = child("new" + std::to_string(random() % 5));
        step.value = fresh;
        step.index = int(random() % (value.size() + 2)) - 1;
        return edit.add(step);
    }
    if (!path.empty() && random() % 2)
        return WorkspaceEdit::remove("remove", path);
    return WorkspaceEdit::set("set", path, fresh);
}

} // namespace

class WorkspaceEditTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void steps_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<int>("number");
        QTest::addColumn<QByteArray>("expected");
        const auto row = [](const char *name, const char *kind, const char *path, int number, const char *expected) {
            QTest::newRow(name) << QByteArray(kind) << QByteArray(path) << number << QByteArray(expected);
        };
        row("set a member", "set", "/a/x", 9, R"({"a":{"x":9,"y":2},"l":[1,2,3]})");
        row("add a member", "set", "/a/z", 9, R"({"a":{"x":1,"y":2,"z":9},"l":[1,2,3]})");
        row("set an item", "set", "/l/1", 9, R"({"a":{"x":1,"y":2},"l":[1,9,3]})");
        row("replace all", "set", "", 9, "9");
        row("insert first", "insert", "/l/0", 9, R"({"a":{"x":1,"y":2},"l":[9,1,2,3]})");
        row("insert last", "insert", "/l/-", 9, R"({"a":{"x":1,"y":2},"l":[1,2,3,9]})");
        row("insert at the size", "insert", "/l/3", 9, R"({"a":{"x":1,"y":2},"l":[1,2,3,9]})");
        row("remove a member", "remove", "/a/x", 0, R"({"a":{"y":2},"l":[1,2,3]})");
        row("remove an item", "remove", "/l/0", 0, R"({"a":{"x":1,"y":2},"l":[2,3]})");
        row("move down", "move", "/l/0", 2, R"({"a":{"x":1,"y":2},"l":[2,3,1]})");
        row("move up", "move", "/l/2", 0, R"({"a":{"x":1,"y":2},"l":[3,1,2]})");
        row("move nowhere", "move", "/l/1", 1, R"({"a":{"x":1,"y":2},"l":[1,2,3]})");
        row("set below nothing", "set", "/b/x", 9, "");
        row("set below a number", "set", "/a/x/y", 9, "");
        row("set an item that is not there", "set", "/l/3", 9, "");
        row("insert too far", "insert", "/l/4", 9, "");
        row("insert into an object", "insert", "/a/0", 9, "");
        row("remove nothing", "remove", "/a/q", 0, "");
        row("remove the whole", "remove", "", 0, "");
        row("move too far", "move", "/l/0", 3, "");
        row("index with a leading zero", "remove", "/l/01", 0, "");
    }
    void steps()
    {
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, path);
        QFETCH(int, number);
        QFETCH(QByteArray, expected);
        const Value root = read(R"({"a":{"x":1,"y":2},"l":[1,2,3]})");
        const std::string before = json::writeCompact(root);
        const Path tokens = *json::parsePointer(path.toStdString());
        WorkspaceEdit edit;
        if (kind == "set")
            edit = WorkspaceEdit::set("t", tokens, Value(number));
        else if (kind == "insert")
            edit = WorkspaceEdit::insert("t", tokens, Value(number));
        else if (kind == "remove")
            edit = WorkspaceEdit::remove("t", tokens);
        else
            edit = WorkspaceEdit::move("t", tokens, std::size_t(number));
        const auto applied = edit.apply(root);
        QCOMPARE(bool(applied), !expected.isEmpty());
        QCOMPARE(json::writeCompact(root), before);
        if (!applied) {
            QVERIFY(!applied.error().message.empty());
            return;
        }
        QCOMPARE(json::writeCompact(applied->root), expected.toStdString());
        const auto undone = applied->inverse.apply(applied->root);
        QVERIFY(undone);
        QCOMPARE(json::writeCompact(undone->root), before);
        QCOMPARE(applied->inverse.text(), std::string("t"));
    }

    void allOrNothing()
    {
        WorkspaceEdit edit = WorkspaceEdit::set("two", {"name"}, Value("changed"));
        WorkspaceEdit::Step bad;
        bad.path = {"imposters", "7"};
        edit.add(bad);
        QVERIFY(!edit.apply(read(sample)));
    }

    void sharesWhatDidNotChange()
    {
        const Value root = read(sample);
        const auto applied = WorkspaceEdit::set("t", {"imposters", "0", "stubs", "1"}, Value(5)).apply(root);
        QVERIFY(applied->root["imposters"].at(1).sameNode(root["imposters"].at(1)));
        QVERIFY(applied->root["extra"].sameNode(root["extra"]));
        QVERIFY(applied->root["imposters"].at(0)["stubs"].at(2).sameNode(root["imposters"].at(0)["stubs"].at(2)));
        QVERIFY(!applied->root["imposters"].sameNode(root["imposters"]));
    }

    void randomEditsAndTheirInverses()
    {
        for (unsigned seed = 1; seed <= 60; ++seed) {
            std::mt19937 random(seed);
            Value root = read(sample);
            const std::string start = json::writeDocument(root);
            std::vector<WorkspaceEdit> inverses;
            std::vector<std::string> texts;
            for (int i = 0; i < 40; ++i) {
                texts.push_back(json::writeDocument(root));
                const auto applied = randomEdit(random, root).apply(root);
                QVERIFY2(applied, applied ? "" : applied.error().message.c_str());
                root = applied->root;
                inverses.push_back(applied->inverse);
            }
            // Undo everything; half way, redo and undo one again, as a person would.
            while (!inverses.empty()) {
                auto undone = inverses.back().apply(root);
                QVERIFY(undone);
                const auto redone = undone->inverse.apply(undone->root);
                QCOMPARE(json::writeDocument(redone->root), json::writeDocument(root));
                undone = redone->inverse.apply(redone->root);
                root = undone->root;
                QCOMPARE(json::writeDocument(root), texts.back());
                inverses.pop_back();
                texts.pop_back();
            }
            QCOMPARE(json::writeDocument(root), start);
        }
    }

    void storeTellsItsObserversInOrder()
    {
        const auto decode = [](const Value &root, const WorkspacePtr &) {
            auto workspace = std::make_shared<Workspace>();
            workspace->root = root;
            return WorkspacePtr(workspace);
        };
        WorkspaceStore store(decode, decode(read("[]"), {}));
        std::vector<std::size_t> sizes;
        const int id =
            store.observe([&](const WorkspacePtr &before, const WorkspacePtr &after, const WorkspaceEdit &inverse) {
                QVERIFY(inverse.apply(after->root)->root == before->root);
                QCOMPARE(before->root.size() + 1, after->root.size());
                QCOMPARE(store.current(), after);
                sizes.push_back(after->root.size());
            });
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&store] {
                for (int i = 0; i < 50; ++i)
                    QVERIFY(store.apply(WorkspaceEdit::insert("add", {"-"}, Value(i))));
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        QCOMPARE(sizes.size(), std::size_t(200));
        QVERIFY(std::is_sorted(sizes.begin(), sizes.end()));
        store.forget(id);
        const auto inverse = store.apply(WorkspaceEdit::remove("drop", {"0"}));
        QVERIFY(inverse);
        QVERIFY(store.apply(*inverse));
        QCOMPARE(store.current()->root.size(), std::size_t(200));
        QCOMPARE(sizes.size(), std::size_t(200));
        QVERIFY(!store.apply(WorkspaceEdit::remove("drop", {"x"})));
    }
};

QTEST_APPLESS_MAIN(WorkspaceEditTest)
#include "tst_workspaceedit.moc"
