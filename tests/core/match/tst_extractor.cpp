#include "match/extractor.h"

#include <QtTest>

using namespace wardbench;

class TestExtractor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void values_data();
    void values();
    void errors();
};

void TestExtractor::values_data()
{
    using Method = Extraction::Method;
    QTest::addColumn<int>("method");
    QTest::addColumn<QString>("selector");
    QTest::addColumn<QString>("options"); // i, m
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("expected");
    const auto row = [](Method method, const char *selector, const char *options, const char *text,
                        const QStringList &expected) {
        QTest::addRow("%s %s on %s", selector, options, text)
            << static_cast<int>(method) << QString::fromUtf8(selector) << QString::fromUtf8(options)
            << QString::fromUtf8(text) << expected;
    };
    const auto list = [](std::initializer_list<const char *> texts) {
        QStringList made;
        for (const char *text : texts)
            made += QString::fromUtf8(text);
        return made;
    };
    // mountebank.md 2.7.3
    row(Method::Regex, "\\d+", "", "a1 b22", list({"1"}));
    row(Method::Regex, "(\\w+)@(\\w+)", "", "to me@host now", list({"me@host", "me", "host"}));
    row(Method::Regex, "(a)|(b)", "", "b", list({"b", "", "b"}));
    row(Method::Regex, "B(.)", "i", "abc", list({"bc", "c"}));
    row(Method::Regex, "^b$", "m", "a\nb\nc", list({"b"}));
    row(Method::Regex, "^b$", "", "a\nb\nc", {});
    row(Method::Regex, "é(.)", "", "xéy", list({"éy", "y"}));
    row(Method::JsonPath, "$..n", "", "{\"a\": {\"n\": 1}, \"n\": \"two\"}", list({"two", "1"}));
    row(Method::JsonPath, "$.a", "", "{\"a\": {\"b\": [1, null]}}", list({"{\"b\":[1,null]}"}));
    row(Method::JsonPath, "$[*]", "", "[true, null, 1.50]", list({"true", "null", "1.5"}));
    row(Method::JsonPath, "$.l[?(@ =~ /^b/)]", "", "{\"l\": [\"a\", \"b1\"]}", list({"b1"}));
    row(Method::JsonPath, "$.a", "", "{\"a\": 1, \"a\": 2}", list({"2"}));
    row(Method::JsonPath, "$.A", "", "{\"a\": 1}", {});
    row(Method::JsonPath, "$.a", "", "no JSON", {});
    row(Method::XPath, "//b", "", "<a><b>1</b><b>2</b></a>", list({"1", "2"}));
    row(Method::XPath, "count(//b)", "", "<a><b>1</b><b>2</b></a>", list({"2"}));
    row(Method::XPath, "//n:b", "", "<a xmlns='urn:n'><b>1</b></a>", list({"1"}));
    row(Method::XPath, "//c", "", "<a/>", {});
    row(Method::XPath, "//c", "", "no XML", {});
}

void TestExtractor::values()
{
    QFETCH(int, method);
    QFETCH(QString, selector);
    QFETCH(QString, options);
    QFETCH(QString, text);
    QFETCH(QStringList, expected);
    Extraction extraction;
    extraction.method = static_cast<Extraction::Method>(method);
    extraction.selector = selector.toStdString();
    extraction.namespaces = {{"n", "urn:n"}};
    extraction.ignoreCase = options.contains(QLatin1Char('i'));
    extraction.multiline = options.contains(QLatin1Char('m'));
    const auto extractor = Extractor::compile(extraction);
    QVERIFY2(extractor, extractor ? "" : extractor.error().message.c_str());
    QStringList found;
    for (const std::string &value : extractor->values(text.toStdString()))
        found += QString::fromStdString(value);
    QCOMPARE(found, expected);
}

void TestExtractor::errors()
{
    QVERIFY(!Extractor::compile({Extraction::Method::Regex, "("}));
    QVERIFY(!Extractor::compile({Extraction::Method::JsonPath, "$["}));
    QVERIFY(!Extractor::compile({Extraction::Method::XPath, "//["}));
}

QTEST_APPLESS_MAIN(TestExtractor)
#include "tst_extractor.moc"
