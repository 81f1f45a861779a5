#include "exchange/jmx.h"

#include "codec/workspacefile.h"
#include "exchange/jmxelement.h"
#include "support/readfile.h"
#include "json/writer.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace wardbench;
using exchange::ForeignScript;
using exchange::fromJmx;
using exchange::toJmx;

namespace {

WorkspacePtr workspace(const std::string &scenarios)
{
    const LoadedFile file =
        codec::loadText("{\"format\":\"wardbench/"
                        "1\",\"name\":\"W\",\"imposters\":[{\"protocol\":\"http\",\"port\":4600,\"name\":\"shop\"}],"
                        "\"policies\":[{\"name\":\"p\",\"identifier\":\"{url}\",\"holder\":true}],\"scenarios\":[" +
                        scenarios + "]}");
    for (const Issue &issue : file.issues)
        qWarning("%s", issue.format("test").c_str());
    return file.workspace;
}

/// A plan with one thread group that holds `inGroup`, whose sampler holds `inSampler`.
std::string plan(const std::string &inGroup, const std::string &inSampler, const std::string &groupProperties = {},
                 const std::string &samplerProperties = {})
{
    return "<jmeterTestPlan version=\"1.2\" properties=\"5.0\" jmeter=\"5.5\"><hashTree><TestPlan testname=\"P\">"
           "<boolProp name=\"TestPlan.serialize_threadgroups\">true</boolProp>"
           "<elementProp name=\"TestPlan.user_defined_variables\" elementType=\"Arguments\"><collectionProp "
           "name=\"Arguments.arguments\"><elementProp name=\"host\" elementType=\"Argument\"><stringProp "
           "name=\"Argument.name\">host</stringProp><stringProp "
           "name=\"Argument.value\">${__P(host,127.0.0.1)}</stringProp>"
           "</elementProp></collectionProp></elementProp></TestPlan><hashTree><ThreadGroup testname=\"G\">" +
           groupProperties +
           "<elementProp name=\"ThreadGroup.main_controller\" elementType=\"LoopController\"><stringProp "
           "name=\"LoopController.loops\">3</stringProp></elementProp></ThreadGroup><hashTree>" +
           inGroup +
           "<HTTPSamplerProxy testname=\"S\"><stringProp name=\"HTTPSampler.domain\">${host}</stringProp><stringProp "
           "name=\"HTTPSampler.port\">8080</stringProp><stringProp name=\"HTTPSampler.path\">/x</stringProp>" +
           samplerProperties + "</HTTPSamplerProxy><hashTree>" + inSampler +
           "</hashTree></hashTree></hashTree></hashTree></jmeterTestPlan>";
}

std::string text(const char *name, const char *value)
{
    return std::string("<stringProp name=\"") + name + "\">" + value + "</stringProp>";
}

std::string assertion(const char *field, int type, const char *pattern, bool assumeSuccess)
{
    return "<ResponseAssertion testname=\"A\"><collectionProp name=\"Asserion.test_strings\"><stringProp name=\"0\">" +
           std::string(pattern) + "</stringProp></collectionProp>" + text("Assertion.test_field", field) +
           "<boolProp name=\"Assertion.assume_success\">" + (assumeSuccess ? "true" : "false") +
           "</boolProp><intProp name=\"Assertion.test_type\">" + std::to_string(type) +
           "</intProp></ResponseAssertion><hashTree/>";
}

} // namespace

