#include "base/random.h"
#include "match/compiledimposter.h"
#include "match/compiledpredicate.h"
#include "match/stubindex.h"
#include "support/predicates.h"
#include "support/readfile.h"
#include "support/threadclock.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

#include <thread>

using namespace wardbench;

namespace {

json::Value parsed(std::string_view text)
{
    const auto result = json::parse(text);
    return std::holds_alternative<json::Value>(result) ? std::get<json::Value>(result) : json::Value();
}

StubPtr stub(StubId id, const std::vector<std::string> &predicates)
{
    std::vector<Predicate> made;
    for (const std::string &predicate : predicates)
        made.push_back(test::predicateFromJson(parsed(predicate)));
    return test::stubWith(id, std::move(made));
}

const std::string client = "127.0.0.1:50000";

/// Random stubs and requests from a vocabulary small enough that they meet, with every shape the index looks at.
class Generator
{
public:
    explicit Generator(std::uint64_t seed) : m_stream(seed, 0, "index") {}

    std::vector<StubPtr> stubs(std::size_t count)
    {
        std::vector<StubPtr> made;
        for (std::size_t i = 0; i < count; ++i) {
            std::vector<Predicate> predicates;
            for (std::size_t left = below(4); left > 0; --left)
                predicates.push_back(test::predicateFromJson(predicate(0)));
            if (predicates.empty() && below(4) != 0) // a stub for any request hides all behind it
                predicates.push_back(test::predicateFromJson(predicate(0)));
            auto one = std::make_shared<Stub>(*test::stubWith(i + 1, std::move(predicates)));
            one->enabled = below(20) != 0;
            made.push_back(one);
        }
        return made;
    }

    http::Request request()
    {
        std::string target = path();
        for (std::size_t left = below(3), first = left; left > 0; --left)
            target += (left == first ? "?" : "&") + name() + "=" + word();
        http::Headers headers;
        for (std::size_t left = below(4); left > 0; --left)
            headers.add(pick({"X-Kind", "x-kind", "X-KIND", "Accept"}), word());
        if (below(6) == 0)
            headers.add("Content-Type", "application/x-www-form-urlencoded");
        return test::requestFor(pick({"GET", "POST", "put"}), target, headers, body());
    }

private:
    std::size_t below(std::size_t n)
    {
        return static_cast<std::size_t>(m_stream.integer(m_draw++, 0, static_cast<std::int64_t>(n) - 1));
    }
    std::string pick(const std::vector<std::string> &from) { return from[below(from.size())]; }
    std::string path() { return pick({"/a", "/A", "/a/1", "/b/22", "/b", "/%C3%A9", "/a/./1", "/", "/c/x9"}); }
    std::string word() { return pick({"", "x", "X", "1", "12", "true", "null", "y", "é", "É"}); }
    std::string name() { return pick({"a", "A", "b", "k"}); }

    std::string body()
    {
        switch (below(8)) {
        case 0:
            return {};
        case 1:
            return word();
        case 2:
            return "a=" + word() + "&b=" + word();
        case 3:
            return pick({"[1,\"x\"]", "[{\"a\":\"x\"},{\"a\":\"Y\",\"b\":1}]", "null", "{\"a\":", "5", "\"x\""});
        case 4:
            return "<a k='" + word() + "'><b>" + word() + "</b><A>" + word() + "</A>" +
                   pick({"", "<b>" + word() + "</b>", "<b/>", "<b>{\"a\":\"x\"}</b>"}) + pick({"</a>", ""});
        default:
            return json::writeCompact(object(0));
        }
    }

    json::Value value(int depth)
    {
        switch (below(depth < 2 ? 9 : 6)) {
        case 0:
            return json::Value();
        case 1:
            return json::Value(true);
        case 2:
            return json::Value(static_cast<int>(below(3)));
        case 6:
            return object(depth + 1);
        case 7: {
            json::Array items;
            for (std::size_t left = below(3); left > 0; --left)
                items.push_back(value(depth + 1));
            return json::Value(std::move(items));
        }
        case 8:
            return json::Value(json::writeCompact(object(depth + 1))); // JSON within text
        default:
            return json::Value(word());
        }
    }

