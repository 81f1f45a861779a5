#include "codec/shippedworkspaces.h"
#include "invocation.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace wardbench;
using test::contains;
using test::Invocation;

class VerifyCommandTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    QString file(const char *name, const std::string &text)
    {
        const QString path = m_folder->filePath(QString::fromLatin1(name));
        std::ofstream(path.toStdString(), std::ios::binary) << text;
        return path;
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void shippedWorkspacesAnswer()
    {
        for (const std::string &name : codec::shippedWorkspaceNames()) {
            const Invocation verify({QStringLiteral("verify"), file(name.c_str(), *codec::shippedWorkspace(name))});
            QVERIFY2(verify.code == 0, verify.out.c_str());
            QVERIFY(contains(verify.err, "0 wrong, 0 cannot be asked"));
        }
    }

    void eachKindOfOutcome()
    {
        const QString path = file(
            "m.json",
            R"({"imposters":[{"protocol":"http","name":"shop","stubs":[)"
            R"({"name":"all","predicates":[{"startsWith":{"path":"/a"}}],"responses":[{"is":{}}]},)"
            R"({"name":"hidden","predicates":[{"equals":{"path":"/a/b"}}],"responses":[{"is":{}}]},)"
            R"({"name":"pattern","predicates":[{"matches":{"path":"^/p/[0-9]{2}$"}}],"responses":[{"is":{}}]},)"
            R"({"name":"never","predicates":[{"equals":{"path":"/x"}},{"equals":{"path":"/y"}}],"responses":[{"is":{}}]},)"
            R"({"name":"off","enabled":false,"predicates":[{"equals":{"path":"/a"}}],"responses":[{"is":{}}]}]}]})");
        const Invocation verify({QStringLiteral("verify"), path});
        QCOMPARE(verify.code, 1);
        QVERIFY(contains(verify.out, "ok       shop, stub 1 (all): GET /a\n"));
        QVERIFY(contains(verify.out, "wrong    shop, stub 2 (hidden): GET /a/b is answered by stub 1 (all)\n"));
        QVERIFY(contains(verify.out, "ok       shop, stub 3 (pattern): GET /p/11\n"));
        QVERIFY(contains(verify.out, "unasked  shop, stub 4 (never): no request can be made"));
        QVERIFY(!contains(verify.out, "off"));
        QCOMPARE(verify.err, std::string("4 stubs: 2 answer, 1 wrong, 1 cannot be asked\n"));
    }

    void badFiles()
    {
        QCOMPARE(Invocation({QStringLiteral("verify"), m_folder->filePath(QStringLiteral("none"))}).code, 1);
        const Invocation broken({QStringLiteral("verify"), file("bad.json", R"({"imposters":[{}]})")});
        QCOMPARE(broken.code, 1);
        QVERIFY(contains(broken.err, "/imposters/0/protocol"));
        QCOMPARE(Invocation({QStringLiteral("verify")}).code, 2);
        QCOMPARE(Invocation({QStringLiteral("verify"), QStringLiteral("--wrong")}).code, 2);
    }
};

QTEST_GUILESS_MAIN(VerifyCommandTest)
#include "tst_verifycommand.moc"
