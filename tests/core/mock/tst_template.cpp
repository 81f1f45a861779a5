// Answer templates: Handlebars' syntax, WireMock's and Mockoon's helpers (docs/TEMPLATES.md).
#include "mock/requestscope.h"
#include "mock/templatedates.h"
#include "json/parser.h"

#include <QRegularExpression>
#include <QtTest>

using namespace wardbench;
using namespace wardbench::mock;

namespace {

/// Renders against one request, as draw `k` of stream `seed`.
class Renderer
{
public:
    Renderer()
    {
        request.method = "POST";
        request.target = "/shop/items/7%20b?id=5&tag=a&tag=b&empty=";
        request.path = "/shop/items/7%20b";
        request.query = "id=5&tag=a&tag=b&empty=";
        request.headers = http::Headers{{"Host", "example.test:8080"},
                                        {"X-Trace", "t1"},
                                        {"Cookie", "a=1; session=xyz"},
                                        {"Content-Type", "application/json"}};
        request.body = R"({"user":{"name":"Ann","tags":["x","y"]},"n":3,"list":[{"k":1},{"k":2}],"none":[]})";
    }

    std::string operator()(const std::string &text, std::uint64_t k = 0, std::uint64_t seed = 1)
    {
        AnswerContext context(request, client, loop, services);
        context.random = RandomStream(seed, 0, "template");
        context.k = k;
        context.answer = json::Value(json::Members{{"body", text}});
        const auto rendered = renderTemplates(context.answer, context);
        return rendered ? (*rendered)["body"].text() : "failed: " + rendered.error().message;
    }

    http::Request request;
    std::string client = "127.0.0.1:5000";
    asio::io_context loop;
    AnswerServices services;
};

} // namespace

class TestTemplate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void renders_data();
    void renders();
    void shapes_data();
    void shapes();
    void errors_data();
    void errors();
    void drawsRepeat();
    void counters();
    void dates_data();
    void dates();
    void onlyWhereAsked();
    void bombs();
};

void TestTemplate::renders_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("result");
    const auto row = [](const char *text, const char *result) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(result);
    };
    row("plain", "plain");
    row("{{request.method}}", "POST");
    row("{{ request.path }}", "/shop/items/7%20b");
    row("{{request.path.[1]}}", "items");
    row("{{request.pathSegments.[2]}}", "7 b");
    row("{{request.path.[9]}}", "");
    row("{{request.url}}", "/shop/items/7%20b?id=5&tag=a&tag=b&empty=");
    row("{{request.query.id}}", "5");
    row("{{request.query.tag}}", "a");
    row("{{request.query.tag.[1]}}", "b");
    row("{{request.query.id.[0]}}", "5");
    row("{{request.query.none}}|{{request.query.empty}}", "|");
    row("{{request.headers.x-trace}}", "t1");
    row("{{request.headers.[X-Trace]}}", "t1");
    row("{{request.cookies.session}}", "xyz");
    row("{{request.host}} {{request.port}} {{request.scheme}}", "example.test 8080 http");
    row("{{request.baseUrl}}", "http://example.test:8080");
    row("{{request.clientIp}}", "127.0.0.1");
    row("{{request.body.user.name}}", "Ann");
    row("{{{request.body.user.tags.[1]}}}", "y");
    row("{{jsonPath request.body '$.user.name'}}", "Ann");
    row("{{jsonPath request.body '$.none.x' default='no'}}", "no");
    row("{{#each (jsonPath request.body '$.list[*]')}}{{this.k}}{{#unless @last}},{{/unless}}{{/each}}", "1,2");
    row("{{#each request.body.user.tags}}{{@index}}{{this}} {{/each}}", "0x 1y ");
    row("{{#each request.body.none}}x{{else}}none{{/each}}", "none");
    row("{{#if request.query.id}}yes{{else}}no{{/if}}{{#if request.query.none}}yes{{else}}no{{/if}}", "yesno");
    row("{{#if (eq request.query.id '5')}}five{{/if}}", "five");
    row("{{#unless (gt request.body.n 2)}}small{{else}}large{{/unless}}", "large");
    row("{{#repeat 3}}{{@index}}{{/repeat}}", "012");
    row("{{body 'user.name'}} {{body 'user.tags.0'}} {{body 'user.none' 'else'}} {{body '$.n'}}", "Ann x else 3");
    row("{{queryParam 'id'}} {{queryParam 'none' 'else'}}", "5 else");
    row("{{header 'x-trace'}} {{header 'none' 'else'}} {{cookie 'a'}}", "t1 else 1");
    row("{{method}} {{ip}} {{hostname}}", "POST 127.0.0.1 example.test");
    row("{{upper 'aé'}} {{lower 'AB'}} {{capitalize 'ann'}} [{{trim '  x '}}]", "Aé ab Ann [x]");
    row("{{base64 'hello'}} {{base64 'aGVsbG8=' decode=true}} {{base64 'a'}} {{base64 'ab'}}",
        "aGVsbG8= hello YQ== YWI=");
    row("{{urlEncode 'a b/c'}} {{urlEncode 'a%20b' decode=true}}", "a%20b%2Fc a b");
    row("{{replace 'a-b-c' '-' '+'}} {{substring 'hello' 1 3}} {{concat 'a' 1 true}}", "a+b+c el a1true");
    row("{{join ',' request.body.user.tags}} {{arrayJoin (array 1 2) '-'}}", "x,y 1-2");
    row("{{math 7 '+' 2}} {{math 7 '%' 4}} {{add 1 2}} {{divide 9 2}}", "9 3 3 4.5");
    row("{{size request.body.list}} {{size 'abc'}}", "2 3");
    row("{{toJson request.body.user}}", R"({"name":"Ann","tags":["x","y"]})");
    row("{{regexExtract request.url 'id=([0-9]+)'}} {{regexExtract 'x' '[0-9]' default='none'}}", "5 none");
    row("a {{~ request.query.id ~}} b", "a5b");
    row("{{! a comment }}x{{!-- with }} in it --}}y", "xy");
    row("{{upper (concat (lower 'A') 'b')}}", "AB");
    row("{{upper \"it's\"}} {{upper 'it\\'s'}}", "IT'S IT'S");
}