    json::Value object(int depth)
    {
        json::Value made = json::Value::object();
        for (std::size_t left = below(3); left > 0; --left)
            made = made.withMember(name(), value(depth + 1));
        return made;
    }

    json::Value field(const std::string &field, const std::string &op)
    {
        if (op == "matches")
            return json::Value(
                pick({"^/a", "b/\\d+$", "^/[a-c]$", "x", "^$", "\\d{2}", "(?=x)", "é", "^/(a|b)/", "."}));
        if (op == "exists")
            return json::Value(below(2) == 0);
        if (field == "method")
            return json::Value(pick({"GET", "get", "POST", "P", "T"}));
        if (field == "path")
            return json::Value(pick({"/a", "/A", "/a/1", "/b", "/B/22", "a", "/", "1", "", "/%c3%a9"}));
        if (field == "body" && below(2) == 0)
            return object(0);
        return below(10) == 0 ? value(0) : json::Value(word());
    }

    json::Value selecting(const json::Value &made, const char *parameter, const std::vector<std::string> &selectors)
    {
        return made.withMember(parameter, json::Value::object().withMember("selector", json::Value(pick(selectors))));
    }

    json::Value predicate(int depth)
    {
        json::Value made = json::Value::object();
        const std::size_t kind = below(depth < 2 ? 12 : 8);
        if (kind >= 8) {
            json::Array children;
            for (std::size_t left = below(4); left > 0; --left)
                children.push_back(predicate(depth + 1));
            if (kind == 8)
                return made.withMember("not", predicate(depth + 1));
            return made.withMember(kind == 9 ? "and" : "or", json::Value(std::move(children)));
        }
        const std::string op =
            pick({"equals", "equals", "deepEquals", "contains", "startsWith", "endsWith", "matches", "exists"});
        json::Value operand = json::Value::object();
        for (std::size_t left = 1 + below(2); left > 0; --left) {
            const std::string place = pick({"method", "path", "path", "body", "body", "query", "headers", "form"});
            if (place == "query" || place == "headers" || place == "form") {
                const std::string key = place == "headers" ? pick({"X-Kind", "x-kind", "Accept"}) : name();
                operand = operand.withMember(place, json::Value::object().withMember(key, field(place, op)));
            } else {
                operand = operand.withMember(place, field(place, op));
            }
        }
        made = made.withMember(op, operand);
        if (below(3) == 0)
            made = made.withMember("caseSensitive", json::Value(true));
        if (below(6) == 0)
            made = made.withMember("except", json::Value(pick({"\\d", "^x", "y$", "[A-Z]", "é", "(?=x)x"})));
        if (below(3) == 0)
            made =
                below(3) == 0
                    ? selecting(made, "xpath", {"//b", "//a", "/a/@k", "//A/text()", "count(//b)", "//b[2]"})
                    : selecting(made, "jsonpath",
                                {"$.a", "$..a", "$", "$[*]", "$.b.A", "$..b[0]", "$[?(@.a=='x')].b", "$.k^", "$.*~"});
        if (below(5) == 0)
            made = made.withMember("keyCaseSensitive", json::Value(below(2) == 0));
        return made;
    }

    RandomStream m_stream;
    std::uint64_t m_draw = 0;
};

std::string describe(const http::Request &request)
{
    std::string text = request.method + " " + request.target;
    for (const http::Header &header : request.headers)
        text += " | " + header.name + ": " + header.value;
    return text + " | " + request.body;
}

} // namespace

class TestStubIndex : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void indexAnswersAsScan_data();
    void indexAnswersAsScan();
    void indexAnswersAsScanOnManySmallSets();
    void indexAnswersAsScanOnFixture();
    void everyHoldingStubIsACandidate();
    void indexExcludes_data();
    void indexExcludes();
    void firstInOrder();
    void disabledAndBroken();
    void recompilation();
    void manyStubs();
    void threadsShare();
};

