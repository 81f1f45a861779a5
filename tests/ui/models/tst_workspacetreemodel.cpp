#include "document/edits.h"
#include "models/workspacetreefilter.h"
#include "models/workspacetreemodel.h"

#include <QAbstractItemModelTester>
#include <QMimeData>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QTest>

using namespace wardbench;
using namespace Qt::StringLiterals;
using Model = WorkspaceTreeModel;

namespace {

std::string workspace(int stubs)
{
    std::string text = R"({"format":"wardbench/1","imposters":[{"protocol":"http","name":"shop","stubs":[)";
    for (int i = 0; i < stubs; ++i)
        text += (i ? "," : "") + std::string(R"({"name":"stub )") + std::to_string(i) + R"(","responses":[{"is":{}}]})";
    return text + R"(]},{"protocol":"http","port":4600,"name":"license","stubs":[]}],"policies":[{"name":"a","identifier":"x"},{"name":"b","identifier":"y"}],"scenarios":[]})";
}

struct Fixture
{
    WorkspaceDocument document;
    MockController mocks{&document};
    WorkspaceTreeModel model{&document, &mocks};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::QtTest};
    WorkspaceTreeFilter filter;
    QAbstractItemModelTester filterTester{&filter, QAbstractItemModelTester::FailureReportingMode::QtTest};

    Fixture()
    {
        filter.setSourceModel(&model);
        const Result<void> opened = document.openCopy(u"t"_s, workspace(5));
        Q_ASSERT(bool(opened));
    }
    QModelIndex mock(int row = 0) const { return model.index(row, 0, model.groupIndex(Model::Mocks)); }
    QStringList stubs() const
    {
        QStringList names;
        for (int i = 0; i < model.rowCount(mock()); ++i)
            names << model.index(i, 0, mock()).data().toString();
        return names;
    }
};

} // namespace

class TestWorkspaceTreeModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsGroups();
    void followsEdits_data();
    void followsEdits();
    void selectionStays();
    void movesDownInOneStep();
    void renames();
    void dragAndDrop();
    void runs();
    void filters();
    void statesAndPorts();
};

void TestWorkspaceTreeModel::showsGroups()
{
    Fixture f;
    QCOMPARE(f.model.rowCount(), 4);
    QCOMPARE(f.model.groupIndex(Model::Mocks).data().toString(), u"Mocks"_s);
    QCOMPARE(f.model.rowCount(f.model.groupIndex(Model::Mocks)), 2);
    QCOMPARE(f.stubs(), (QStringList{u"stub 0"_s, u"stub 1"_s, u"stub 2"_s, u"stub 3"_s, u"stub 4"_s}));
    QCOMPARE(f.mock(1).siblingAtColumn(Model::Detail).data().toString(), u":4600"_s);
    QCOMPARE(f.model.rowCount(f.model.groupIndex(Model::Policies)), 2);
}

void TestWorkspaceTreeModel::followsEdits_data()
{
    QTest::addColumn<QList<int>>("moves"); // pairs from, to; -1 as `to` removes
    QTest::addRow("up") << QList<int>{4, 0};
    QTest::addRow("down") << QList<int>{0, 4};
    QTest::addRow("middle") << QList<int>{1, 3, 3, 2};
    QTest::addRow("remove") << QList<int>{0, -1, 3, -1};
    QTest::addRow("mixed") << QList<int>{0, 4, 2, -1, 3, 0, 1, -1, 0, -1, 0, -1, 0, -1};
}

void TestWorkspaceTreeModel::followsEdits()
{
    QFETCH(QList<int>, moves);
    Fixture f;
    QStringList expected = f.stubs();
    QList<QStringList> states{expected};
    for (int i = 0; i < moves.size(); i += 2) {
        const json::Path path{"imposters", "0", "stubs", std::to_string(moves[i])};
        if (moves[i + 1] < 0) {
            QVERIFY(f.document.edit(WorkspaceEdit::remove("Delete", path)));
            expected.removeAt(moves[i]);
        } else {
            QVERIFY(f.document.edit(WorkspaceEdit::move("Move", path, static_cast<std::size_t>(moves[i + 1]))));
            expected.move(moves[i], moves[i + 1]);
        }
        QCOMPARE(f.stubs(), expected);
        states << expected;
    }
    for (qsizetype i = states.size() - 1; i > 0; --i) {
        f.document.undoStack()->undo();
        QCOMPARE(f.stubs(), states[i - 1]);
    }
    for (qsizetype i = 1; i < states.size(); ++i) {
        f.document.undoStack()->redo();
        QCOMPARE(f.stubs(), states[i]);
    }
}

void TestWorkspaceTreeModel::selectionStays()
{
    Fixture f;
    QSignalSpy reset(&f.model, &QAbstractItemModel::modelReset);
    const QPersistentModelIndex stub = f.model.index(2, 0, f.mock());
    const QPersistentModelIndex policy = f.model.index(1, 0, f.model.groupIndex(Model::Policies));
    f.document.edit(edits::addStub(*f.document.workspace(), 0, 0).edit);
    f.document.edit(edits::rename(*f.document.workspace(), {"imposters", "0"}, "store"));
    f.document.edit(WorkspaceEdit::move("Move", {"imposters", "0"}, 1));
    f.document.edit(WorkspaceEdit::move("Move", {"policies", "1"}, 0));
    QCOMPARE(stub.data().toString(), u"stub 2"_s);
    QCOMPARE(stub.row(), 3);
    QCOMPARE(stub.parent().row(), 1);
    QCOMPARE(stub.parent().data().toString(), u"store"_s);
    QCOMPARE(policy.data().toString(), u"b"_s);
    QCOMPARE(policy.row(), 0);
    QCOMPARE(reset.count(), 0);
}