class JmxTest : public QObject
{
    Q_OBJECT

private:
    static json::Value scenarioOf(const std::string &jmx, std::vector<std::string> *losses = nullptr)
    {
        const auto converted = fromJmx(jmx);
        if (!converted) {
            qWarning("%s", converted.error().message.c_str());
            return {};
        }
        if (losses)
            *losses = converted->losses;
        const LoadedFile file = codec::loadText(json::writeDocument(converted->root));
        for (const Issue &issue : file.issues)
            qWarning("%s", issue.format("converted").c_str());
        return file.issues.empty() ? converted->root["scenarios"].at(0) : json::Value();
    }

private Q_SLOTS:
    /// The plan of the reference, written by hand.
    void handWrittenPlan()
    {
        const auto converted = fromJmx(test::readFile(WARDBENCH_TEST_DATA "/exchange/orders.jmx"));
        QVERIFY2(bool(converted), converted ? "" : converted.error().message.c_str());
        const LoadedFile file = codec::loadText(json::writeDocument(converted->root));
        QVERIFY(!hasErrors(file.issues));
        const Scenario &scenario = *file.workspace->scenarios.at(0);
        QCOMPARE(scenario.name, std::string("Users"));
        QCOMPARE(scenario.request.method, std::string("POST"));
        QCOMPARE(scenario.request.target, std::string("http://127.0.0.1:8080"));
        QCOMPARE(scenario.request.path, std::string("/orders"));
        QCOMPARE(scenario.request.headers.at(0).second, std::string("application/json"));
        QCOMPARE(scenario.load.users, 100);
        QVERIFY(!scenario.load.measured.iterations);
        QCOMPARE(*scenario.load.measured.duration, Nanoseconds(std::chrono::seconds(60)));
        QCOMPARE(scenario.load.rampUp, Nanoseconds(std::chrono::seconds(10)));
        QVERIFY(scenario.load.thinkTime.kind == Delay::Kind::Uniform);
        QCOMPARE(scenario.load.thinkTime.lower, 100.0);
        QCOMPARE(scenario.load.thinkTime.upper, 300.0);
        QVERIFY(scenario.success.status && scenario.success.status->codes == std::vector<int>{201});
        QVERIFY(std::any_of(converted->losses.begin(), converted->losses.end(), [](const std::string &loss) {
            return loss.starts_with("line ") && loss.find("timeouts") != std::string::npos;
        }));
    }

    void values_data()
    {
        QTest::addColumn<QByteArray>("given");
        QTest::addColumn<QByteArray>("path");
        QTest::newRow("plain") << QByteArray("/a") << QByteArray("/a");
        QTest::newRow("without slash") << QByteArray("a") << QByteArray("/a");
        QTest::newRow("constant") << QByteArray("/${host}") << QByteArray("/127.0.0.1");
        QTest::newRow("unknown stays text") << QByteArray("/${nobody}") << QByteArray("/$${nobody}");
        QTest::newRow("property") << QByteArray("/${__P(a,b\\,c)}") << QByteArray("/b,c");
        QTest::newRow("property without default") << QByteArray("/${__P(a)}") << QByteArray("/1");
        QTest::newRow("nested") << QByteArray("/${__P(a,${host})}") << QByteArray("/127.0.0.1");
        QTest::newRow("random") << QByteArray("/${__Random(3,9)}") << QByteArray("/${random}");
        QTest::newRow("counter") << QByteArray("/${__counter(FALSE,)}") << QByteArray("/${counter}");
        QTest::newRow("escaped") << QByteArray("/\\${host}/${host}") << QByteArray("/$${host}/127.0.0.1");
        QTest::newRow("code is text") << QByteArray("/${__groovy(1+1)}") << QByteArray("/$${__groovy(1+1)}");
        QTest::newRow("open") << QByteArray("/${a") << QByteArray("/$${a");
        QTest::newRow("whole address") << QByteArray("http://h:1/p?q") << QByteArray("/p?q");
    }
    void values()
    {
        QFETCH(const QByteArray, given);
        QFETCH(const QByteArray, path);
        std::string jmx = plan({}, {});
        jmx.replace(jmx.find(">/x<") + 1, 2, given.toStdString());
        const json::Value scenario = scenarioOf(jmx);
        QCOMPARE(scenario["request"]["path"].text(), path.toStdString());
    }