void TestStubIndex::indexAnswersAsScan_data()
{
    QTest::addColumn<int>("seed");
    QTest::addColumn<int>("stubs");
    for (int seed = 1; seed <= 30; ++seed)
        QTest::addRow("%d stubs, seed %d", 5 + seed * 5, seed) << seed << 5 + seed * 5;
}

void TestStubIndex::indexAnswersAsScan()
{
    QFETCH(int, seed);
    QFETCH(int, stubs);
    Generator generator(static_cast<std::uint64_t>(seed));
    std::vector<StubPtr> all = generator.stubs(static_cast<std::size_t>(stubs));
    std::size_t matched = 0;
    for (int round = 0; round < 4; ++round) {
        const auto compiled = CompiledStubs::compile(all);
        for (int i = 0; i < 80; ++i) {
            const http::Request request = generator.request();
            const std::size_t expected = compiled->matchByScan(request, client);
            const std::size_t found = compiled->match(request, client);
            if (found != expected)
                qWarning("%s: the index says %d, the scan %d", describe(request).c_str(), int(found), int(expected));
            QCOMPARE(found, expected);
            matched += found != CompiledStubs::none ? 1 : 0;
        }
        // Other stubs are first now, so that all of them get their turn
        std::rotate(all.begin(), all.begin() + stubs / 4, all.end());
    }
    QVERIFY(matched > 0);
}