void TestWorkspaceTreeModel::movesDownInOneStep()
{
    Fixture f;
    QSignalSpy moved(&f.model, &QAbstractItemModel::rowsMoved);
    f.document.edit(WorkspaceEdit::move("Move", {"imposters", "0", "stubs", "0"}, 4));
    QCOMPARE(moved.count(), 1);
    f.document.undoStack()->undo();
    QCOMPARE(moved.count(), 2);
}

void TestWorkspaceTreeModel::renames()
{
    Fixture f;
    const QModelIndex stub = f.model.index(0, 0, f.mock());
    QVERIFY(stub.flags() & Qt::ItemIsEditable);
    QVERIFY(f.model.setData(stub, u"first"_s));
    QCOMPARE(stub.data().toString(), u"first"_s);
    QVERIFY(!f.model.setData(f.mock(), QString())); // a mock needs its name
    QVERIFY(f.model.setData(stub, QString())); // a stub is called by its predicates then
    QVERIFY(!stub.data().toString().isEmpty());
    QCOMPARE(f.document.undoStack()->count(), 2);
    f.document.undoStack()->undo();
    f.document.undoStack()->undo();
    QCOMPARE(stub.data().toString(), u"stub 0"_s);
}

void TestWorkspaceTreeModel::dragAndDrop()
{
    Fixture f;
    QSignalSpy dropped(&f.model, &Model::dropped);
    const auto drop = [&](const QModelIndex &what, int row, const QModelIndex &parent) {
        const std::unique_ptr<QMimeData> data(f.model.mimeData({what}));
        const bool can = f.model.canDropMimeData(data.get(), Qt::MoveAction, row, 0, parent);
        f.model.dropMimeData(data.get(), Qt::MoveAction, row, 0, parent);
        return can;
    };
    QVERIFY(drop(f.model.index(0, 0, f.mock()), 3, f.mock()));
    QCOMPARE(f.stubs(), (QStringList{u"stub 1"_s, u"stub 2"_s, u"stub 0"_s, u"stub 3"_s, u"stub 4"_s}));
    QVERIFY(drop(f.model.index(2, 0, f.mock()), -1, f.mock(1))); // into the other mock
    QCOMPARE(f.model.rowCount(f.mock()), 4);
    QCOMPARE(f.model.index(0, 0, f.mock(1)).data().toString(), u"stub 0"_s);
    QCOMPARE(dropped.count(), 2);
    QVERIFY(!drop(f.model.index(0, 0, f.mock()), 0, f.model.groupIndex(Model::Policies)));
    QVERIFY(!drop(f.model.index(0, 0, f.model.groupIndex(Model::Policies)), 0, f.mock()));
    QCOMPARE(f.document.undoStack()->count(), 2);
    f.document.undoStack()->undo();
    f.document.undoStack()->undo();
    QCOMPARE(f.stubs().front(), u"stub 0"_s);
}

void TestWorkspaceTreeModel::runs()
{
    Fixture f;
    const QDateTime now = QDateTime::currentDateTime();
    f.model.setRuns({{u"/r/2"_s, u"load"_s, now, {}}, {u"/r/1"_s, u"load"_s, now.addDays(-1), {}}});
    const QPersistentModelIndex older = f.model.indexOfRun(u"/r/1"_s);
    QCOMPARE(older.row(), 1);
    QVERIFY(older.data().toString().startsWith(u"Yesterday"_s));
    f.model.setRuns({{u"/r/3"_s, u"load"_s, now, {}}, {u"/r/2"_s, u"load"_s, now, {}}, {u"/r/1"_s, u"load"_s, now.addDays(-1), {}}});
    QCOMPARE(older.row(), 2);
    QCOMPARE(f.model.runPath(older), u"/r/1"_s);
    f.model.setRuns({});
    QVERIFY(!older.isValid());
}

void TestWorkspaceTreeModel::filters()
{
    Fixture f;
    f.filter.setText(u"STUB 3"_s);
    QCOMPARE(f.filter.rowCount(), 1);
    const QModelIndex mocks = f.filter.index(0, 0);
    QCOMPARE(f.filter.rowCount(mocks), 1);
    QCOMPARE(f.filter.rowCount(f.filter.index(0, 0, mocks)), 1);
    QVERIFY(!f.filter.matchesNothing());
    f.filter.setText(u"shop"_s); // a mock shows all its stubs
    QCOMPARE(f.filter.rowCount(f.filter.index(0, 0, f.filter.index(0, 0))), 5);
    f.filter.setText(u"nothing like it"_s);
    QVERIFY(f.filter.matchesNothing());
    f.filter.setText({});
    QCOMPARE(f.filter.rowCount(), 4);
}

void TestWorkspaceTreeModel::statesAndPorts()
{
    Fixture f;
    QCOMPARE(f.mock().data(Model::StateRole).toInt(), static_cast<int>(MockState::State::Stopped));
    QSignalSpy changed(&f.model, &QAbstractItemModel::dataChanged);
    const quint64 id = f.document.ids().mocks().front();
    QVERIFY2(f.mocks.start(id), qPrintable(f.mocks.state(id).error));
    QVERIFY(changed.count() > 0);
    QCOMPARE(f.mock().data(Model::StateRole).toInt(), static_cast<int>(MockState::State::Running));
    QCOMPARE(f.mock().siblingAtColumn(Model::Detail).data().toString(), u":%1"_s.arg(f.mocks.state(id).port));
    QVERIFY(f.mock().data(Qt::AccessibleTextRole).toString().contains(u"running on port"_s));
}

QTEST_MAIN(TestWorkspaceTreeModel)
#include "tst_workspacetreemodel.moc"