void TestTemplate::renders()
{
    QFETCH(QByteArray, text);
    QTEST(QByteArray::fromStdString(Renderer()(text.toStdString())), "result");
}

void TestTemplate::shapes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("shape");
    const auto row = [](const char *text, const char *shape) {
        QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(shape);
    };
    row("{{randomValue type='UUID'}}", "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$");
    row("{{uuid}}", "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$");
    row("{{randomValue length=33 type='ALPHANUMERIC'}}", "^[0-9a-z]{33}$");
    row("{{randomValue length=12 type='ALPHABETIC' uppercase=true}}", "^[A-Z]{12}$");
    row("{{randomValue length=8 type='NUMERIC'}}", "^[0-9]{8}$");
    row("{{randomValue length=8 type='HEXADECIMAL'}}", "^[0-9a-f]{8}$");
    row("{{randomInt lower=5 upper=6}}", "^[56]$");
    row("{{int 10 19}}", "^1[0-9]$");
    row("{{randomDecimal lower=2 upper=3}}", "^2(\\.[0-9]+)?$");
    row("{{pickRandom 'a' 'b' 'c'}}", "^[abc]$");
    row("{{oneOf (array 'a' 'b')}}", "^[ab]$");
    row("{{boolean}}", "^(true|false)$");
    row("{{objectId}}", "^[0-9a-f]{24}$");
    row("{{now}}", "^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z$");
    row("{{now format='yyyy/MM/dd'}}", "^20[0-9]{2}/[0-9]{2}/[0-9]{2}$");
    row("{{now format='unix'}}", "^[0-9]{10}$");
}

void TestTemplate::shapes()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, shape);
    Renderer render;
    for (std::uint64_t k = 0; k < 50; ++k) {
        const QString result = QString::fromStdString(render(text.toStdString(), k));
        QVERIFY2(QRegularExpression(shape).match(result).hasMatch(), qPrintable(result));
    }
}

void TestTemplate::errors_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *text, const char *words) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(words);
    };
    row("{{", "line 1, column 1");
    row("a\nb {{request.path", "line 2, column 3");
    row("{{}}", "");
    row("{{#if x}}", "expected {{/if}}");
    row("{{#if x}}{{/each}}", "expected {{/if}}");
    row("{{/if}}", "nothing to close");
    row("{{#while x}}{{/while}}", "#while");
    row("{{upper 'a}}", "quote");
    row("{{upper (lower 'a'}}", "\")\" was expected");
    row("{{nohelper 'a'}}", "no helper \"nohelper\"");
    row("{{5 6}}", "only a helper takes arguments");
}

