#include "codec/shippedworkspaces.h"
#include "invocation.h"
#include "support/readfile.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace wardbench;
using test::contains;
using test::Invocation;

class NewCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesShippedWorkspaces()
    {
        QTemporaryDir folder;
        for (const std::string &name : codec::shippedWorkspaceNames()) {
            const QString path = folder.filePath(QString::fromStdString(name));
            const Invocation written(
                {QStringLiteral("new"), QStringLiteral("--from"), QString::fromStdString(name), path});
            QCOMPARE(written.code, 0);
            QCOMPARE(written.out, std::string());
            QCOMPARE(written.err, "wrote " + path.toStdString() + "\n");
            QCOMPARE(test::readFile(path.toStdString()), *codec::shippedWorkspace(name));
            const Invocation check({QStringLiteral("check"), QStringLiteral("--strict"), path});
            QCOMPARE(check.code, 0);
        }
    }

    void demoIsTheDefault()
    {
        const Invocation written({QStringLiteral("new"), QStringLiteral("-")});
        QCOMPARE(written.code, 0);
        QCOMPARE(written.out, *codec::shippedWorkspace("demo"));
    }

    void neverOverwritesUnasked()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("mine"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
        file.close();
        const Invocation refused({QStringLiteral("new"), path});
        QCOMPARE(refused.code, 1);
        QVERIFY(contains(refused.err, "exists already"));
        QCOMPARE(test::readFile(path.toStdString()), std::string("mine"));
        QCOMPARE(Invocation({QStringLiteral("new"), QStringLiteral("--force"), path}).code, 0);
        QCOMPARE(test::readFile(path.toStdString()), *codec::shippedWorkspace("demo"));
    }

    void cannotWrite()
    {
        QTemporaryDir folder;
        const Invocation refused({QStringLiteral("new"), folder.filePath(QStringLiteral("none/x.wardbench"))});
        QCOMPARE(refused.code, 1);
        QVERIFY(contains(refused.err, "No such file"));
    }
};

QTEST_GUILESS_MAIN(NewCommandTest)
#include "tst_newcommand.moc"