void TestStubIndex::indexAnswersAsScanOnManySmallSets()
{
    // 100,000 cases: few stubs each time, so that every stub gets its chance to be the first
    std::size_t matched = 0;
    for (std::uint64_t seed = 1000; seed < 1400; ++seed) {
        Generator generator(seed);
        const auto compiled = CompiledStubs::compile(generator.stubs(6));
        for (int i = 0; i < 250; ++i) {
            const http::Request request = generator.request();
            const std::size_t found = compiled->match(request, client);
            QVERIFY2(found == compiled->matchByScan(request, client),
                     ("seed " + std::to_string(seed) + ": " + describe(request)).c_str());
            matched += found != CompiledStubs::none ? 1 : 0;
        }
    }
    QVERIFY(matched > 30'000);
}

void TestStubIndex::indexAnswersAsScanOnFixture()
{
    // mountebank's predicates one behind the other, met by all of its requests
    const json::Value themes = parsed(test::readFile(WARDBENCH_TEST_DATA "/match/mountebank-predicates.json"));
    for (const json::Value &theme : themes.items()) {
        std::vector<StubPtr> all;
        for (const json::Value &row : theme["rows"].items()) {
            // alone with a few neighbours, else the first broad one hides the rest
            all.push_back(test::stubWith(all.size() + 1, {test::predicateFromJson(row["predicate"])}));
        }
        for (std::size_t begin = 0; begin + 6 <= all.size(); begin += 6) {
            const std::vector<StubPtr> some(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                            all.begin() + static_cast<std::ptrdiff_t>(begin + 6));
            const auto compiled = CompiledStubs::compile(some);
            for (const json::Value &row : theme["requests"].items()) {
                const http::Request request = test::requestFromJson(row);
                QVERIFY2(compiled->match(request, client) == compiled->matchByScan(request, client),
                         describe(request).c_str());
            }
        }
    }
}

void TestStubIndex::everyHoldingStubIsACandidate()
{
    // Harder than the first match: no stub hides behind another.
    std::size_t held = 0;
    for (std::uint64_t seed = 100; seed < 112; ++seed) {
        Generator generator(seed);
        std::vector<std::vector<CompiledPredicate>> predicates;
        std::vector<std::vector<IndexConstraint>> constraints;
        for (const StubPtr &one : generator.stubs(200)) {
            PredicateProblem problem;
            std::vector<CompiledPredicate> compiled;
            for (const Predicate &predicate : one->predicates)
                compiled.push_back(compilePredicate(predicate, problem));
            QCOMPARE(QString::fromStdString(problem), QString());
            constraints.push_back(constraintsOf(compiled));
            predicates.push_back(std::move(compiled));
        }
        std::vector<const std::vector<IndexConstraint> *> pointers;
        for (const auto &one : constraints)
            pointers.push_back(&one);
        const StubIndex index(pointers, nullptr);
        RequestView view;
        BitSet candidates;
        for (int i = 0; i < 200; ++i) {
            const http::Request request = generator.request();
            view.reset(request, client);
            index.candidates(view, candidates);
            for (std::size_t position = 0; position < predicates.size(); ++position) {
                const bool all = std::all_of(predicates[position].begin(), predicates[position].end(),
                                             [&view](const CompiledPredicate &one) { return holds(one, view); });
                held += all ? 1 : 0;
                QVERIFY2(!all || candidates.test(position), describe(request).c_str());
            }
        }
    }
    QVERIFY(held > 10'000);
}

void TestStubIndex::indexExcludes_data()
{
    // Twenty stubs that differ in one thing only: the index must leave at most two candidates.
    QTest::addColumn<QString>("predicate"); // % becomes the stub's number
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("header");
    QTest::addColumn<QString>("body");
    const auto row = [](const char *name, const char *predicate, const char *method, const char *target,
                        const char *header, const char *body) {
        QTest::newRow(name) << QString::fromUtf8(predicate) << QString::fromUtf8(method) << QString::fromUtf8(target)
                            << QString::fromUtf8(header) << QString::fromUtf8(body);
    };
    row("method", R"({"equals": {"method": "M%"}})", "m7", "/", "", "");
    row("path", R"({"equals": {"path": "/Item/%"}})", "GET", "/item/7", "", "");
    row("path, exact", R"({"equals": {"path": "/Item/%"}, "caseSensitive": true})", "GET", "/Item/7", "", "");
    row("deepEquals path", R"({"deepEquals": {"path": "/Item/%"}})", "GET", "/item/7", "", "");
    row("path regex", R"({"matches": {"path": "^/item/%/\\d+$"}})", "GET", "/Item/7/12", "", "");
    row("startsWith", R"({"startsWith": {"path": "/item/%/"}})", "GET", "/Item/7/12", "", "");
    row("contains", R"({"contains": {"path": "/N%/"}})", "GET", "/x/n7/y", "", "");
    row("endsWith", R"({"endsWith": {"path": "/%.txt"}})", "GET", "/x/7.TXT", "", "");
    row("query", R"({"equals": {"path": "/q", "query": {"page": "%", "size": "10"}}})", "GET", "/q?size=10&Page=7", "",
        "");
    row("header", R"({"equals": {"headers": {"X-Route": "r%"}}})", "GET", "/", "R7", "");
    row("body text", R"({"equals": {"body": "ticket %"}})", "POST", "/", "", "Ticket 7");
    row("body regex", R"({"matches": {"body": "ticket-%\\b"}})", "POST", "/", "", "see ticket-7 today");
    row("body contains", R"({"contains": {"body": "ticket-%."}})", "POST", "/", "", "see Ticket-7. today");
    row("body field", R"({"equals": {"body": {"order": {"id": "o-%"}, "via": "web"}}})", "POST", "/", "",
        R"({"via": "web", "order": {"id": "O-7", "x": 1}})");
    row("body document", R"({"deepEquals": {"body": {"a": ["%", 1], "b": null}}})", "POST", "/", "",
        R"({"b": null, "a": [1, 7]})");
    row("jsonpath", "{\"equals\": {\"body\": \"o-%\"}, \"jsonpath\": {\"selector\": \"$..id\"}}", "POST", "/", "",
        "[{\"id\": \"x\"}, {\"a\": {\"id\": \"O-7\"}}]");
    row("jsonpath, member", "{\"equals\": {\"body\": {\"id\": %}}, \"jsonpath\": {\"selector\": \"$.order\"}}", "POST",
        "/", "", "{\"order\": {\"id\": 7}}");
    row("jsonpath, deepEquals", "{\"deepEquals\": {\"body\": {\"id\": %}}, \"jsonpath\": {\"selector\": \"$.order\"}}",
        "POST", "/", "", "{\"order\": {\"id\": 7}}");
    row("xpath", "{\"equals\": {\"body\": \"t%\"}, \"xpath\": {\"selector\": \"//item/title\"}}", "POST", "/", "",
        "<list><item><title>T7</title></item></list>");
    row("xpath, deepEquals", "{\"deepEquals\": {\"body\": [\"t%\", \"a\"]}, \"xpath\": {\"selector\": \"//title\"}}",
        "POST", "/", "", "<list><title>T7</title><title>A</title></list>");
    row("except", "{\"equals\": {\"path\": \"/item/%/\"}, \"except\": \"[a-z]+$\"}", "GET", "/Item/7/abc", "", "");
    row("and", R"({"and": [{"equals": {"method": "GET"}}, {"equals": {"path": "/item/%"}}]})", "GET", "/item/7", "",
        "");
    row("or", R"({"or": [{"equals": {"path": "/item/%"}}, {"equals": {"path": "/other/%"}}]})", "GET", "/other/7", "",
        "");
}

void TestStubIndex::indexExcludes()
{
    QFETCH(QString, predicate);
    QFETCH(QString, method);
    QFETCH(QString, target);
    QFETCH(QString, header);
    QFETCH(QString, body);
    std::vector<std::vector<IndexConstraint>> constraints;
    std::vector<StubPtr> stubs;
    for (int i = 0; i < 20; ++i) {
        const QString text = QString(predicate).replace(QLatin1Char('%'), QString::number(i));
        PredicateProblem problem;
        const Predicate source = test::predicateFromJson(parsed(text.toStdString()));
        constraints.push_back(constraintsOf({compilePredicate(source, problem)}));
        stubs.push_back(test::stubWith(static_cast<StubId>(i + 1), {source}));
    }
    std::vector<const std::vector<IndexConstraint> *> pointers;
    for (const auto &one : constraints)
        pointers.push_back(&one);
    const StubIndex index(pointers, nullptr);
    const http::Request request = test::requestFor(method.toStdString(), target.toStdString(),
                                                   {{"x-route", header.toStdString()}}, body.toStdString());
    RequestView view;
    view.reset(request, client);
    BitSet candidates;
    index.candidates(view, candidates);
    QVERIFY(candidates.test(7));
    QVERIFY(candidates.atMost(2));
    QCOMPARE(CompiledStubs::compile(stubs)->match(request, client), std::size_t(7));
}

void TestStubIndex::firstInOrder()
{
    std::vector<StubPtr> stubs;
    for (StubId id = 1; id <= 200; ++id)
        stubs.push_back(
            stub(id, {R"({"equals": {"path": "/same"}})",
                      R"({"exists": {"query": {"q": )" + std::string(id < 150 ? "true" : "false") + "}}}"}));
    const auto compiled = CompiledStubs::compile(stubs);
    QCOMPARE(compiled->match(test::requestFor("GET", "/same"), client), std::size_t(149));
    QCOMPARE(compiled->match(test::requestFor("GET", "/same?q=1"), client), std::size_t(0));
    QCOMPARE(compiled->match(test::requestFor("GET", "/other"), client), CompiledStubs::none);
}

void TestStubIndex::disabledAndBroken()
{
    for (const int fillers : {0, 50}) { // by scan, and through the index
        std::vector<StubPtr> stubs;
        auto disabled = std::make_shared<Stub>(*stub(1, {R"({"equals": {"path": "/x"}})"}));
        disabled->enabled = false;
        stubs.push_back(disabled);
        stubs.push_back(stub(2, {R"({"not": {"matches": {"path": "("}}})"})); // no regular expression: never matches
        for (int i = 0; i < fillers; ++i)
            stubs.push_back(stub(static_cast<StubId>(100 + i), {R"({"equals": {"path": "/y"}})"}));
        const auto compiled = CompiledStubs::compile(stubs);
        QCOMPARE(compiled->match(test::requestFor("GET", "/x"), client), CompiledStubs::none);
        stubs.push_back(stub(4, {}));
        QCOMPARE(CompiledStubs::compile(stubs)->match(test::requestFor("GET", "/x"), client), stubs.size() - 1);
    }
    QCOMPARE(CompiledStubs::compile({})->match(test::requestFor("GET", "/x"), client), CompiledStubs::none);
}

void TestStubIndex::recompilation()
{
    // Edits one after the other: the compilation that builds on the one before answers as a fresh one.
    std::vector<StubPtr> stubs;
    for (StubId id = 1; id <= 120; ++id) {
        auto one =
            std::make_shared<Stub>(*stub(id, {R"({"matches": {"path": "^/r)" + std::to_string(id) + R"(/\\d+$"}})"}));
        one->source = json::Value::object().withMember("id", json::Value(static_cast<int>(id)));
        stubs.push_back(one);
    }
    auto compiled = CompiledStubs::compile(stubs);
    for (int edit = 0; edit < 60; ++edit) {
        const std::size_t at = static_cast<std::size_t>(edit * 2);
        if (edit % 3 == 0) {
            stubs.erase(stubs.begin() + static_cast<std::ptrdiff_t>(at % stubs.size()));
        } else {
            auto changed =
                std::make_shared<Stub>(*stub(1000 + static_cast<StubId>(edit % 2 == 0 ? edit : at),
                                             {R"({"matches": {"path": "^/e)" + std::to_string(edit) + R"(/\\d+$"}})"}));
            changed->source = json::Value::object().withMember("edit", json::Value(edit));
            stubs[at % stubs.size()] = changed;
        }
        compiled = CompiledStubs::compile(stubs, compiled);
        const auto fresh = CompiledStubs::compile(stubs);
        for (const char *kind : {"r", "e"}) {
            for (int number = 0; number < 130; number += 3) {
                const auto request = test::requestFor("GET", std::string("/") + kind + std::to_string(number) + "/5");
                QCOMPARE(compiled->match(request, client), fresh->match(request, client));
            }
        }
    }
    // Same id, other content: without a source tree to compare, only the same object counts as unchanged
    const auto first = CompiledStubs::compile({stub(1, {R"({"equals": {"path": "/old"}})"})});
    const auto second = CompiledStubs::compile({stub(1, {R"({"equals": {"path": "/new"}})"})}, first);
    QCOMPARE(second->match(test::requestFor("GET", "/new"), client), std::size_t(0));
    QCOMPARE(first->match(test::requestFor("GET", "/old"), client), std::size_t(0));
}

void TestStubIndex::manyStubs()
{
    std::vector<StubPtr> stubs;
    for (StubId id = 1; id <= 10'000; ++id)
        stubs.push_back(stub(id, {R"({"equals": {"path": "/item/)" + std::to_string(id) + "\"}}"}));
    const auto begun = test::threadTime();
    const auto compiled = CompiledStubs::compile(stubs);
    const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(test::threadTime() - begun);
    QVERIFY2(spent.count() < 15'000, qPrintable(QString::number(spent.count()))); // sanitizers take their time
    for (std::size_t i = 0; i < stubs.size(); i += 13)
        QCOMPARE(compiled->match(test::requestFor("GET", "/item/" + std::to_string(i + 1)), client), i);
    QCOMPARE(compiled->match(test::requestFor("GET", "/item/10001"), client), CompiledStubs::none);
}

void TestStubIndex::threadsShare()
{
    std::vector<StubPtr> stubs;
    for (StubId id = 1; id <= 60; ++id)
        stubs.push_back(stub(id, {R"({"matches": {"path": "^/(?=t)t)" + std::to_string(id) + "$\"}}",
                                  R"({"equals": {"headers": {"X": "é"}}})"}));
    const auto compiled = CompiledStubs::compile(stubs);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 300; ++i) {
                const auto request = test::requestFor("GET", "/t" + std::to_string(i % 60 + 1), {{"x", "É"}});
                wrong += compiled->match(request, client) == static_cast<std::size_t>(i % 60) ? 0 : 1;
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    QCOMPARE(wrong.load(), 0);
}

QTEST_APPLESS_MAIN(TestStubIndex)
#include "tst_stubindex.moc"
