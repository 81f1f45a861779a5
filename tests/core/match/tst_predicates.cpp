#include "http/contentcoding.h"
#include "match/compiledpredicate.h"
#include "match/text.h"
#include "support/predicates.h"
#include "support/readfile.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

#include <map>

using namespace wardbench;

namespace {

json::Value parsed(std::string_view text)
{
    const auto result = json::parse(text);
    return std::holds_alternative<json::Value>(result) ? std::get<json::Value>(result) : json::Value();
}

bool ask(const json::Value &predicate, const http::Request &request)
{
    PredicateProblem problem;
    const CompiledPredicate compiled = compilePredicate(test::predicateFromJson(predicate), problem);
    RequestView view;
    view.reset(request, "127.0.0.1:50000");
    return problem.empty() && holds(compiled, view);
}

/// Where we differ from mountebank on purpose (docs/MATCHING.md, "Differences"). `ownAnswers` has our answers.
class Differences
{
public:
    /// The rule that a differing answer falls under, or nothing: then it is a fault.
    std::string rule(const CompiledPredicate &predicate, const json::Value &operand, const http::Request &request,
                     RequestView &view) const
    {
        using Operator = Predicate::Operator;
        if (request.path.starts_with("//"))
            return "a path with two slashes is a path, not a host";
        if (mentions(operand, [](const std::string &key, const json::Value &) { return key == "length"; }))
            return "text has no properties";
        if (predicate.op == Operator::EndsWith && mentions(operand, [](const std::string &, const json::Value &value) {
                return !value.isString() && !value.isObject() && !value.isArray();
            }))
            return "endsWith compares numbers and booleans as text, too";
        if (predicate.selection && predicate.selection->selects())
            return selectionRule(predicate, request, view);
        if (predicate.op == Operator::DeepEquals)
            return {};
        for (const FieldExpectation &field : predicate.fields) {
            if (arrayMeetsOther(predicate, field, view))
                return "an expected array treats anything else as an array of one, and JSON text as what it holds";
        }
        if (request.body.find("[[") != std::string::npos)
            return "an array within an array is compared as an array";
        return {};
    }

private:
    static std::string selectionRule(const CompiledPredicate &predicate, const http::Request &request,
                                     RequestView &view)
    {
        const json::Value *hit = view.selected(Field::Body, *predicate.selection);
        if (predicate.op == Predicate::Operator::DeepEquals && hit != nullptr && (hit->isNumber() || hit->isBool()))
            return "deepEquals compares a selected number or boolean as text";
        if (request.body == "\"x\"" || request.body == "null")
            return "a JSON document may be a single text or null";
        if (!request.body.empty() && request.body[0] != '<')
            return "what is no XML has no selection, not even a count";
        return {};
    }

    template <typename Test>
    static bool mentions(const json::Value &value, Test test)
    {
        for (const auto &[key, member] : value.members()) {
            if (test(key, member) || mentions(member, test))
                return true;
        }
        for (const json::Value &item : value.items()) {
            if (test(std::string(), item) || mentions(item, test))
                return true;
        }
        return false;
    }

    static bool arrayMeetsOther(const CompiledPredicate &predicate, const FieldExpectation &field, RequestView &view)
    {
        const bool pairs = field.field == Field::Query || field.field == Field::Headers || field.field == Field::Form;
        if (!pairs) {
            const json::Value *body = field.field == Field::Body ? view.bodyJson(predicate.casing) : nullptr;
            return field.expected.kind == Expectation::Kind::Array || arrayMeetsOther(field.expected, body);
        }
        std::vector<std::string_view> found;
        for (const Expectation::Member &member : field.expected.members) {
            view.values(field.field, member.key, predicate.casing, found);
            if (member.expected.kind == Expectation::Kind::Array && found.size() == 1)
                return true;
        }
        return field.expected.kind == Expectation::Kind::Array;
    }

    static bool arrayMeetsOther(const Expectation &expected, const json::Value *actual)
    {
        if (expected.kind == Expectation::Kind::Array && actual != nullptr && !actual->isArray())
            return true;
        for (const Expectation &item : expected.items) {
            if (actual != nullptr && actual->size() > 0 && arrayMeetsOther(item, &actual->at(0)))
                return true;
        }
        for (const Expectation::Member &member : expected.members) {
            if (actual != nullptr && arrayMeetsOther(member.expected, actual->find(member.key)))
                return true;
        }
        return false;
    }
};

} // namespace

class TestPredicates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersAsMountebank();
    void ownAnswers_data();
    void ownAnswers();
    void requestFields_data();
    void requestFields();
    void lowerCaseAsJavaScript_data();
    void lowerCaseAsJavaScript();
    void bodies();
    void problems();
    void viewIsReused();
};

