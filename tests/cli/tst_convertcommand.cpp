#include "codec/shippedworkspaces.h"
#include "codec/workspacefile.h"
#include "invocation.h"
#include "support/readfile.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace wardbench;
using test::contains;
using test::Invocation;

class ConvertCommandTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    QString at(const char *name) { return m_folder->filePath(QString::fromLatin1(name)); }
    QString file(const char *name, const std::string &text)
    {
        std::ofstream(at(name).toStdString(), std::ios::binary) << text;
        return at(name);
    }
    static Invocation convert(const QString &in, const char *format, const QString &out, const QStringList &more = {})
    {
        return Invocation(
            QStringList{QStringLiteral("convert"), in, QStringLiteral("--to"), QLatin1String(format), out} + more);
    }

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    /// What both can say comes back as it was.
    void thereAndBack()
    {
        const std::string text =
            R"({"imposters":[{"protocol":"http","port":4545,"name":"a","extra":{"kept":[1.0]},"stubs":[)"
            R"({"predicates":[{"equals":{"path":"/x"},"caseSensitive":true,"comment":"c"}],)"
            R"("responses":[{"is":{"statusCode":"201","headers":{"A":["1","2"]},"body":{"n":1e3}},"behaviors":[{"wait":5}],"repeat":2},)"
            R"({"fault":"CONNECTION_RESET_BY_PEER"}]}]}]})";
        const QString original = file("in.json", text);
        QCOMPARE(convert(original, "wardbench", at("w.wardbench")).code, 0);
        QVERIFY(test::readFile(at("w.wardbench").toStdString()).starts_with("{\n  \"format\": \"wardbench/1\""));
        const Invocation back = convert(at("w.wardbench"), "mountebank", at("out.json"));
        QCOMPARE(back.code, 0);
        QCOMPARE(back.err, std::string());
        const auto first = codec::loadText(text);
        const auto second = codec::loadText(test::readFile(at("out.json").toStdString()));
        QVERIFY(second.mountebank);
        // Numbers are written as JavaScript prints them, which means the same.
        QCOMPARE(second.workspace->imposters.size(), std::size_t(1));
        QCOMPARE(second.workspace->root["imposters"].at(0)["extra"]["kept"].size(), std::size_t(1));
        QVERIFY(second.workspace->root["imposters"].at(0)["stubs"].at(0)["predicates"] ==
                first.workspace->root["imposters"].at(0)["stubs"].at(0)["predicates"]);
    }

    void lossesAreNamed()
    {
        const QString path = file(
            "in.wardbench",
            R"({"format":"wardbench/1","policies":[{"name":"p","identifier":"{url}"}],"imposters":[{"protocol":"http","keepAlive":true,)"
            R"("capacity":{"concurrent":2},"stubs":[{"enabled":false,"responses":[{"is":{}}]},)"
            R"({"responseMode":"random","responses":[{"is":{},"behaviors":[{"wait":{"type":"uniform","lower":10,"upper":30}},{"wait":"2s"}]},)"
            R"({"fault":{"type":"empty"}}]}]}]})");
        const Invocation made = convert(path, "mountebank", QStringLiteral("-"));
        QCOMPARE(made.code, 0);
        for (const char *loss :
             {"/imposters/0/stubs/0: ", "/imposters/0/capacity: ", "/imposters/0/stubs/1/responseMode: ",
              "/imposters/0/stubs/1/responses/0/behaviors/0/wait: ", "/imposters/0/stubs/1/responses/1/fault: ",
              "/policies: "})
            QVERIFY2(contains(made.err, std::string("not in the result: ") + loss), loss);
        const auto result = codec::loadText(made.out);
        QVERIFY(result.mountebank && !hasErrors(result.issues));
        const json::Value &stub = result.workspace->root["imposters"].at(0)["stubs"].at(0);
        QCOMPARE(stub["responses"].at(0)["behaviors"].at(0)["wait"].text(), std::string("20"));
        QCOMPARE(stub["responses"].at(0)["behaviors"].at(1)["wait"].text(), std::string("2000"));
        QVERIFY(stub["responses"].at(1)["is"].isObject());
        QVERIFY(result.workspace->root["imposters"].at(0)["keepAlive"].toBool()); // mountebank ignores it
    }

    void neverOverwritesUnasked()
    {
        const QString in = file("in.json", R"({"imposters":[]})");
        const QString there = file("there.json", "precious");
        const Invocation refused = convert(in, "mountebank", there);
        QCOMPARE(refused.code, 1);
        QVERIFY(contains(refused.err, "--force"));
        QCOMPARE(test::readFile(there.toStdString()), std::string("precious"));
        QCOMPARE(convert(in, "mountebank", there, {QStringLiteral("--force")}).code, 0);
    }

    /// The name of the new file says what it is to be; a scenario's values travel beside it.
    void plansAndScripts()
    {
        const QString in =
            file("in.wardbench",
                 "{\"format\":\"wardbench/1\",\"scenarios\":[{\"name\":\"S\",\"seed\":1,\"variables\":{\"n\":"
                 "{\"type\":\"sequence\"}},\"request\":{\"target\":\"http://127.0.0.1:1\",\"path\":\"/${n}\"},"
                 "\"contestants\":[{\"name\":\"Bare client\"}],"
                 "\"load\":{\"users\":2,\"iterations\":4},\"repetitions\":1}]}");
        const auto run = [](const QStringList &arguments) {
            return Invocation(QStringList{QStringLiteral("convert")} + arguments);
        };
        for (const char *name : {"plan.jmx", "plan.js"}) {
            const Invocation made = run({in, at(name)});
            QCOMPARE(made.err, std::string());
            QCOMPARE(made.code, 0);
            QVERIFY(!test::readFile(at(name).toStdString()).empty());
        }
        QCOMPARE(test::readFile(at("plan.csv").toStdString()), std::string("n\n1\n2\n3\n4\n"));
        QVERIFY(contains(test::readFile(at("plan.json").toStdString()), "{\"n\":\"4\"}"));
        QCOMPARE(run({in, at("plan.jmx")}).code, 1); // is there already
        const Invocation unknown = run({in, at("other.jmx"), QStringLiteral("--scenario"), QStringLiteral("T")});
        QCOMPARE(unknown.code, 1);
        QVERIFY(contains(unknown.err, "expected one of \"S\""));

        QCOMPARE(run({at("plan.jmx"), at("back.wardbench")}).code, 0);
        QCOMPARE(codec::loadFile(at("back.wardbench").toStdString())->workspace->scenarios.size(), std::size_t(1));
        QCOMPARE(run({at("plan.jmx"), at("x.js")}).code, 1);
        const Invocation broken = run({file("broken.jmx", "<a>\n<b"), at("c.wardbench")});
        QCOMPARE(broken.code, 1);
        QVERIFY(contains(broken.err, "broken.jmx: line 2, column "));
        QCOMPARE(run({at("nowhere.jmx"), at("c.wardbench")}).code, 1);
    }

    void resultsOfOthers()
    {
        const QString jtl =
            file("a.jtl", "timeStamp,elapsed,label,success,bytes\n1000,10,a,true,1024\n1990,20,b,false,0\n");
        const auto run = [](const QStringList &arguments) {
            return Invocation(QStringList{QStringLiteral("convert")} + arguments);
        };
        QCOMPARE(run({jtl, at("a.wbrun")}).code, 0);
        QVERIFY(contains(test::readFile(at("a.wbrun").toStdString()), "results of JMeter, 2 samples"));
        const Invocation table = run({jtl, QStringLiteral("--to"), QStringLiteral("aggregate"), QStringLiteral("-")});
        QCOMPARE(table.code, 0);
        QVERIFY(contains(table.out, "\nTOTAL,2,15,10,20,20,20,10,20,50.000%,1.98020,0.99,0.00\n"));
        const Invocation summary = run({jtl, QStringLiteral("--to"), QStringLiteral("summary"), QStringLiteral("-")});
        QVERIFY(contains(summary.out, "\nTOTAL,2,15,10,20,5.00,50.000%,1.98020,0.99,0.00,512.0\n"));
        const Invocation cut = run({file("b.jtl", "timeStamp,elapsed\n1,2\n1"), at("b.wbrun")});
        QCOMPARE(cut.code, 1);
        QVERIFY(contains(cut.err, "b.jtl: line 3: 1 fields; expected 2"));
    }

    void wrongUse()
    {
        const QString in = file("in.json", R"({"imposters":[{}]})");
        QCOMPARE(convert(in, "mountebank", at("o")).code, 1);
        QCOMPARE(convert(in, "postman", at("o")).code, 2);
        QCOMPARE(Invocation({QStringLiteral("convert"), in, at("o")}).code, 2);
        QCOMPARE(Invocation({QStringLiteral("convert"), in}).code, 2);
    }
};

QTEST_GUILESS_MAIN(ConvertCommandTest)
#include "tst_convertcommand.moc"
