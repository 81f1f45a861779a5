#include "exchange/xmltree.h"

#include <QtTest>

using namespace wardbench;
using exchange::parseXml;
using exchange::writeXml;
using exchange::XmlElement;
using exchange::XmlLimits;

class XmlTreeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads()
    {
        const auto root =
            parseXml("<?xml version=\"1.0\"?>\n<a b=\"&lt;1&#10;2\">x<!-- no -->y\n<c/><d><![CDATA[<&]]></d></a>");
        QVERIFY2(bool(root), root ? "" : root.error().message.c_str());
        QCOMPARE(root->name, std::string("a"));
        QCOMPARE(root->attribute("b"), std::string_view("<1\n2"));
        QCOMPARE(root->text, std::string("xy\n"));
        QCOMPARE(root->children.size(), std::size_t(2));
        QCOMPARE(root->child("d")->text, std::string("<&"));
        QCOMPARE(root->child("d")->line, 3);
    }

    void writesWhatItReads_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("markup") << QByteArray("<a b=\"&lt;&quot;&amp;\">&lt;&gt;&amp;\"</a>");
        QTest::newRow("line ends") << QByteArray("<a b=\"1&#10;2&#9;\">a&#xd;\nb</a>");
        QTest::newRow("nested") << QByteArray("<a><b c=\"d\"><e>\xC3\xA4</e></b><b/></a>");
    }
    void writesWhatItReads()
    {
        QFETCH(const QByteArray, text);
        const auto first = parseXml(text.toStdString());
        QVERIFY(bool(first));
        const auto second = parseXml(writeXml(*first));
        QVERIFY(bool(second));
        // Blanks between elements are the layout's.
        QCOMPARE(writeXml(*second), writeXml(*first));
        if (first->children.empty())
            QVERIFY(*first == *second);
    }

    void refuses_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        QByteArray laughs = "<?xml version=\"1.0\"?>\n<!DOCTYPE l [<!ENTITY a \"lol\">";
        for (char c = 'b'; c <= 'j'; ++c)
            laughs += QByteArray("<!ENTITY ") + c + " \"" + (QByteArray("&") + char(c - 1) + ";").repeated(10) + "\">";
        QTest::newRow("billion laughs") << laughs + "]>\n<l>&j;</l>" << QByteArray("line 2, column");
        QTest::newRow("external entity") << QByteArray(
                                                "<!DOCTYPE r [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><r>&x;</r>")
                                         << QByteArray("document type");
        QTest::newRow("external subset") << QByteArray("<!DOCTYPE r SYSTEM \"http://127.0.0.1:1/x.dtd\"><r/>")
                                         << QByteArray("document type");
        QTest::newRow("entity") << QByteArray("<r>&nobody;</r>") << QByteArray("line 1, column");
        QTest::newRow("cut") << QByteArray("<a>\n <b>\n  <c") << QByteArray("line 3, column");
        QTest::newRow("not closed") << QByteArray("<a><b></a>") << QByteArray("not well-formed");
        QTest::newRow("two roots") << QByteArray("<a/><b/>") << QByteArray("not well-formed");
        QTest::newRow("empty") << QByteArray() << QByteArray("line 1, column 1: not well-formed");
        QTest::newRow("no XML") << QByteArray("{\"a\":1}") << QByteArray("line 1, column");
        QTest::newRow("broken UTF-8") << QByteArray("<a>\n\xC3\x28</a>") << QByteArray("line 2, column");
        QTest::newRow("overlong UTF-8") << QByteArray("<a>\xC0\x80</a>") << QByteArray("line 1, column");
        QTest::newRow("control character") << QByteArray("<a>\x01</a>") << QByteArray("line 1, column");
        QTest::newRow("deep") << QByteArray("<a>").repeated(300) << QByteArray("deeper than 256");
        QTest::newRow("very deep") << QByteArray("<a>").repeated(1'000'000) << QByteArray("deeper than 256");
        QTest::newRow("long name") << QByteArray("<" + QByteArray("n").repeated(1025) + "/>")
                                   << QByteArray("1025 bytes");
        QTest::newRow("long attribute name")
            << QByteArray("<a " + QByteArray("n").repeated(5000) + "='1'/>") << QByteArray("5000 bytes");
        QTest::newRow("prefix of 4096") << QByteArray("<" + QByteArray("p").repeated(4096) + ":n/>")
                                        << QByteArray("bytes");
        QTest::newRow("a million elements") << QByteArray("<a>" + QByteArray("<b/>").repeated(1'000'000) + "</a>")
                                            << QByteArray("more than 1000000 elements");
    }
    void refuses()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, message);
        const auto root = parseXml({text.constData(), static_cast<std::size_t>(text.size())});
        QVERIFY(!root);
        QVERIFY2(root.error().message.find(message.toStdString()) != std::string::npos, root.error().message.c_str());
        QVERIFY2(root.error().message.starts_with("line "), root.error().message.c_str());
        QVERIFY(root.error().message.size() < 300);
    }

    void limitsAreTheCallers()
    {
        XmlLimits limits;
        limits.bytes = 10;
        QVERIFY(!parseXml("<abcdefghijk/>", limits));
        limits = {};
        limits.elements = 2;
        QVERIFY(bool(parseXml("<a><b/></a>", limits)));
        QVERIFY(!parseXml("<a><b/><b/></a>", limits));
        limits = {};
        limits.time = std::chrono::milliseconds(-1);
        const auto late = parseXml("<a/>", limits);
        QVERIFY(!late && late.error().message.find("takes more than") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(XmlTreeTest)
#include "tst_xmltree.moc"