    void timers_data()
    {
        QTest::addColumn<QByteArray>("timers");
        QTest::addColumn<QByteArray>("thinkTime");
        const auto timer = [](const char *type, const char *delay, const char *range) {
            return QByteArray("<") + type + " testname=\"t\"><stringProp name=\"ConstantTimer.delay\">" + delay +
                   "</stringProp><doubleProp><name>RandomTimer.range</name><value>" + range +
                   "</value></doubleProp></" + type + "><hashTree/>";
        };
        QTest::newRow("constant") << timer("ConstantTimer", "100", "0") << QByteArray("100");
        QTest::newRow("they add up") << timer("ConstantTimer", "100", "0") + timer("ConstantTimer", "50", "0")
                                     << QByteArray("150");
        QTest::newRow("uniform") << timer("UniformRandomTimer", "100", "200.0")
                                 << QByteArray("{\"type\":\"uniform\",\"lower\":100,\"upper\":300}");
        QTest::newRow("gaussian") << timer("GaussianRandomTimer", "300", "100.0") + timer("ConstantTimer", "10", "0")
                                  << QByteArray("{\"type\":\"normal\",\"mean\":310,\"deviation\":100}");
        QTest::newRow("poisson") << timer("PoissonRandomTimer", "300", "100.0")
                                 << QByteArray("{\"type\":\"normal\",\"mean\":400,\"deviation\":10}");
        QTest::newRow("a property") << timer("ConstantTimer", "${__P(think,25)}", "0") << QByteArray("25");
    }
    void timers()
    {
        QFETCH(const QByteArray, timers);
        QFETCH(const QByteArray, thinkTime);
        // In the group and below the sampler they mean the same.
        for (const bool inGroup : {true, false}) {
            const std::string given = timers.toStdString();
            const json::Value scenario = scenarioOf(inGroup ? plan(given, {}) : plan({}, given));
            QCOMPARE(json::writeCompact(scenario["load"]["thinkTime"]), thinkTime.toStdString());
        }
    }

    void assertions_data()
    {
        QTest::addColumn<QByteArray>("field");
        QTest::addColumn<int>("type");
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<bool>("assumeSuccess");
        QTest::addColumn<QByteArray>("success"); ///< empty: not understood, kept
        const QByteArray code("Assertion.response_code"), data("Assertion.response_data");
        QTest::newRow("equals") << code << 8 << QByteArray("201") << false << QByteArray("{\"status\":[201]}");
        QTest::newRow("class") << code << 1 << QByteArray("2..") << false << QByteArray("{\"status\":[\"2xx\"]}");
        QTest::newRow("several") << code << 1 << QByteArray("(2\\d\\d|404)") << true
                                 << QByteArray("{\"status\":[\"2xx\",404]}");
        QTest::newRow("any") << code << 1 << QByteArray("\\d{3}") << true << QByteArray("{\"status\":\"any\"}");
        QTest::newRow("404 fails before it is asked") << code << 8 << QByteArray("404") << false << QByteArray();
        QTest::newRow("not") << code << 12 << QByteArray("500") << false << QByteArray();
        QTest::newRow("substring") << data << 16 << QByteArray("a.b") << false
                                   << QByteArray("{\"bodyContains\":\"a.b\"}");
        QTest::newRow("contains, plain") << data << 2 << QByteArray("ok") << false
                                         << QByteArray("{\"bodyContains\":\"ok\"}");
        QTest::newRow("header") << QByteArray("Assertion.response_headers") << 2 << QByteArray("x") << false
                                << QByteArray();
    }
    void assertions()
    {
        QFETCH(const QByteArray, field);
        QFETCH(const int, type);
        QFETCH(const QByteArray, pattern);
        QFETCH(const bool, assumeSuccess);
        QFETCH(const QByteArray, success);
        std::vector<std::string> losses;
        const json::Value scenario = scenarioOf(plan({}, assertion(field, type, pattern, assumeSuccess)), &losses);
        QCOMPARE(losses.empty(), !success.isEmpty());
        if (success.isEmpty())
            QCOMPARE(scenario["jmeter"].at(0)["element"].text(), std::string("ResponseAssertion"));
        else
            QCOMPARE(json::writeCompact(scenario["success"]), success.toStdString());
    }