void TestTemplate::errors()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, words);
    const std::string result = Renderer()(text.toStdString());
    if (words.isEmpty()) {
        QCOMPARE(result, std::string());
        return;
    }
    QVERIFY2(result.starts_with("failed: template"), result.c_str());
    QVERIFY2(result.find(words.toStdString()) != std::string::npos, result.c_str());
}

void TestTemplate::drawsRepeat()
{
    const std::string text = "{{uuid}} {{uuid}} {{int 0 1000000}}";
    Renderer render;
    const std::string first = render(text, 3, 9);
    QCOMPARE(render(text, 3, 9), first);
    QVERIFY(render(text, 4, 9) != first);
    QVERIFY(render(text, 3, 10) != first);
    QVERIFY(first.substr(0, 36) != first.substr(37, 36));
}

void TestTemplate::counters()
{
    Renderer render;
    QCOMPARE(render("{{counter 'a'}} {{counter 'a'}} {{counter 'b'}}"), std::string("1 2 1"));
    QCOMPARE(render("{{counter 'a'}}"), std::string("3"));
}

void TestTemplate::dates_data()
{
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("zone");
    QTest::addColumn<QString>("result");
    const auto row = [](const char *format, const char *zone, const char *result) {
        QTest::newRow(format) << QString::fromLatin1(format) << QString::fromLatin1(zone)
                              << QString::fromLatin1(result);
    };
    // 2026-03-05T07:08:09.042Z, a Thursday
    row("", "", "2026-03-05T07:08:09Z");
    row("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "+02:00", "2026-03-05T09:08:09.042+02:00");
    row("EEE, dd MMM yyyy HH:mm:ss z", "", "Thu, 05 Mar 2026 07:08:09 UTC");
    row("EEEE d MMMM yy h:mm a", "", "Thursday 5 March 26 7:08 AM");
    row("yyyyMMdd HHmm Z", "-09:30", "20260304 2138 -0930");
    row("epoch", "", "1772694489042");
    row("unix", "", "1772694489");
    row("'at' ''HH''", "", "at '07'");
}

void TestTemplate::dates()
{
    QFETCH(QString, format);
    QFETCH(QString, zone);
    QTEST(QString::fromStdString(dateText(1'772'694'489'042, format.toStdString(), zone.toStdString())), "result");
    QCOMPARE(offsetMilliseconds("3 days"), std::int64_t(259'200'000));
    QCOMPARE(offsetMilliseconds("-24 seconds"), std::int64_t(-24'000));
    QCOMPARE(offsetMilliseconds("soon"), std::int64_t(0));
}

/// Texts in a JSON body and in headers, but nothing else.
void TestTemplate::onlyWhereAsked()
{
    Renderer renderer;
    AnswerContext context(renderer.request, renderer.client, renderer.loop, renderer.services);
    const auto answer = std::get<json::Value>(json::parse(
        R"({"statusCode":200,"headers":{"X-Id":"{{request.query.id}}","X-N":5},"body":{"a":["{{request.method}}",1],"{{b}}":null},"other":"{{upper"})"));
    const auto rendered = renderTemplates(answer, context);
    QVERIFY(rendered);
    QCOMPARE((*rendered)["headers"]["X-Id"].text(), std::string("5"));
    QCOMPARE((*rendered)["headers"]["X-N"].text(), std::string("5"));
    QCOMPARE((*rendered)["body"]["a"].at(0).text(), std::string("POST"));
    QVERIFY((*rendered)["body"].find("{{b}}"));
    QCOMPARE((*rendered)["other"].text(), std::string("{{upper"));
}

void TestTemplate::bombs()
{
    std::string nested;
    for (int i = 0; i < 100'000; ++i)
        nested += "{{#if 1}}";
    QVERIFY(Renderer()(nested).find("too many blocks") != std::string::npos);
    QVERIFY(Renderer()("{{" + std::string(100'000, '(') + "}}").find("too many parentheses") != std::string::npos);
    QVERIFY(Renderer()("{{#repeat 1000000}}{{#repeat 1000000}}" + std::string(100'000, 'x') + "{{/repeat}}{{/repeat}}")
                .find("64 MiB") != std::string::npos);
}

QTEST_GUILESS_MAIN(TestTemplate)
#include "tst_template.moc"
