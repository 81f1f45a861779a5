#include "base/random.h"
#include "match/xpath.h"
#include "json/writer.h"

#include <QtTest>

#include <atomic>
#include <thread>

using namespace wardbench;

namespace {

QString select(const std::string &path, const std::string &document, const XmlNamespaces &namespaces = {})
{
    const auto compiled = XPath::compile(path, namespaces);
    if (!compiled)
        return QString::fromStdString("error: " + compiled.error().message);
    const auto xml = XmlDocument::parse(document, false);
    if (!xml)
        return QStringLiteral("no document");
    std::uint64_t steps = XPath::stepLimit;
    const auto found = compiled->select(*xml, steps);
    return found ? QString::fromStdString(json::writeCompact(json::Value(*found))) : QStringLiteral("gave up");
}

/// Documents as people write them, and every now and then something that is not plain, or no XML at all.
class DocumentGenerator
{
public:
    explicit DocumentGenerator(std::uint64_t seed) : m_stream(seed, 0, "documents") {}

    std::string document()
    {
        return pick({"", "", " \n", "<?xml version=\"1.0\"?>\n", "<?xml version='1.0' encoding='latin1'?>",
                     "\xEF\xBB\xBF"}) +
               element(0) + pick({"", "", "", "\n", "x", "<a/>", "<!--c-->"});
    }
    std::string path()
    {
        std::string made = pick({"/", "//", "//", ""}) + name();
        for (std::size_t left = below(2); left > 0; --left)
            made += "/" + name();
        return made + pick({"", "", "/text()", "/@k", "/@j"});
    }

private:
    std::size_t below(std::size_t n)
    {
        return static_cast<std::size_t>(m_stream.integer(m_draw++, 0, static_cast<std::int64_t>(n) - 1));
    }
    std::string pick(const std::vector<std::string> &from) { return from[below(from.size())]; }
    std::string name() { return pick({"a", "b", "a", "b", "a", "b", "a-1", "_x"}); }
    /// Mostly `usual`; seldom `other`.
    std::string seldom(const std::string &usual, const std::vector<std::string> &other)
    {
        return below(200) == 0 ? pick(other) : usual;
    }

    std::string text()
    {
        return seldom(
            pick({"", "", "x", " ", "\n  ", "1 2", "]]", "a>b"}),
            {"&amp;", "&#65;", "&x;", "&", "<![CDATA[y]]>", "<!--c-->", "<?p i?>", "]]>", "é", "\r\n", "\x01"});
    }

    std::string attributes()
    {
        std::string made;
        for (std::size_t left = below(3); left > 0; --left) {
            made += seldom(pick({" ", "\n", "  "}), {"", "\r"}) + pick({"k", "j", "m"});
            made += seldom(pick({"=", " = "}), {"", "=="});
            made += seldom(pick({"'v'", "\"w\"", "''", "\"it's\"", "'>'"}),
                           {"'a&amp;b'", "'<'", "v", "'\t'", "'é'", "'v", " xmlns='urn:x'", "'' p:k='v'"});
        }
        return made;
    }

    std::string element(int depth)
    {
        const std::string own = seldom(name(), {"p:a", "1", "é", ""});
        std::string made = "<" + own + attributes() + pick({"", "", " ", "\n"});
        if (below(4) == 0)
            return made + seldom("/>", {"/", "/ >"});
        made += seldom(">", {"", ">>"}) + text();
        for (std::size_t left = depth < 4 ? below(4) : 0; left > 0; --left)
            made += element(depth + 1) + text();
        return made + seldom("</" + own + pick({"", "", " "}) + ">", {"", "</z>", "</" + own, "< /" + own + ">"});
    }

    RandomStream m_stream;
    std::uint64_t m_draw = 0;
};

/// What selectPlain says; "left to the tree" when it says nothing.
QString selectPlain(const std::string &path, const std::string &document)
{
    const auto compiled = XPath::compile(path, {});
    std::uint64_t steps = XPath::stepLimit;
    const auto found = compiled ? compiled->selectPlain(document, steps) : std::nullopt;
    return found ? QString::fromStdString(json::writeCompact(json::Value(*found))) : QStringLiteral("left to the tree");
}

/// Makes the columns path, document and expected; gives what adds a row.
auto selectionRows()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("document");
    QTest::addColumn<QString>("expected");
    return [](const char *path, const char *document, const char *expected) {
        QTest::addRow("%s on %s", path, document)
            << QString::fromUtf8(path) << QString::fromUtf8(document) << QString::fromUtf8(expected);
    };
}

} // namespace

