#include "report/runfile.h"
#include "run/runstore.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace wardbench;

namespace {

RunResult resultOf(const std::string &scenario)
{
    RunResult result;
    result.scenario = scenario;
    result.scenarioJson = "{}";
    return result;
}

} // namespace

class TestRunStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsAndLists()
    {
        const QTemporaryDir folder;
        const RunStore store(folder.path().toStdString());
        QVERIFY(store.list("a.wardbench").empty());
        const Result<std::string> path = store.save("a.wardbench", resultOf("Holder, described / 100 %"));
        QVERIFY2(bool(path), path ? "" : path.error().message.c_str());
        const std::vector<StoredRun> runs = store.list("a.wardbench");
        QCOMPARE(runs.size(), std::size_t(1));
        QCOMPARE(runs[0].path, *path);
        QCOMPARE(runs[0].scenario, std::string("Holder, described / 100 %"));
        QCOMPARE(runs[0].started.size(), std::size_t(24));
        QCOMPARE(runs[0].started.back(), 'Z');
        const Result<RunResult> loaded = report::loadRun(runs[0].path);
        QVERIFY(bool(loaded));
        QCOMPARE(loaded->scenario, std::string("Holder, described / 100 %"));
    }

    void workspacesOfOneNameAreTwo()
    {
        const QTemporaryDir folder;
        const RunStore store(folder.path().toStdString());
        QVERIFY(store.folderOf("/x/shop.wardbench") != store.folderOf("/y/shop.wardbench"));
        QCOMPARE(store.folderOf("/x/shop.wardbench"), store.folderOf("/x/../x/./shop.wardbench"));
        QVERIFY(store.folderOf("/x/shop.wardbench").find("/shop-") != std::string::npos);
        QVERIFY(store.folderOf("").ends_with("/untitled"));
        QVERIFY(bool(store.save("/x/shop.wardbench", resultOf("one"))));
        QVERIFY(store.list("/y/shop.wardbench").empty());
    }

    void theLastFiftyStayNewestFirst()
    {
        const QTemporaryDir folder;
        const RunStore store(folder.path().toStdString());
        for (int i = 0; i < 60; ++i)
            QVERIFY(bool(store.save("w", resultOf("run " + std::to_string(i)))));
        const std::vector<StoredRun> runs = store.list("w");
        QCOMPARE(runs.size(), RunStore::keptPerWorkspace);
        for (std::size_t i = 1; i < runs.size(); ++i)
            QVERIFY(runs[i - 1].started >= runs[i].started);
        for (const StoredRun &run : runs)
            QVERIFY2(std::stoi(run.scenario.substr(4)) >= 10 || run.started == runs.back().started,
                     run.scenario.c_str());
    }

    void strangersInTheFolderAreLeftAlone()
    {
        const QTemporaryDir folder;
        const RunStore store(folder.path().toStdString());
        QVERIFY(bool(store.save("w", resultOf("one"))));
        QFile stranger(QString::fromStdString(store.folderOf("w")) + QStringLiteral("/notes.wbrun"));
        QVERIFY(stranger.open(QIODevice::WriteOnly));
        stranger.close();
        QCOMPARE(store.list("w").size(), std::size_t(1));
        store.prune("w", 0);
        QVERIFY(store.list("w").empty());
        QVERIFY(QFileInfo::exists(stranger.fileName()));
    }

    void longNamesAreCutBetweenCharacters()
    {
        const QTemporaryDir folder;
        const RunStore store(folder.path().toStdString());
        const Result<std::string> path = store.save("w", resultOf(QString(300, QChar(0xe4)).toStdString()));
        QVERIFY2(bool(path), path ? "" : path.error().message.c_str());
        QVERIFY(store.list("w").front().scenario.size() > 40);
    }

    void aFolderThatCannotBeMadeIsAnError()
    {
        const Result<std::string> path = RunStore("/proc/none").save("w", resultOf("one"));
        QVERIFY(!path);
        QVERIFY(path.error().message.find("/proc/none") == 0);
    }
};

QTEST_APPLESS_MAIN(TestRunStore)
#include "tst_runstore.moc"