void TestPredicates::answersAsMountebank()
{
    const json::Value themes = parsed(test::readFile(WARDBENCH_TEST_DATA "/match/mountebank-predicates.json"));
    QVERIFY(themes.size() >= 7);
    std::map<std::string, int> rules;
    int wrong = 0, compared = 0;
    RequestView view;
    for (const json::Value &theme : themes.items()) {
        std::vector<http::Request> requests;
        for (const json::Value &row : theme["requests"].items())
            requests.push_back(test::requestFromJson(row));
        for (const json::Value &row : theme["rows"].items()) {
            const std::string &answers = row["answers"].text();
            if (answers == "R")
                continue; // refused by mountebank: nothing to compare
            QCOMPARE(answers.size(), requests.size());
            PredicateProblem problem;
            const Predicate source = test::predicateFromJson(row["predicate"]);
            const CompiledPredicate predicate = compilePredicate(source, problem);
            QCOMPARE(QString::fromStdString(problem), QString());
            for (std::size_t i = 0; i < requests.size(); ++i) {
                if (answers[i] == 'E')
                    continue; // mountebank failed with a 500; see ownAnswers
                view.reset(requests[i], "127.0.0.1:50000");
                const char ours = holds(predicate, view) ? '1' : '0';
                ++compared;
                if (ours == answers[i])
                    continue;
                const std::string rule = Differences().rule(predicate, source.expected, requests[i], view);
                ++rules[rule];
                if (rule.empty() && ++wrong <= 30)
                    qWarning("%s on %s %s %s: mountebank %c, we %c", json::writeCompact(row["predicate"]).c_str(),
                             requests[i].method.c_str(), requests[i].target.c_str(), requests[i].body.c_str(),
                             answers[i], ours);
            }
        }
    }
    QCOMPARE(wrong, 0);
    QVERIFY(compared > 50'000);
    QCOMPARE(rules.size(), std::size_t(8)); // a rule that nothing falls under should go
}

void TestPredicates::ownAnswers_data()
{
    QTest::addColumn<QString>("predicate");
    QTest::addColumn<QString>("body");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char *name, const char *predicate, const char *body, bool expected) {
        QTest::newRow(name) << QString::fromUtf8(predicate) << QString::fromUtf8(body) << expected;
    };
    // mountebank answers these with a 500; we take numbers, booleans and null as text
    row("contains, number", R"({"contains": {"body": {"n": "2"}}})", R"({"n": 123})", true);
    row("contains, not in number", R"({"contains": {"body": {"n": "4"}}})", R"({"n": 123})", false);
    row("contains, number in number", R"({"contains": {"body": {"n": 23}}})", R"({"n": 123})", true);
    row("startsWith, number", R"({"startsWith": {"body": {"n": "12"}}})", R"({"n": 123})", true);
    row("startsWith, inside", R"({"startsWith": {"body": {"n": "23"}}})", R"({"n": 123})", false);
    row("endsWith, number", R"({"endsWith": {"body": {"n": "23"}}})", R"({"n": 123})", true);
    row("endsWith, at the start", R"({"endsWith": {"body": {"n": "12"}}})", R"({"n": 123})", false);
    row("contains, boolean", R"({"contains": {"body": {"n": "RU"}}})", R"({"n": true})", true);
    row("contains, null", R"({"contains": {"body": {"n": "ul"}}})", R"({"n": null})", true);
    row("contains, number in an array", R"({"contains": {"body": {"n": "2"}}})", R"({"n": [1, 23]})", true);
    row("contains, object", R"({"contains": {"body": {"n": "o"}}})", R"({"n": {}})", false);
    row("object against null", R"({"equals": {"body": {"n": 1}}})", "null", false);
    row("absent in null", R"({"exists": {"body": {"n": false}}})", "null", true);
    // endsWith with a number
    row("endsWith 1", R"({"endsWith": {"body": 1}})", "x1", true);
    row("endsWith 1, inside", R"({"endsWith": {"body": 1}})", "x1y", false);
    // expected array, scalar in the request: an array of one
    row("array of one", R"({"equals": {"body": {"n": ["x"]}}})", R"({"n": "X"})", true);
    row("array of one, number", R"({"equals": {"body": {"n": [5]}}})", R"({"n": 5})", true);
    row("array of two against one", R"({"equals": {"body": {"n": ["x", "y"]}}})", R"({"n": "x"})", false);
    row("not letter by letter", R"({"equals": {"body": {"n": ["x"]}}})", R"({"n": "xy"})", false);
    row("contains, array of two", R"({"contains": {"body": {"n": ["x", "y"]}}})", R"({"n": "y-x"})", true);
    row("array against empty", R"({"exists": {"body": {"n": [false]}}})", R"({"n": ""})", false);
    row("array against missing", R"({"exists": {"body": {"n": [false]}}})", R"({})", false);
    // expected array, body with an array at its root: as array against array
    row("root array, order", R"({"equals": {"body": ["y", "x"]}})", R"(["x", "z", "y"])", true);
    row("root array, one missing", R"({"equals": {"body": ["y", "q"]}})", R"(["x", "z", "y"])", false);
    row("root array of objects", R"({"equals": {"body": [{"a": "x"}]}})", R"([{"b": 1}, {"a": "X", "c": 2}])", true);
    row("text body", R"({"contains": {"body": ["b", "a"]}})", "abc", true);
    // arrays within arrays
    row("nested arrays", R"({"equals": {"body": {"n": [[2, 1]]}}})", R"({"n": [[3], [1, 2]]})", true);
    row("nested arrays differ", R"({"equals": {"body": {"n": [[2, 3]]}}})", R"({"n": [[3], [1, 2]]})", false);
    // text has no properties
    row("length", R"({"exists": {"body": {"length": true}}})", "abc", false);
}