    /// What makes no rule of success may be a check.
    void checks_data()
    {
        QTest::addColumn<QByteArray>("assertion");
        QTest::addColumn<QByteArray>("check");
        const auto element = [](const char *type, const std::string &properties) {
            return QByteArray::fromStdString(std::string("<") + type + " testname=\"A\">" + properties + "</" + type +
                                             "><hashTree/>");
        };
        QTest::newRow("pattern") << QByteArray::fromStdString(assertion("Assertion.response_data", 2, "o.*k", false))
                                 << QByteArray("{\"bodyMatches\":\"o.*k\"}");
        QTest::newRow("duration") << element("DurationAssertion", text("DurationAssertion.duration", "250"))
                                  << QByteArray("{\"maxDuration\":250}");
        const std::string size =
            text("Assertion.test_field", "SizeAssertion.response_data") + text("SizeAssertion.size", "100");
        QTest::newRow("size <=") << element("SizeAssertion", size + text("SizeAssertion.operator", "6"))
                                 << QByteArray("{\"maxBytes\":100}");
        QTest::newRow("size <") << element("SizeAssertion", size + text("SizeAssertion.operator", "4"))
                                << QByteArray("{\"maxBytes\":99}");
        QTest::newRow("JSON") << element("JSONPathAssertion",
                                         text("JSON_PATH", "$.a") + text("EXPECTED_VALUE", "b") +
                                             "<boolProp name=\"JSONVALIDATION\">true</boolProp><boolProp "
                                             "name=\"ISREGEX\">false</boolProp>")
                              << QByteArray("{\"jsonPath\":\"$.a\",\"equals\":\"b\"}");
    }
    void checks()
    {
        QFETCH(const QByteArray, assertion);
        QFETCH(const QByteArray, check);
        std::vector<std::string> losses;
        const json::Value scenario = scenarioOf(plan({}, assertion.toStdString()), &losses);
        QCOMPARE(json::writeCompact(scenario["requests"].at(0)["checks"]["A"]), check.toStdString());
        QCOMPARE(losses.size(), std::size_t(1)); // it makes no request fail
    }

    /// Several requests with everything between them that both know.
    void severalRequestsThereAndBack()
    {
        const std::string scenario =
            "{\"name\":\"Shop\",\"requests\":[{\"name\":\"login\",\"method\":\"POST\",\"target\":\"http://"
            "127.0.0.1:4600\",\"path\":"
            "\"/login\",\"body\":\"{\\\"user\\\": "
            "\\\"${user}\\\"}\",\"extract\":{\"token\":{\"jsonPath\":\"$.token\",\"default\":"
            "\"none\"},\"place\":{\"header\":\"Location\"},\"id\":{\"regex\":\"id=(\\\\d+)\"}},\"success\":{\"status\":[201]},"
            "\"checks\":{\"quick\":{\"maxDuration\":500}},\"thinkTime\":100},{\"name\":\"item\",\"method\":\"GET\",\"target\":"
            "\"http://127.0.0.1:4600\",\"path\":\"/items/${id}\",\"headers\":{\"Authorization\":\"Bearer ${token}\"}}],"
            "\"cookies\":\"iteration\",\"contestants\":[{\"name\":\"Bare "
            "client\"}],\"load\":{\"users\":2,\"iterationsPerUser\":3},"
            "\"repetitions\":1}";
        std::string text = scenario;
        text.insert(text.find("\"cookies\""),
                    "\"variables\":{\"user\":{\"type\":\"csv\",\"file\":\"users.csv\",\"column\":\"user\"}},");
        const auto jmx = toJmx(*workspace(text), {}, "plan");
        QVERIFY2(bool(jmx), jmx ? "" : jmx.error().message.c_str());
        QVERIFY(jmx->files.empty());
        QTemporaryDir folder;
        std::ofstream(folder.filePath(QStringLiteral("users.csv")).toStdString()) << "user,other\nada,1\n";
        const auto converted = fromJmx(jmx->text, folder.path().toStdString());
        QVERIFY(bool(converted));
        const json::Value back = converted->root["scenarios"].at(0);
        for (const char *member : {"name", "requests", "cookies", "contestants", "load", "repetitions"})
            QCOMPARE(json::writeCompact(back[member]),
                     json::writeCompact(workspace(text)->root["scenarios"].at(0)[member]));
        QCOMPARE(json::writeCompact(back["variables"]["user"]),
                 std::string("{\"type\":\"csv\",\"file\":\"users.csv\",\"column\":\"user\",\"shareMode\":\"group\"}"));
        QVERIFY(!hasErrors(codec::loadText(json::writeDocument(converted->root)).issues));
    }

