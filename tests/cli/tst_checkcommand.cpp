#include "codec/shippedworkspaces.h"
#include "invocation.h"
#include "support/readfile.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace wardbench;
using test::contains;
using test::Invocation;

class CheckCommandTest : public QObject
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

    void shippedAndExample()
    {
        QStringList arguments{QStringLiteral("check"), QStringLiteral("--strict"),
                              QStringLiteral(WARDBENCH_TEST_DATA "/workspaces/example.wardbench")};
        for (const std::string &name : codec::shippedWorkspaceNames())
            arguments << file(name.c_str(), *codec::shippedWorkspace(name));
        const Invocation check(arguments);
        QCOMPARE(check.out, std::string());
        QCOMPARE(check.code, 0);
        QCOMPARE(check.err, "no errors, no warnings in " + std::to_string(codec::shippedWorkspaceNames().size() + 1) + " files\n");
    }

    void exampleOfTheDocumentation()
    {
        const std::string page = test::readFile(WARDBENCH_SOURCE_DIR "/docs/FILE_FORMAT.md");
        const std::string fence = "```json\n";
        const std::size_t start = page.find(fence) + fence.size();
        const QString path = file("page.wardbench", page.substr(start, page.find("```", start) - start));
        const Invocation check({QStringLiteral("check"), QStringLiteral("--strict"), path});
        QCOMPARE(check.out, std::string());
        QCOMPARE(check.code, 0);
    }

    void errorsOfEveryKind()
    {
        // One from decoding, one from lint, one from the identifier's compiler; in file order, each with its place.
        const QString path =
            file("bad.wardbench", "{ \"format\": \"wardbench/1\",\n"
                                  "  \"policies\": [{ \"name\": \"p\", \"identifier\": \"{nonsense}\" }],\n"
                                  "  \"scenarios\": [{ \"name\": \"s\", \"request\": { \"target\": \"nobody\" },\n"
                                  "    \"contestants\": [{ \"name\": \"A\" }],\n"
                                  "    \"load\": { \"users\": 0, \"iterations\": 1 } }] }\n");
        const Invocation check({QStringLiteral("check"), path});
        QCOMPARE(check.code, 1);
        QCOMPARE(check.err, std::string("3 errors, no warnings in 1 file\n"));
        const QList<QByteArray> lines = QByteArray::fromStdString(check.out).split('\n');
        QCOMPARE(lines.size(), qsizetype(4));
        const QByteArray name = path.toUtf8();
        QVERIFY2(lines[0].startsWith(name + ":2:45: error: /policies/0/identifier: "), lines[0].constData());
        QVERIFY2(
            lines[1].startsWith(name + ":3:55: error: /scenarios/0/request/target: there is no imposter \"nobody\""),
            lines[1].constData());
        QVERIFY2(lines[2].startsWith(name + ":5:24: error: /scenarios/0/load/users: 0 was given; expected "),
                 lines[2].constData());
    }

    void warningsAndStrict()
    {
        const QString path =
            file("warn.wardbench", R"({ "format": "wardbench/1", "policies": [{ "name": "p", "retires": 3 }] })");
        const Invocation lenient({QStringLiteral("check"), path});
        QCOMPARE(lenient.code, 0);
        QVERIFY(contains(lenient.out, ":1:67: warning: /policies/0/retires: "));
        QVERIFY(contains(lenient.out, "did you mean \"retry\"?"));
        QCOMPARE(lenient.err, std::string("no errors, 1 warning in 1 file\n"));
        const Invocation strict({QStringLiteral("check"), QStringLiteral("--strict"), path});
        QCOMPARE(strict.code, 1);
        QCOMPARE(strict.out, lenient.out);
    }

    void mountebankFiles()
    {
        const QString path =
            file("imposters.json",
                 R"({ "imposters": [{ "protocol": "http", "port": 4545,)"
                 R"( "stubs": [{ "responses": [{ "is": { "body": "x" }, "behaviors": [{ "wait": 5 }] }] }] }] })");
        const Invocation check({QStringLiteral("check"), path});
        QCOMPARE(check.out, std::string());
        QCOMPARE(check.code, 0);
        // A file that is one imposter: pointers are of the file.
        const QString one = file(
            "one.json",
            R"({ "protocol": "http", "stubs": [{ "responses": [{ "is": {} }] }, { "responses": [{ "is": {} }] }] })");
        const Invocation checkOne({QStringLiteral("check"), one});
        QVERIFY2(contains(checkOne.out, ":1:66: warning: /stubs/1: never answers: stub 1"), checkOne.out.c_str());
    }

    void unreadable()
    {
        const Invocation check({QStringLiteral("check"), m_folder->filePath(QStringLiteral("none"))});
        QCOMPARE(check.code, 1);
        QVERIFY(contains(check.err, "No such file"));
        const Invocation broken({QStringLiteral("check"), file("broken", "{ \"a\": 1,\n}")});
        QCOMPARE(broken.code, 1);
        QVERIFY(contains(broken.out, ":2:1: error: trailing comma"));
    }

    void standardInput()
    {
        QProcess program;
        program.start(QStringLiteral(WARDBENCH_BINARY), {QStringLiteral("check"), QStringLiteral("-")});
        program.write("{ \"format\": 1 }");
        program.closeWriteChannel();
        QVERIFY(program.waitForFinished());
        QCOMPARE(program.exitCode(), 1);
        QCOMPARE(program.readAllStandardOutput(),
                 QByteArray("-:1:13: error: /format: 1 was given; expected \"wardbench/1\"\n"));
        QCOMPARE(program.readAllStandardError(), QByteArray("1 error, no warnings in 1 file\n"));
    }

    // A hostile file gets its answer, not a crash, from the real program.
    void bombs_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("open nest") << QByteArray(200'000, '[');
        QTest::newRow("balanced nest") << QByteArray(200'000, '[') + QByteArray(200'000, ']');
        QTest::newRow("nested predicates")
            << "{\"protocol\":\"http\",\"stubs\":[{\"responses\":[{\"is\":{}}],\"predicates\":[" +
                   QByteArray("{\"not\":").repeated(200'000);
        QTest::newRow("too large") << QByteArray((64 << 20) + 1, ' ');
        QTest::newRow("broken UTF-8") << QByteArray("{ \"format\": \"\xff\" }");
    }
    void bombs()
    {
        QFETCH(QByteArray, text);
        const QString path = file("bomb", text.toStdString());
        QProcess program;
        program.start(QStringLiteral(WARDBENCH_BINARY), {QStringLiteral("check"), path});
        QVERIFY(program.waitForFinished());
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(program.exitCode(), 1);
        const QByteArray out = program.readAllStandardOutput();
        QCOMPARE(out.count('\n'), 1);
        QVERIFY2(out.startsWith(path.toUtf8() + ":1:"), out.left(200).constData());
        QVERIFY(out.contains(": error: "));
    }
};

QTEST_GUILESS_MAIN(CheckCommandTest)
#include "tst_checkcommand.moc"