void TestPredicates::ownAnswers()
{
    QFETCH(QString, predicate);
    QFETCH(QString, body);
    QFETCH(bool, expected);
    const json::Value value = parsed(predicate.toStdString());
    QVERIFY(value.isObject());
    QCOMPARE(ask(value, test::requestFor("POST", "/", {}, body.toStdString())), expected);
}

void TestPredicates::requestFields_data()
{
    QTest::addColumn<QString>("client");
    QTest::addColumn<QString>("predicate");
    QTest::addColumn<bool>("expected");
    const auto row = [](const char *name, const char *client, const char *predicate, bool expected) {
        QTest::newRow(name) << QString::fromUtf8(client) << QString::fromUtf8(predicate) << expected;
    };
    row("ip", "10.1.2.3:4567", R"({"equals": {"ip": "10.1.2.3"}})", true);
    row("other ip", "10.1.2.3:4567", R"({"equals": {"ip": "10.1.2.4"}})", false);
    row("requestFrom", "10.1.2.3:4567", R"({"equals": {"requestFrom": "10.1.2.3:4567"}})", true);
    row("requestFrom, port", "10.1.2.3:4567", R"({"endsWith": {"requestFrom": ":4567"}})", true);
    row("key case", "10.1.2.3:4567", R"({"startsWith": {"REQUESTFROM": "10."}})", true);
    row("exact key", "10.1.2.3:4567", R"({"startsWith": {"REQUESTFROM": "10."}, "caseSensitive": true})", false);
    row("IPv6 in brackets", "[::1]:80", R"({"equals": {"ip": "::1"}})", true);
    row("IPv6", "::ffff:127.0.0.1:80", R"({"equals": {"ip": "::ffff:127.0.0.1"}})", true);
    row("IPv6 requestFrom", "[fe80::1]:80", R"({"equals": {"requestFrom": "fe80::1:80"}})", true);
}

void TestPredicates::requestFields()
{
    QFETCH(QString, client);
    QFETCH(QString, predicate);
    QFETCH(bool, expected);
    PredicateProblem problem;
    const auto compiled = compilePredicate(test::predicateFromJson(parsed(predicate.toStdString())), problem);
    const http::Request request = test::requestFor("GET", "/");
    const std::string address = client.toStdString();
    RequestView view;
    view.reset(request, address);
    QCOMPARE(holds(compiled, view), expected);
}

void TestPredicates::lowerCaseAsJavaScript_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected"); // "...".toLowerCase() of Node 20
    const auto row = [](const char *name, const char *text, const char *expected) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(expected);
    };
    row("ASCII", "ABC xyz @[`{ 09", "abc xyz @[`{ 09");
    row("Latin", "ÉÀß ẞ", "éàß ß");
    row("dotted I", "İI", "i\u0307i");
    row("final sigma", "ΟΔΟΣ ΟΔΟΣ.", "οδος οδος.");
    row("sigma inside", "ΣΑΣΑ Σ", "σασα σ");
    row("sigma before a mark", "ΑΣ\u0301Α", "ασ\u0301α");
    row("Cyrillic", "ЯЖ", "яж");
    row("beyond the BMP", "𐐀", "𐐨");
    row("Kelvin", "\u212A\u212B\u2126", "kåω");
}

void TestPredicates::lowerCaseAsJavaScript()
{
    QFETCH(QString, text);
    QFETCH(QString, expected);
    QCOMPARE(QString::fromStdString(lowerCase(text.toStdString())), expected);
}