class TestXPath : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void selects_data();
    void selects();
    void plainTexts_data();
    void plainTexts();
    void withoutTree();
    void documents_data();
    void documents();
    void errors_data();
    void errors();
    void nothingFromOutside();
    void bombs_data();
    void bombs();
    void manyNames();
    void threadsShare();
};

void TestXPath::selects_data()
{
    const auto row = selectionRows();
    row("//b", "<a><b>1</b><b>2</b></a>", "[\"1\",\"2\"]");
    row("/a/b[2]", "<a><b>1</b><b>2</b></a>", "[\"2\"]");
    row("//b/text()", "<a><b>1</b></a>", "[\"1\"]");
    row("//@k", "<a k='v'/>", "[\"v\"]");
    row("//@k", "<a k='a&amp;b&#33;'/>", "[\"a&b!\"]");
    row("//a", "<a>one<b>two</b></a>", "[\"one\"]");
    row("//a", "<a><b>two</b></a>", "[\"undefined\"]");
    row("//a", "<a/>", "[\"undefined\"]");
    row("//a", "<a><![CDATA[<x>]]></a>", "[\"<x>\"]");
    row("//a", "<a><!--note-->x</a>", "[\"note\"]");
    row("//comment()", "<a><!--note-->x</a>", "[\"note\"]");
    row("//processing-instruction()", "<a><?p data?></a>", "[\"data\"]");
    row("//c", "<a/>", "[]");
    row("count(//b)", "<a><b/><b/></a>", "[2]");
    row("boolean(//b)", "<a><b/></a>", "[true]");
    row("string(//b)", "<a><b>x<c>y</c></b></a>", "[\"xy\"]");
    row("concat(//b, '!')", "<a><b>x</b></a>", "[\"x!\"]");
    row("//b = 'x'", "<a><b>x</b></a>", "[true]");
    row("sum(//b) div 2", "<a><b>1</b><b>2</b></a>", "[1.5]");
    row("//b[contains(., 'x')]/@i", "<a><b i='1'>xy</b><b i='2'>z</b></a>", "[\"1\"]");
    row("//c | //b", "<a><b>1</b><c>2</c></a>", "[\"1\",\"2\"]");
    row("//b/ancestor::*", "<a><b/></a>", "[\"undefined\"]");
    row("//b/..", "<a>t<b/></a>", "[\"t\"]");
}

void TestXPath::selects()
{
    QFETCH(QString, path);
    QFETCH(QString, document);
    QFETCH(QString, expected);
    QCOMPARE(select(path.toStdString(), document.toStdString()), expected);
}

void TestXPath::plainTexts_data()
{
    const auto row = selectionRows();
    row("//b", "<a><b>1</b><b>2</b></a>", "[\"1\",\"2\"]");
    row("//b", "<a><b/><b></b><b><c/></b></a>", "[\"undefined\",\"undefined\",\"undefined\"]");
    row("/a/b", "<a><b>1</b><c><b>2</b></c></a>", "[\"1\"]");
    row("a/b", "<a><b>1</b></a>", "[\"1\"]");
    row("/b", "<a><b>1</b></a>", "[]");
    row("//b/text()", "<a><b>1<c/>2</b></a>", "[\"1\",\"2\"]");
    row("//b/@k", "<a><b k='v' j=\"w\"/></a>", "[\"v\"]");
    row("//@k", "<a k='1'><b k='2'/></a>", "[\"1\",\"2\"]");
    row("//a", "<?xml version=\"1.0\"?>\n<a>one</a>\n", "[\"one\"]");
    for (const char *path : {"//b[1]", "//a//b", "//*", "//p:b", "count(//b)", "..", "//b | //c", "/", "//b/"})
        row(path, "<a><b>1</b></a>", "left to the tree");
    for (const char *document :
         {"<a>&amp;</a>", "<a><!--c-->x</a>", "<a><![CDATA[x]]></a>", "<a xmlns='u'>x</a>", "<a>é</a>", "<p:a>x</p:a>",
          "<a>x</b>", "<a>x", "<a>x</a>y", "<a k='1' k='2'>x</a>", "<a k='1'j='2'>x</a>", "x", "", "<a k='&lt;'>x</a>",
          "<!DOCTYPE a><a>x</a>", "<a>]]></a>"})
        row("//a", document, "left to the tree");
}

