#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace Qt::StringLiterals;

/// What mountebank's clients and files rely on, each by a Node client that starts a `wardbench mb` of its own and talks
/// to it over sockets.
class TestChecklist : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void holds_data();
    void holds();
};

void TestChecklist::holds_data()
{
    QTest::addColumn<QString>("check");
    QTest::newRow("field order, indentation, links, statuses") << u"json"_s;
    QTest::newRow("header lines, bodies and lengths of replies") << u"replies"_s;
    QTest::newRow("both IP versions, sockets cut and port free on delete") << u"listening"_s;
    QTest::newRow("normalisation of predicates") << u"predicates"_s;
    QTest::newRow("ring of responses, recording, generators") << u"recording"_s;
    QTest::newRow("behaviors and their old form") << u"behaviors"_s;
    QTest::newRow("error codes and messages") << u"errors"_s;
    QTest::newRow("pid file, restart, stop, save, replay, rc file") << u"processes"_s;
    QTest::newRow("EJS config files") << u"templates"_s;
    QTest::newRow("CSV files and shell commands") << u"outside"_s;
}

void TestChecklist::holds()
{
    QFETCH(QString, check);
    const QString node = QStandardPaths::findExecutable(u"node"_s);
    QVERIFY2(!node.isEmpty(), "needs node");
    const QTemporaryDir folder;
    QProcess client;
    client.setWorkingDirectory(folder.path());
    client.setProcessChannelMode(QProcess::MergedChannels);
    client.start(node,
                 {QStringLiteral(WARDBENCH_TEST_DATA "/admin/checklist.js"), QStringLiteral(WARDBENCH_BINARY), check});
    QVERIFY(client.waitForFinished(120'000));
    const QByteArray out = client.readAll();
    QVERIFY2(client.exitCode() == 0 && out.contains("all is well"), out.constData());
}

QTEST_GUILESS_MAIN(TestChecklist)
#include "tst_checklist.moc"