    /// What is not run survives the way here and back, to the byte.
    void unknownElementsSurvive()
    {
        const std::string script = "<BeanShellSampler guiclass=\"G\" testname=\"evil\" enabled=\"true\"><stringProp "
                                   "name=\"q\">Runtime.exec(\"x\") &amp; more</stringProp></BeanShellSampler>";
        const std::string off = "<ConstantTimer testname=\"off\" enabled=\"false\"><stringProp "
                                "name=\"ConstantTimer.delay\">9</stringProp></ConstantTimer>";
        std::vector<std::string> losses;
        const json::Value scenario = scenarioOf(plan(script + "<hashTree/>", off + "<hashTree/>"), &losses);
        QCOMPARE(losses.size(), std::size_t(2));
        QVERIFY(scenario["load"]["thinkTime"].isNull());
        const auto back = toJmx(*workspace(json::writeCompact(scenario)), {}, "plan");
        QVERIFY2(bool(back), back ? "" : back.error().message.c_str());
        const auto root = exchange::parseXml(back->text);
        QVERIFY(bool(root));
        for (const std::string &kept : {script, off}) {
            const auto element = exchange::parseXml(kept);
            bool found = false;
            std::vector<const exchange::XmlElement *> open{&*root};
            while (!open.empty() && !found) {
                const exchange::XmlElement *one = open.back();
                open.pop_back();
                found = writeXml(*one) == writeXml(*element);
                for (const auto &child : one->children)
                    open.push_back(&child);
            }
            QVERIFY2(found, kept.c_str());
        }
    }

    /// A scenario that JMeter can say everything of comes back as it was, but for its target's name.
    void thereAndBack_data()
    {
        QTest::addColumn<QByteArray>("members");
        QTest::newRow("get") << QByteArray("");
        QTest::newRow("status") << QByteArray(",\"success\":{\"status\":[\"3xx\",200,404]}");
        QTest::newRow("any") << QByteArray(",\"success\":{\"status\":\"any\",\"bodyContains\":\"a [b]\"}");
    }
    void thereAndBack()
    {
        QFETCH(const QByteArray, members);
        const std::string scenario =
            "{\"name\":\"S "
            "<1>\",\"request\":{\"method\":\"PUT\",\"target\":\"http://127.0.0.1:4600\",\"path\":\"/a?b=c&d\","
            "\"headers\":{\"X\":\"<\\\\,\",\"Y\":\"1\"},\"body\":\"{\\\"a\\\": \\\"$${b}\\\\n\\\"}\\r\\n\"}" +
            members.toStdString() +
            ",\"contestants\":[{\"name\":\"Bare "
            "client\"}],\"load\":{\"users\":4,\"iterationsPerUser\":40,\"duration\":\"3000ms\","
            "\"rampUp\":\"2000ms\",\"thinkTime\":{\"type\":\"uniform\",\"lower\":1,\"upper\":3}},\"repetitions\":1}";
        const auto jmx = toJmx(*workspace(scenario), {}, "plan");
        QVERIFY(bool(jmx));
        QVERIFY2(jmx->losses.empty(), jmx->losses.empty() ? "" : jmx->losses.front().c_str());
        std::vector<std::string> losses;
        const json::Value back = scenarioOf(jmx->text, &losses);
        for (const char *member : {"name", "request", "success", "contestants", "load", "repetitions"})
            QCOMPARE(json::writeCompact(back[member]),
                     json::writeCompact(workspace(scenario)->root["scenarios"].at(0)[member]));
        // A ${b} that nothing fills is text in both; the import cannot know that it was meant so.
        QCOMPARE(losses.size(), std::size_t(1));
    }