void TestXPath::plainTexts()
{
    QFETCH(QString, path);
    QFETCH(QString, document);
    QFETCH(QString, expected);
    QCOMPARE(selectPlain(path.toStdString(), document.toStdString()), expected);
}

/// Hits read off the text are those of libxml2's tree, on generated documents.
void TestXPath::withoutTree()
{
    constexpr int cases = 8000;
    DocumentGenerator generator(2);
    int plain = 0, found = 0;
    for (int i = 0; i < cases; ++i) {
        const std::string path = generator.path(), document = generator.document();
        const QString mine = selectPlain(path, document);
        if (mine == QStringLiteral("left to the tree"))
            continue;
        ++plain;
        found += mine != QStringLiteral("[]");
        QVERIFY2(mine == select(path, document), (path + " on " + document + ": " + mine.toStdString() + ", tree " +
                                                  select(path, document).toStdString())
                                                     .c_str());
    }
    // Enough of both kinds, or the comparison says nothing
    QVERIFY2(plain > cases / 5 && plain < cases, std::to_string(plain).c_str());
    QVERIFY2(found > cases / 40, std::to_string(found).c_str());
}

void TestXPath::documents_data()
{
    QTest::addColumn<QString>("document");
    QTest::addColumn<QString>("expected"); // of //b
    const auto row = [](const char *document, const char *expected) {
        QTest::newRow(document) << QString::fromUtf8(document) << QString::fromUtf8(expected);
    };
    row("", "no document");
    row("text", "no document");
    row("{\"b\": 1}", "no document");
    row("<", "no document");
    row("<!-- only -->", "no document");
    // as far as it goes
    row("<a><b>1</b>", "[\"1\"]");
    row("<a><b>1</a>", "[\"1\"]");
    row("<a><b>1</b></c></a>", "[\"1\"]");
    row("<a><b>1</b></a> trailing", "[\"1\"]");
    row(" \n<a><b>1</b></a>", "[\"1\"]");
    row("\xEF\xBB\xBF<a><b>1</b></a>", "[\"1\"]");
    row("<?xml version='1.0' encoding='UTF-16'?><a><b>é</b></a>", "[\"é\"]");
    row("<?xml version='1.0' encoding='ISO-8859-1'?><a><b>é</b></a>", "[\"é\"]");
    row("<a><b>&lt;&#x41;</b></a>", "[\"<A\"]");
}

void TestXPath::documents()
{
    QFETCH(QString, document);
    QFETCH(QString, expected);
    QCOMPARE(select("//b", document.toStdString()), expected);
}

void TestXPath::errors_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("error");
    const auto row = [](const char *path, const char *error) {
        QTest::newRow(path) << QString::fromUtf8(path) << QString::fromUtf8(error);
    };
    row("", "character 1: expected an XPath 1.0 expression, such as //item/title");
    row("//a[", "character 5: expected an XPath 1.0 expression, such as //item/title");
    row("//a[1", "character 6: a predicate or parenthesis is not closed");
    row("'a", "character 3: this text is never closed");
    row("nothing(//a)", "a function is unknown; expected one of XPath 1.0");
    row("count()", "a function has the wrong number of arguments");
    row("count(1)", "a function or operator does not take this kind of value");
    row("document('/etc/passwd')", "a function is unknown; expected one of XPath 1.0");
}

void TestXPath::errors()
{
    QFETCH(QString, path);
    QFETCH(QString, error);
    const auto compiled = XPath::compile(path.toStdString(), {});
    QVERIFY(!compiled);
    QCOMPARE(QString::fromStdString(compiled.error().message), error);
}

