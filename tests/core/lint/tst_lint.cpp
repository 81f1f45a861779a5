#include "lint/lint.h"

#include "codec/shippedworkspaces.h"
#include "codec/workspacefile.h"

#include <QtTest>

#include <ctime>

using namespace wardbench;

namespace {

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
constexpr double quick = 1;
#else
constexpr double quick = 12;
#endif

std::string lines(const std::string &text)
{
    const LoadedFile file = codec::loadText(text);
    if (!file.workspace || !file.issues.empty())
        return "the text itself has issues: " + (file.issues.empty() ? "" : file.issues[0].message);
    std::string result;
    for (const Issue &issue : lint::check(*file.workspace)) {
        result += issue.severity == Issue::Severity::Error ? "error " : "warning ";
        result += issue.pointer + ": " + issue.message + "\n";
    }
    return result;
}

/// An imposter whose stubs have these predicates, one text of a predicate array each. `responses` is always the same.
std::string stubs(const std::vector<std::string> &predicates, const std::string &members = "")
{
    std::string text = "{ \"format\": \"wardbench/1\", \"imposters\": [{ \"protocol\": \"http\", \"stubs\": [";
    for (std::size_t i = 0; i < predicates.size(); ++i)
        text += (i ? ", { " : "{ ") + members + "\"name\": \"s" + std::to_string(i + 1) + "\", \"predicates\": [" +
                predicates[i] + "], \"responses\": [{ \"is\": {} }] }";
    return text + "] }] }";
}

std::string equals(const std::string &field, const std::string &value, const std::string &more = "")
{
    return "{ \"equals\": { \"" + field + "\": \"" + value + "\" }" + more + " }";
}

std::string with(const std::string &op, const std::string &field, const std::string &value,
                 const std::string &more = "")
{
    return "{ \"" + op + "\": { \"" + field + "\": \"" + value + "\" }" + more + " }";
}

const std::string exact = ", \"caseSensitive\": true";

std::string workspace(const std::string &imposters, const std::string &policies, const std::string &scenarios)
{
    return "{ \"format\": \"wardbench/1\", \"imposters\": [" + imposters + "], \"policies\": [" + policies +
           "], \"scenarios\": [" + scenarios + "] }";
}

std::string imposter(const std::string &name, const std::string &more = ", \"keepAlive\": true")
{
    return "{ \"protocol\": \"http\", \"name\": \"" + name + "\"" + more + " }";
}

std::string scenario(const std::string &target, const std::string &policy, const std::string &name = "s")
{
    return "{ \"name\": \"" + name + "\", \"request\": { \"target\": \"" + target +
           "\" }, \"contestants\": [{ \"name\": \"A\" }, { \"name\": \"B\", \"policy\": \"" + policy +
           "\" }], \"load\": { \"iterations\": 1 } }";
}

} // namespace

class LintTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The second of two stubs: does it ever answer?
    void stubOrder_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        QTest::addColumn<QByteArray>("words"); // empty: no issue
        const auto row = [](const char *name, const std::string &first, const std::string &second, const char *words) {
            QTest::newRow(name) << QByteArray::fromStdString(first) << QByteArray::fromStdString(second)
                                << QByteArray(words);
        };
        const char *const all = "no predicates and takes every request";
        const char *const same = "has the same predicates";
        const char *const more = "takes every request that this one would";
        row("catch-all first", "", equals("path", "/a"), all);
        row("catch-all last", equals("path", "/a"), "", "");
        row("two catch-alls", "", "", all);
        row("equals nothing is a catch-all", "{ \"equals\": {} }", equals("path", "/a"), all);
        row("the same", equals("path", "/a"), equals("path", "/a"), same);
        row("the same but for case", equals("path", "/A"), equals("path", "/a"), same);
        row("case counts", equals("path", "/A", exact), equals("path", "/a", exact), "");
        row("exact before any case", equals("path", "/a", exact), equals("path", "/a"), "");
        row("any case before exact", equals("path", "/A"), equals("path", "/a", exact), more);
        row("other path", equals("path", "/a"), equals("path", "/b"), "");
        row("fewer conditions first", equals("path", "/a"), equals("path", "/a") + ", " + equals("method", "GET"),
            more);
        row("more conditions first", equals("path", "/a") + ", " + equals("method", "GET"), equals("path", "/a"), "");
        row("one object or two", "{ \"equals\": { \"path\": \"/a\", \"method\": \"GET\" } }",
            equals("method", "get") + ", " + equals("path", "/a"), same);
        row("and", "{ \"and\": [" + equals("path", "/a") + ", " + equals("method", "GET") + "] }",
            equals("method", "GET") + ", " + equals("path", "/a"), same);
        row("or is compared whole", "{ \"or\": [" + equals("path", "/a") + "] }",
            "{ \"or\": [" + equals("path", "/a") + "] }", same);
        row("not", "{ \"not\": " + equals("path", "/a") + " }", equals("path", "/b"), "");
        row("prefix first", with("startsWith", "path", "/a"), equals("path", "/a/b"), more);
        row("prefix in another case", with("startsWith", "path", "/A"), equals("path", "/a/b"), more);
        row("exact prefix before any case", with("startsWith", "path", "/a", exact), equals("path", "/a/b"), "");
        row("other prefix", with("startsWith", "path", "/ab"), equals("path", "/a/b"), "");
        row("suffix", with("endsWith", "path", "b"), equals("path", "/a/b"), more);
        row("contains", with("contains", "path", "/a"), equals("path", "/x/a/b"), more);
        row("contains not", with("contains", "path", "/q"), equals("path", "/x/a/b"), "");
        row("regular expression", with("matches", "path", "^/products/\\\\d+$"), equals("path", "/products/7"), more);
        row("regular expression that does not match", with("matches", "path", "^/products/\\\\d+$"),
            equals("path", "/products/x"), "");
        row("another selector", "{ \"equals\": { \"body\": \"1\" }, \"jsonpath\": { \"selector\": \"$.a\" } }",
            "{ \"equals\": { \"body\": \"1\" }, \"jsonpath\": { \"selector\": \"$.b\" } }", "");
        row("the same selector", "{ \"equals\": { \"body\": \"1\" }, \"jsonpath\": { \"selector\": \"$.a\" } }",
            "{ \"equals\": { \"body\": \"1\" }, \"jsonpath\": { \"selector\": \"$.a\" } }", same);
        row("except", "{ \"equals\": { \"path\": \"/a\" }, \"except\": \"x\" }", equals("path", "/a"), "");
        row("regular expression and case", with("matches", "path", "^/P", exact), equals("path", "/p"), "");
        row("field exists", "{ \"exists\": { \"headers\": { \"A\": true } } }",
            "{ \"equals\": { \"headers\": { \"a\": \"1\" } } }", more);
        row("field does not exist", "{ \"exists\": { \"headers\": { \"A\": false } } }",
            "{ \"equals\": { \"headers\": { \"a\": \"1\" } } }", "");
        row("one header of two", "{ \"equals\": { \"headers\": { \"a\": \"1\" } } }",
            "{ \"equals\": { \"headers\": { \"b\": \"2\", \"A\": \"1\" } } }", more);
        row("query", "{ \"equals\": { \"query\": { \"q\": \"1\" } } }",
            "{ \"equals\": { \"query\": { \"q\": \"2\" } } }", "");
        row("number and text", "{ \"equals\": { \"query\": { \"q\": \"1\" } } }",
            "{ \"equals\": { \"query\": { \"q\": 1 } } }", same);
        row("body fields may be of two elements", "{ \"equals\": { \"body\": { \"a\": 1, \"b\": 2 } } }",
            "{ \"equals\": { \"body\": { \"a\": 1 } } }, { \"equals\": { \"body\": { \"b\": 2 } } }", "");
        row("the same body", "{ \"deepEquals\": { \"body\": { \"a\": [1] } } }",
            "{ \"deepEquals\": { \"body\": { \"a\": [1] } } }", same);
        row("deepEquals of one text", "{ \"deepEquals\": { \"path\": \"/a\" } }", equals("path", "/a"), same);
        row("deepEquals of a map is more", "{ \"equals\": { \"query\": {} } }", "{ \"deepEquals\": { \"query\": {} } }",
            "");
    }
    void stubOrder()
    {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        QFETCH(QByteArray, words);
        const std::string text = lines(stubs({first.toStdString(), second.toStdString()}));
        if (words.isEmpty()) {
            QCOMPARE(text, std::string());
            return;
        }
        QVERIFY2(text.find("warning /imposters/0/stubs/1: never answers: stub 1 \"s1\" before it ") == 0, text.c_str());
        QVERIFY2(text.find(words.toStdString()) != std::string::npos, text.c_str());
    }

    void disabledStubsTakeNothing()
    {
        QCOMPARE(lines(stubs({"", equals("path", "/a")}, "\"enabled\": false, ")), std::string());
    }

    void namesTheFirstStubInTheWay()
    {
        const std::string text = lines(stubs(
            {equals("path", "/x"), with("startsWith", "path", "/a"), equals("path", "/a/b"), equals("path", "/a/b")}));
        QCOMPARE(QByteArray::fromStdString(text).count('\n'), 2);
        QVERIFY(text.find("/stubs/2: never answers: stub 2 \"s2\"") != std::string::npos);
        QVERIFY(text.find("/stubs/3: never answers: stub 2 \"s2\"") != std::string::npos);
    }

    void responses()
    {
        const auto text = [](const std::string &mode, const std::string &first, const std::string &second) {
            return lines("{ \"format\": \"wardbench/1\", \"imposters\": [{ \"protocol\": \"http\", \"stubs\": [{ "
                         "\"responseMode\": \"" +
                         mode + "\", \"responses\": [{ \"is\": {}" + first + " }, { \"is\": {}" + second +
                         " }] }] }] }");
        };
        QCOMPARE(text("random", ", \"weight\": 3", ", \"weight\": 1"), std::string());
        QCOMPARE(text("sequential", ", \"repeat\": 3", ""), std::string());
        QVERIFY(text("sequential", "", ", \"weight\": 3").find("warning /imposters/0/stubs/0/responses/1/weight: ") ==
                0);
        QVERIFY(text("random", ", \"repeat\": 3", "").find("warning /imposters/0/stubs/0/responses/0/repeat: ") == 0);
        QVERIFY(text("random", ", \"weight\": 0", ", \"weight\": 0")
                    .find("warning /imposters/0/stubs/0/responses: every weight is 0") == 0);
    }

    void patterns()
    {
        const std::string broken =
            lines(stubs({"{ \"or\": [{ \"not\": { \"matches\": { \"headers\": { \"A\": \"(\" } } } }] }"}));
        QVERIFY2(broken.find("error /imposters/0/stubs/0/predicates/0/or/0/not/matches/headers/A: ") == 0,
                 broken.c_str());
        QCOMPARE(lines(stubs({with("matches", "path", "^\\\\d{2}(?=x)")})), std::string());
        const auto selecting = [](const std::string &parameter) {
            return lines(stubs({"{ \"equals\": { \"body\": \"x\" }, " + parameter + " }"}));
        };
        const std::string place = "error /imposters/0/stubs/0/predicates/0/";
        QCOMPARE(selecting("\"except\": \"(\""), place + "except: is no regular expression of JavaScript: character 1: "
                                                         "this \"(\" is never closed\n");
        QVERIFY(selecting("\"xpath\": { \"selector\": \"//a[\" }").find(place + "xpath/selector: is no XPath 1.0") ==
                0);
        QCOMPARE(selecting("\"jsonpath\": { \"selector\": \"$.\" }"),
                 place + "jsonpath/selector: is no JSONPath: character 3: the path ends here; expected a name or *\n");
        QCOMPARE(selecting("\"except\": \"\\\\d\""), std::string());
        QCOMPARE(selecting("\"xpath\": { \"selector\": \"//n:a\", \"ns\": { \"n\": \"u\" } }"), std::string());
        QCOMPARE(selecting("\"jsonpath\": { \"selector\": \"$..a\" }"), std::string());
    }

    void tcpResponses_data()
    {
        QTest::addColumn<QByteArray>("response");
        QTest::addColumn<QByteArray>("issue"); // empty: none
        const auto row = [](const char *name, const char *response, const char *issue) {
            QTest::newRow(name) << QByteArray(response) << QByteArray(issue);
        };
        row("data", "{ \"is\": { \"data\": \"x\" } }", "");
        row("fault that tcp has", "{ \"is\": {}, \"fault\": { \"type\": \"limit\", \"afterBytes\": 1 } }", "");
        row("tcp upstream", "{ \"proxy\": { \"to\": \"tcp://a:1\" } }", "");
        row("http upstream", "{ \"proxy\": { \"to\": \"http://a:1\" } }",
            "/proxy/to: is no address that a tcp imposter can ask; expected one like tcp://localhost:8080");
        row("chunk", "{ \"fault\": \"MALFORMED_RESPONSE_CHUNK\" }",
            "/fault: has no chunk to spoil over tcp; sent as \"garbage\"");
        row("head", "{ \"is\": {}, \"fault\": { \"type\": \"hang\", \"when\": \"within\" } }",
            "/fault/when: has no head to send over tcp; the same as \"before\"");
        row("file", "{ \"is\": { \"bodyFile\": \"a.txt\" } }", "/is/bodyFile: is for http only; expected \"data\"");
    }
    void tcpResponses()
    {
        QFETCH(QByteArray, response);
        QFETCH(QByteArray, issue);
        const std::string stub = "\"stubs\": [{ \"responses\": [" + response.toStdString() + "] }] }";
        const std::string place = "warning /imposters/0/stubs/0/responses/0";
        QCOMPARE(lines(workspace("{ \"protocol\": \"tcp\", " + stub, "", "")),
                 issue.isEmpty() ? std::string() : place + issue.toStdString() + "\n");
        QVERIFY(lines(workspace("{ \"protocol\": \"http\", " + stub, "", "")).find("tcp") == std::string::npos);
    }

    void ports_data()
    {
        QTest::addColumn<QByteArray>("first");
        QTest::addColumn<QByteArray>("second");
        QTest::addColumn<bool>("clash");
        const auto row = [](const char *first, const char *second, bool clash) {
            QTest::addRow("%s and %s", first, second) << QByteArray(first) << QByteArray(second) << clash;
        };
        row("\"port\": 1", "\"port\": 1", true);
        row("\"port\": 1", "\"port\": 2", false);
        row("\"port\": 0", "\"port\": 0", false);
        row("\"port\": 1, \"host\": \"127.0.0.1\"", "\"port\": 1, \"host\": \"127.0.0.2\"", false);
        row("\"port\": 1, \"host\": \"127.0.0.1\"", "\"port\": 1, \"host\": \"0.0.0.0\"", true);
        row("\"port\": 1, \"host\": \"127.0.0.1\"", "\"port\": 1", true);
    }
    void ports()
    {
        QFETCH(QByteArray, first);
        QFETCH(QByteArray, second);
        QFETCH(bool, clash);
        const std::string text = lines(workspace("{ \"protocol\": \"http\", \"name\": \"a\", " + first.toStdString() +
                                                     " }, { \"protocol\": \"http\", " + second.toStdString() + " }",
                                                 "", ""));
        QCOMPARE(text, clash ? std::string("error /imposters/1/port: port 1 is that of \"a\", too; expected another "
                                           "port, or none for any free one\n")
                             : std::string());
    }

    void names_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<QByteArray>("words");
        const auto row = [](const char *name, const std::string &text, const char *start, const char *words) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(start) << QByteArray(words);
        };
        const std::string p = "{ \"name\": \"p\" }", q = "{ \"name\": \"q\" }";
        row("all known", workspace(imposter("shop"), p, scenario("shop", "p")), "", "");
        row("a policy nobody uses", workspace(imposter("shop"), p + ", " + q, scenario("shop", "p")), "", "");
        row("unknown policy", workspace(imposter("shop"), p, scenario("shop", "pp")),
            "error /scenarios/0/contestants/1/policy: there is no policy \"pp\"", "did you mean \"p\"");
        row("unknown imposter", workspace(imposter("shop"), p, scenario("shpo", "p")),
            "error /scenarios/0/request/target: there is no imposter \"shpo\"", "did you mean \"shop\"");
        row("a URL is no name", workspace("", p, scenario("http://127.0.0.1:1", "p")), "", "");
        row("policy twice", workspace(imposter("shop"), p + ", " + p, scenario("shop", "p")),
            "error /policies/1/name: ", "two policies");
        row("policy twice, unused", workspace(imposter("shop"), p + ", " + q + ", " + q, scenario("shop", "p")), "",
            "");
        row("imposter twice", workspace(imposter("shop") + ", " + imposter("shop"), p, scenario("shop", "p")),
            "error /imposters/1/name: ", "two imposters");
        row("scenario twice", workspace(imposter("shop"), p, scenario("shop", "p") + ", " + scenario("shop", "p")),
            "warning /scenarios/1/name: ", "two scenarios");
        row("closes", workspace(imposter("shop", ""), p, scenario("shop", "p")),
            "warning /scenarios/0/request/target: ", "closes each connection");
        row("keeps alive by its own headers",
            workspace(imposter("shop", ", \"stubs\": [{ \"responses\": [{ \"is\": { \"headers\": { \"connection\": "
                                       "\"keep-alive\" } } }] }]"),
                      p, scenario("shop", "p")),
            "", "");
        row("keeps alive by the default's headers",
            workspace(imposter("shop", ", \"defaultResponse\": { \"headers\": { \"Connection\": \"keep-alive\" } }, "
                                       "\"stubs\": [{ \"responses\": [{ \"is\": {} }] }]"),
                      p, scenario("shop", "p")),
            "", "");
    }
    void names()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, start);
        QFETCH(QByteArray, words);
        const QByteArray found = QByteArray::fromStdString(lines(text.toStdString()));
        QCOMPARE(found.count('\n'), start.isEmpty() ? 0 : 1);
        QVERIFY2(found.startsWith(start) && found.contains(words), found.constData());
    }

    void targetThatCannotStart()
    {
        const LoadedFile file = codec::loadText(
            workspace("{ \"protocol\": \"gopher\", \"name\": \"t\" }", "{ \"name\": \"p\" }", scenario("t", "p")));
        const Issues issues = lint::check(*file.workspace);
        QCOMPARE(issues.size(), std::size_t(1));
        QVERIFY(issues[0].message.find("cannot be started: the gopher protocol") != std::string::npos);
    }

    void shippedWorkspacesAreClean()
    {
        for (const std::string &name : codec::shippedWorkspaceNames())
            QCOMPARE(lines(*codec::shippedWorkspace(name)), std::string());
    }

    void manyStubs_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("different paths") << 0;
        QTest::newRow("different regular expressions") << 1;
        QTest::newRow("grid of methods and queries") << 2;
        QTest::newRow("all behind a catch-all") << 3;
        QTest::newRow("all the same") << 4;
        QTest::newRow("prefixes and paths") << 5;
    }
    void manyStubs()
    {
        QFETCH(int, kind);
        std::vector<std::string> predicates;
        for (int i = 0; i < 10'000; ++i) {
            const std::string number = std::to_string(i);
            switch (kind) {
            case 0:
                predicates.push_back(equals("method", "GET") + ", " + equals("path", "/p/" + number));
                break;
            case 1:
                predicates.push_back(with("matches", "path", "^/p/" + number + "/\\\\d+$"));
                break;
            case 2:
                predicates.push_back(equals("method", "M" + std::to_string(i % 100)) +
                                     ", { \"equals\": { \"query\": { \"q\": \"" + std::to_string(i / 100) + "\" } } }");
                break;
            case 3:
                predicates.push_back(i == 0 ? "" : equals("path", "/p/" + number));
                break;
            case 4:
                predicates.push_back(equals("path", "/p"));
                break;
            default:
                predicates.push_back(i % 2 ? equals("path", "/p/" + number + "x")
                                           : with("startsWith", "path", "/q/" + number + "/"));
                break;
            }
        }
        const WorkspacePtr decoded = codec::loadText(stubs(predicates)).workspace;
        const std::clock_t start = std::clock();
        const Issues issues = lint::check(*decoded);
        const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
        QCOMPARE(issues.size(), std::size_t(kind == 3 || kind == 4 ? 9'999 : 0));
        QVERIFY2(seconds < quick, QByteArray::number(seconds).constData());
    }
};

QTEST_APPLESS_MAIN(LintTest)
#include "tst_lint.moc"