void TestPredicates::bodies()
{
    const json::Value predicate = parsed(R"({"equals": {"body": {"a": {"b": "é"}}}})");
    QVERIFY(ask(predicate, test::requestFor("POST", "/", {}, R"({"a": {"b": "É"}})")));
    // a compressed body beyond any limit counts as one that cannot be read
    const std::string bomb = http::gzip(std::string((64u << 20) + 1, ' '));
    const http::Headers zipped{{"Content-Encoding", "gzip"}};
    QVERIFY(!ask(parsed(R"({"exists": {"body": true}})"), test::requestFor("POST", "/", zipped, bomb)));
    // no Brotli decoder here: the body is missing
    const http::Headers brotli{{"Content-Encoding", "br"}};
    QVERIFY(ask(parsed(R"({"exists": {"body": false}})"), test::requestFor("POST", "/", brotli, "abc")));
    // deep nesting is no JSON, and no crash
    const std::string deep(100'000, '[');
    QVERIFY(!ask(predicate, test::requestFor("POST", "/", {}, deep)));
    // a header that is UTF-8 is text, any other is Latin-1
    const json::Value header = parsed(R"({"equals": {"headers": {"X": "é"}}})");
    QVERIFY(ask(header, test::requestFor("GET", "/", {{"X", "é"}})));
    QVERIFY(ask(header, test::requestFor("GET", "/", {{"X", "\xE9"}})));
}

void TestPredicates::problems()
{
    const auto problemOf = [](const Predicate &predicate) {
        PredicateProblem problem;
        compilePredicate(predicate, problem);
        return QString::fromStdString(problem);
    };
    const Predicate broken = test::predicateFromJson(parsed(R"({"not": {"matches": {"path": "a(b"}}})"));
    QCOMPARE(problemOf(broken),
             QStringLiteral("\"a(b\" is not a regular expression: character 2: this \"(\" is never closed"));
    const Predicate fine = test::predicateFromJson(parsed(R"({"matches": {"path": "a"}})"));
    QCOMPARE(problemOf(fine), QString());
    Predicate script;
    script.op = Predicate::Operator::Inject;
    script.operatorName = "inject";
    QCOMPARE(problemOf(script), QString()); // scripts decide, or the match fails
    const auto problemIn = [&problemOf](const char *text) {
        return problemOf(test::predicateFromJson(parsed(text)));
    };
    QCOMPARE(problemIn("{\"equals\": {\"body\": \"\"}, \"except\": \"a(b\"}"),
             QStringLiteral("\"a(b\" is not a regular expression: character 2: this \"(\" is never closed"));
    QCOMPARE(problemIn("{\"equals\": {\"body\": \"\"}, \"xpath\": {\"selector\": \"//a[\"}}"),
             QStringLiteral(
                 "\"//a[\" is not an XPath: character 5: expected an XPath 1.0 expression, such as //item/title"));
    QCOMPARE(problemIn("{\"equals\": {\"body\": \"\"}, \"xpath\": {\"selector\": \"count(1)\"}}"),
             QStringLiteral("\"count(1)\" is not an XPath: a function or operator does not take this kind of value"));
    QCOMPARE(
        problemIn("{\"equals\": {\"body\": \"\"}, \"jsonpath\": {\"selector\": \"$.a[\"}}"),
        QStringLiteral("\"$.a[\" is not a JSONPath: character 5: the path ends here; expected an index, a slice, a "
                       "name, *, ?(...) or (...)"));
}

void TestPredicates::viewIsReused()
{
    // What one request left in the buffers must not show in the next.
    RequestView view;
    const http::Request first = test::requestFor("POST", "/A/./b?x=1&x=2", {{"X", "1"}, {"Y", "2"}}, R"({"a": 1})");
    const http::Request second = test::requestFor("GET", "/c");
    std::vector<std::string_view> found;
    for (int round = 0; round < 2; ++round) {
        view.reset(first, "1.2.3.4:5");
        QCOMPARE(*view.text(Field::Path, false), std::string("/A/b"));
        QCOMPARE(*view.text(Field::Path, true), std::string("/a/b"));
        view.values(Field::Query, "x", Casing::Ignored, found);
        QCOMPARE(found.size(), std::size_t(2));
        QVERIFY(view.bodyJson(Casing::Ignored) != nullptr);
        QVERIFY(view.bodyCanonical(Casing::Exact) != nullptr);
        QCOMPARE(view.object(Field::Headers, Casing::Exact)->size(), std::size_t(2));
        view.reset(second, "1.2.3.4:6");
        QCOMPARE(*view.text(Field::Path, true), std::string("/c"));
        QCOMPARE(*view.text(Field::RequestFrom, false), std::string("1.2.3.4:6"));
        view.values(Field::Query, "x", Casing::Ignored, found);
        QVERIFY(found.empty());
        QVERIFY(view.bodyJson(Casing::Ignored) == nullptr);
        QVERIFY(view.bodyCanonical(Casing::Exact) == nullptr);
        QCOMPARE(view.object(Field::Headers, Casing::Exact)->size(), std::size_t(0));
        QVERIFY(view.object(Field::Form, Casing::Exact) == nullptr);
    }
}

QTEST_APPLESS_MAIN(TestPredicates)
#include "tst_predicates.moc"