void TestXPath::nothingFromOutside()
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("secret")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("secret");
    file.close();
    const std::string name = file.fileName().toStdString();
    const std::string external = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file://" + name + "\">]><a><b>&x;</b></a>";
    QVERIFY(!select("string(//b)", external).contains(QStringLiteral("secret")));
    QVERIFY(!select("//b", external).contains(QStringLiteral("secret")));
    QVERIFY(!select("string(//b)", "<!DOCTYPE a SYSTEM \"file://" + name + "\"><a><b>1</b></a>")
                 .contains(QStringLiteral("secret")));
    // entities of its own are not expanded: no billion laughs
    std::string laughs = "<!DOCTYPE a [<!ENTITY l0 \"ha\">";
    for (int i = 1; i < 12; ++i) {
        laughs += "<!ENTITY l" + std::to_string(i) + " \"";
        for (int k = 0; k < 10; ++k)
            laughs += "&l" + std::to_string(i - 1) + ";";
        laughs += "\">";
    }
    laughs += "]><a k='&l11;'><b>&l11;</b></a>";
    QElapsedTimer timer;
    timer.start();
    QVERIFY(!select("string(//b)", laughs).contains(QStringLiteral("ha")));
    QVERIFY(!select("string(//@k)", laughs).contains(QStringLiteral("haha")));
    QVERIFY(timer.elapsed() < 10'000);
}

void TestXPath::bombs_data()
{
    QTest::addColumn<QString>("path");
    for (const char *path :
         {"//*//*//*//*", "//*[.//*[.//*[.//*]]]", "count(//*/ancestor::*/descendant::*)",
          "//*[count(//*) > count(//*[count(//*) > 1])]", "//node()/following::node()/preceding::node()"})
        QTest::newRow(path) << QString::fromLatin1(path);
}

void TestXPath::bombs()
{
    QFETCH(QString, path);
    std::string nested, fewer;
    for (int i = 0; i < 300; ++i) {
        if (i == 60)
            fewer = nested;
        for (int depth = 0; depth < 80; ++depth)
            nested += "<e>";
        for (int depth = 0; depth < 80; ++depth)
            nested += "</e>";
    }
    std::string flat;
    for (int i = 0; i < 100'000; ++i)
        flat += "<e>x</e>";
    for (const std::string &document : {"<a>" + nested + "</a>", "<a>" + fewer + "</a>", "<a>" + flat + "</a>"}) {
        QElapsedTimer timer;
        timer.start();
        const QString answer = select(path.toStdString(), document);
        QVERIFY(!answer.isEmpty());
        qInfo("%lld ms, %s", timer.elapsed(), answer.left(20).toUtf8().constData());
        QVERIFY2(timer.elapsed() < 20'000, qPrintable(QString::number(timer.elapsed()))); // sanitizers take their time
    }
    QVERIFY(select(std::string(100'000, '('), "<a/>").startsWith(QStringLiteral("error: ")));
    QVERIFY(!select(QStringLiteral("/a").repeated(50'000).toStdString(), "<a/>").isEmpty());
}

void TestXPath::manyNames()
{
    // each document has names of its own: what the parser remembers of them must not add up
    for (int i = 0; i < 3000; ++i) {
        const std::string name = "n" + std::to_string(i) + std::string(500, 'x');
        QCOMPARE(select("//*", "<" + name + ">1</" + name + ">"), QStringLiteral("[\"1\"]"));
    }
}

void TestXPath::threadsShare()
{
    const auto path = XPath::compile("//n:b[count(../n:b) = 2]", {{"n", "u"}});
    QVERIFY(path);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&path, &wrong, t] {
            for (int i = 0; i < 500; ++i) {
                const std::string text = std::to_string(t * 1000 + i);
                const auto document = XmlDocument::parse("<a xmlns='u'><b>" + text + "</b><b>y</b></a>", false);
                std::uint64_t steps = XPath::stepLimit;
                const auto found = path->select(*document, steps);
                wrong += found && found->size() == 2 && (*found)[0].text() == text ? 0 : 1;
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    QCOMPARE(wrong.load(), 0);
}

QTEST_GUILESS_MAIN(TestXPath)
#include "tst_xpath.moc"