    void variablesTravelAsRows()
    {
        const auto jmx = toJmx(
            *workspace(
                "{\"name\":\"S\",\"seed\":5,\"variables\":{\"n\":{\"type\":\"sequence\",\"start\":7},\"w\":{\"type\":"
                "\"choice\",\"values\":[\"a,b\"]}},\"request\":{\"target\":\"shop\",\"path\":\"/${n}/"
                "${w}\"},\"contestants\":"
                "[{\"name\":\"A\"},{\"name\":\"B\",\"policy\":\"p\"}],\"load\":{\"users\":2,\"iterations\":5},"
                "\"repetitions\":1}"),
            {}, "plan");
        QVERIFY(bool(jmx));
        QCOMPARE(jmx->files.size(), std::size_t(1));
        QCOMPARE(jmx->files[0].first, std::string("plan.csv"));
        QCOMPARE(jmx->files[0].second, std::string("n,w\n7,\"a,b\"\n8,\"a,b\"\n9,\"a,b\"\n10,\"a,b\"\n11,\"a,b\"\n"));
        QVERIFY(jmx->text.find("/${__urlencode(${n})}/${__urlencode(${w})}") != std::string::npos);
        QVERIFY(jmx->text.find("${__P(host,127.0.0.1)}") != std::string::npos);
        QCOMPARE(jmx->losses.size(), std::size_t(2)); // the policy; 5 iterations of 2 users
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("no plan") << QByteArray("<html>\n</html>")
                                 << QByteArray("line 1, column 1: the file's element is <html>");
        QTest::newRow("empty plan") << QByteArray("<jmeterTestPlan><hashTree/></jmeterTestPlan>")
                                    << QByteArray("no <TestPlan>");
        QTest::newRow("cut") << QByteArray::fromStdString(plan({}, {})).left(700) << QByteArray("line 1, column ");
        QTest::newRow("entities") << QByteArray(
                                         "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><jmeterTestPlan/>")
                                  << QByteArray("line 1, column ");
    }
    void refuses()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, message);
        const auto converted = fromJmx(text.toStdString());
        QVERIFY(!converted);
        QVERIFY2(converted.error().message.find(message.toStdString()) != std::string::npos,
                 converted.error().message.c_str());
    }

    /// Texts that would grow, or take for ever, when they were filled in naively.
    void hostileTexts_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::newRow("open") << QByteArray("${").repeated(500'000);
        QTest::newRow("nested") << QByteArray("${").repeated(200'000) + QByteArray("}").repeated(200'000);
        QTest::newRow("nested functions")
            << QByteArray("${__P(a,").repeated(50'000) + QByteArray(")}").repeated(50'000);
        QTest::newRow("constants of constants") << QByteArray("${v9}");
        QTest::newRow("itself") << QByteArray("${self}");
    }
    void hostileTexts()
    {
        QFETCH(const QByteArray, path);
        std::string jmx = plan({}, {});
        std::string variables;
        const auto define = [&variables](const std::string &name, const std::string &value) {
            variables += "<elementProp name=\"v\" elementType=\"Argument\">" + text("Argument.name", name.c_str()) +
                         text("Argument.value", value.c_str()) + "</elementProp>";
        };
        define("v0", "lol");
        define("self", "${self}${self}");
        for (int i = 1; i < 10; ++i) {
            std::string ten;
            for (int k = 0; k < 10; ++k)
                ten += "${v" + std::to_string(i - 1) + "}";
            define("v" + std::to_string(i), ten);
        }
        jmx.insert(jmx.find("</collectionProp>"), variables);
        jmx.replace(jmx.find(">/x<") + 1, 2, path.toStdString());
        const auto converted = fromJmx(jmx);
        QVERIFY(bool(converted));
        QVERIFY(converted->root["scenarios"].at(0)["request"]["path"].text().size() < 5'000'000);
    }

    void hashCodesAreJavas()
    {
        QCOMPARE(exchange::jmx::hashCode("200"), 49586);
        QCOMPARE(exchange::jmx::hashCode("201"), 49587);
        QCOMPARE(exchange::jmx::hashCode(""), 0);
        QCOMPARE(exchange::jmx::hashCode("\xC3\xA4"), 228);
        QCOMPARE(exchange::jmx::hashCode("\xF0\x9F\x98\x80"), 55357 * 31 + 56832);
    }
};

QTEST_APPLESS_MAIN(JmxTest)
#include "tst_jmx.moc"
