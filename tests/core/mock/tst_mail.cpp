// Reading mails: header text, addresses, parameters, parts. Expected values are from the RFCs and mailparser's shape.
#include "mock/mailmessage.h"
#include "mock/mailtext.h"
#include "mock/wiretext.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

using namespace wardbench;
using namespace wardbench::mock;

namespace {

std::string crlf(QByteArray text)
{
    return text.replace("\n", "\r\n").toStdString();
}

json::Value read(const QByteArray &mail)
{
    return mailJson({"127.0.0.1:5000", "sender", {"one", "two"}}, crlf(mail));
}

} // namespace

class TestMail final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void base64();
    void encodedWords_data();
    void encodedWords();
    void addresses_data();
    void addresses();
    void parameters_data();
    void parameters();
    void quotedPrintable_data();
    void quotedPrintable();
    void plainMail();
    void alternatives();
    void attachments();
    void charsets();
    void priority_data();
    void priority();
    void brokenMails_data();
    void brokenMails();
    void deepNesting();
};

void TestMail::base64()
{
    // RFC 4648 section 10
    const std::pair<const char *, const char *> vectors[]{{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
    for (const auto &[bytes, text] : vectors) {
        QCOMPARE(encodeBase64(bytes), std::string(text));
        QCOMPARE(decodeBase64(text), std::string(bytes));
    }
}

void TestMail::encodedWords_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QString>("text");
    // RFC 2047 section 8
    QTest::newRow("q") << QByteArray("=?ISO-8859-1?Q?a?=") << QStringLiteral("a");
    QTest::newRow("word and text") << QByteArray("=?ISO-8859-1?Q?a?= b") << QStringLiteral("a b");
    QTest::newRow("two words") << QByteArray("=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=") << QStringLiteral("ab");
    QTest::newRow("blanks between") << QByteArray("=?ISO-8859-1?Q?a?=  =?ISO-8859-1?Q?b?=") << QStringLiteral("ab");
    QTest::newRow("underscore") << QByteArray("=?ISO-8859-1?Q?a_b?=") << QStringLiteral("a b");
    QTest::newRow("Latin-1") << QByteArray("=?ISO-8859-1?Q?Andr=E9?= Pirard") << QStringLiteral("Andr\u00e9 Pirard");
    QTest::newRow("base64") << QByteArray("=?utf-8?B?4pyTIGRvbmU=?=") << QStringLiteral("\u2713 done");
    QTest::newRow("language") << QByteArray("=?utf-8*en?Q?x?=") << QStringLiteral("x");
    QTest::newRow("not one") << QByteArray("a =?b? c") << QStringLiteral("a =?b? c");
    QTest::newRow("unknown coding") << QByteArray("=?utf-8?X?a?=") << QStringLiteral("=?utf-8?X?a?=");
    QTest::newRow("raw UTF-8") << QByteArray("gr\xc3\xbc\xc3\x9f") << QStringLiteral("gr\u00fc\u00df");
}

void TestMail::encodedWords()
{
    QFETCH(QByteArray, header);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(decodeEncodedWords(header.toStdString())), text);
}

void TestMail::addresses_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArray>("list"); // "name|address" each, separated by a semicolon
    QTest::newRow("bare") << QByteArray("a@b.c") << QByteArray("|a@b.c");
    QTest::newRow("angle") << QByteArray("<a@b.c>") << QByteArray("|a@b.c");
    QTest::newRow("name") << QByteArray("Ann Bee <a@b.c>") << QByteArray("Ann Bee|a@b.c");
    QTest::newRow("quoted") << QByteArray("\"Bee, \\\"Ann\\\"\" <a@b.c>") << QByteArray("Bee, \"Ann\"|a@b.c");
    QTest::newRow("comment") << QByteArray("a@b.c (Ann (the one))") << QByteArray("Ann (the one)|a@b.c");
    QTest::newRow("several") << QByteArray("A <a@b.c>, d@e.f,\"G\" <g@h.i>") << QByteArray("A|a@b.c;|d@e.f;G|g@h.i");
    QTest::newRow("group") << QByteArray("Team: a@b.c, D <d@e.f>;, g@h.i") << QByteArray("|a@b.c;D|d@e.f;|g@h.i");
    QTest::newRow("encoded") << QByteArray("=?utf-8?Q?J=C3=BCrgen?= <j@b.c>") << QByteArray("J\xc3\xbcrgen|j@b.c");
    QTest::newRow("name only") << QByteArray("undisclosed") << QByteArray("undisclosed|");
    QTest::newRow("unfinished") << QByteArray("\"A <a@b.c") << QByteArray("|A <a@b.c");
    QTest::newRow("empty") << QByteArray(" , ;") << QByteArray();
}

void TestMail::addresses()
{
    QFETCH(QByteArray, header);
    QFETCH(QByteArray, list);
    QByteArray found;
    for (const MailAddress &one : parseMailAddresses(header.toStdString()))
        found += (found.isEmpty() ? "" : ";") + QByteArray::fromStdString(one.name + '|' + one.address);
    QCOMPARE(found, list);
}

void TestMail::parameters_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("value");
    QTest::newRow("plain") << QByteArray("Text/Plain; Charset=UTF-8") << QByteArray("charset") << QByteArray("UTF-8");
    QTest::newRow("quoted") << QByteArray("a/b; boundary=\"x;y=\\\"z\"; c=d") << QByteArray("boundary")
                            << QByteArray("x;y=\"z");
    QTest::newRow("after quoted") << QByteArray("a/b; boundary=\"x;y\" ; c=d") << QByteArray("c") << QByteArray("d");
    QTest::newRow("absent") << QByteArray("a/b; c=d") << QByteArray("e") << QByteArray();
    // RFC 2231 sections 3 and 4
    QTest::newRow("continued") << QByteArray("a/b; url*0=\"ftp://\"; url*1=\"cs.example/x\"") << QByteArray("url")
                               << QByteArray("ftp://cs.example/x");
    QTest::newRow("coded") << QByteArray("a/b; title*=iso-8859-1'en'%A3%20rates") << QByteArray("title")
                           << QByteArray("\xc2\xa3 rates");
    QTest::newRow("both") << QByteArray("a/b; t*0*=us-ascii'en'This%20is%20; t*1*=%2A%2Afun; t*2=\" it!\"")
                          << QByteArray("t") << QByteArray("This is **fun it!");
}

void TestMail::parameters()
{
    QFETCH(QByteArray, header);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, value);
    QCOMPARE(parseMailParameters(header.toStdString()).find(name.toStdString()), value.toStdString());
}

void TestMail::quotedPrintable_data()
{
    QTest::addColumn<QByteArray>("coded");
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("soft break") << QByteArray("Now=\r\n is") << QByteArray("Now is");
    QTest::newRow("hard break") << QByteArray("a\r\nb") << QByteArray("a\r\nb");
    QTest::newRow("octets") << QByteArray("=C3=BC=3d") << QByteArray("\xc3\xbc=");
    QTest::newRow("blanks at the end") << QByteArray("a  \r\nb\t") << QByteArray("a\r\nb");
    QTest::newRow("soft break with blank") << QByteArray("a= \r\nb") << QByteArray("ab");
    QTest::newRow("broken escape") << QByteArray("a=ZZ=4") << QByteArray("a=ZZ=4");
}

void TestMail::quotedPrintable()
{
    QFETCH(QByteArray, coded);
    QFETCH(QByteArray, bytes);
    QCOMPARE(decodeQuotedPrintable(coded.toStdString()), bytes.toStdString());
}

void TestMail::plainMail()
{
    const json::Value mail = read("From: \"From\" <from@mb.org>\nTo: \"To1\" <to1@mb.org>, \"To2\" <to2@mb.org>\n"
                                  "CC: \"CC1\" <cc1@mb.org>\nBcc: bcc1@mb.org\nSubject: Subject\n"
                                  "References: <a@b>\n <c@d>\nIn-Reply-To: <e@f>\n\nBody\nsecond\n\n");
    const auto wanted = json::parse(
        R"({"requestFrom":"127.0.0.1:5000","ip":"127.0.0.1","envelopeFrom":"sender","envelopeTo":["one","two"],
            "from":{"address":"from@mb.org","name":"From"},
            "to":[{"address":"to1@mb.org","name":"To1"},{"address":"to2@mb.org","name":"To2"}],
            "cc":[{"address":"cc1@mb.org","name":"CC1"}],"bcc":[{"address":"bcc1@mb.org","name":""}],
            "subject":"Subject","priority":"normal","references":["<a@b>","<c@d>"],"inReplyTo":["<e@f>"],
            "text":"Body\nsecond","html":"","attachments":[]})");
    QCOMPARE(json::writeCompact(mail), json::writeCompact(std::get<json::Value>(wanted)));
}

void TestMail::alternatives()
{
    const json::Value mail =
        read("From: a@b.c\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=\"==x\"\n\n"
             "preamble\n--==x\nContent-Type: text/plain; charset=utf-8\n"
             "Content-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe\n--==x\n"
             "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGI+aGk8\nL2I+\n"
             "--==x--\nepilogue\n");
    QCOMPARE(mail["text"].text(), std::string("Gr\xc3\xbc\xc3\x9f"
                                              "e"));
    QCOMPARE(mail["html"].text(), std::string("<b>hi</b>"));
    QCOMPARE(mail["attachments"].size(), std::size_t(0));
}

void TestMail::attachments()
{
    const json::Value mail = read(
        "From: a@b.c\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nthe text\n--b\n"
        "Content-Type: application/octet-stream; name=\"a.bin\"\nContent-Transfer-Encoding: base64\n\nAAEC/w==\n--b\n"
        "Content-Type: text/plain\nContent-Disposition: attachment; filename*=utf-8''%C3%BC.txt\n"
        "Content-ID: <one>\n\nnot the text\n--b--\n");
    QCOMPARE(mail["text"].text(), std::string("the text"));
    const json::Value &list = mail["attachments"];
    QCOMPARE(list.size(), std::size_t(2));
    QCOMPARE(
        json::writeCompact(list.at(0)),
        std::string(R"({"filename":"a.bin","contentType":"application/octet-stream","contentDisposition":"attachment",)"
                    R"("size":4,"content":"AAEC/w=="})"));
    QCOMPARE(list.at(1)["filename"].text(), std::string("\xc3\xbc.txt"));
    QCOMPARE(list.at(1)["contentId"].text(), std::string("<one>"));
    QCOMPARE(list.at(1)["content"].text(), encodeBase64("not the text"));
}

void TestMail::charsets()
{
    QCOMPARE(read("Content-Type: text/plain; charset=iso-8859-15\n\n\xA4")["text"].text(), std::string("\xe2\x82\xac"));
    QCOMPARE(read("Content-Type: text/plain; charset=no-such\n\nok")["text"].text(), std::string("ok"));
    QCOMPARE(read("\na\xFF"
                  "b")["text"]
                 .text(),
             std::string("a\xEF\xBF\xBD"
                         "b"));
    QCOMPARE(read("Content-Type: text/plain; charset=shift_jis\n\n\x93\xfa")["text"].text(),
             std::string("\xe6\x97\xa5"));
}

void TestMail::priority_data()
{
    QTest::addColumn<QByteArray>("header");
    QTest::addColumn<QByteArray>("priority");
    QTest::newRow("X 1") << QByteArray("X-Priority: 1 (Highest)\n") << QByteArray("high");
    QTest::newRow("X 3") << QByteArray("X-Priority: 3\n") << QByteArray("normal");
    QTest::newRow("X 5") << QByteArray("X-Priority: 5\n") << QByteArray("low");
    QTest::newRow("importance") << QByteArray("Importance: High\n") << QByteArray("high");
    QTest::newRow("priority") << QByteArray("Priority: non-urgent\n") << QByteArray("low");
    QTest::newRow("none") << QByteArray() << QByteArray("normal");
}

void TestMail::priority()
{
    QFETCH(QByteArray, header);
    QFETCH(QByteArray, priority);
    QCOMPARE(read(header + "\nx")["priority"].text(), priority.toStdString());
}

void TestMail::brokenMails_data()
{
    QTest::addColumn<QByteArray>("mail");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray() << QByteArray();
    QTest::newRow("no header") << QByteArray("\nonly text") << QByteArray("only text");
    QTest::newRow("no body") << QByteArray("Subject: x") << QByteArray();
    QTest::newRow("header without colon") << QByteArray("nonsense\nSubject: x\n\ny") << QByteArray("y");
    QTest::newRow("fold first") << QByteArray(" x\nSubject: x\n\ny") << QByteArray("y");
    QTest::newRow("no last boundary") << QByteArray("Content-Type: multipart/mixed; boundary=b\n\n--b\n\ny")
                                      << QByteArray("y");
    QTest::newRow("no boundary at all") << QByteArray("Content-Type: multipart/mixed; boundary=b\n\ny") << QByteArray();
    QTest::newRow("boundary not named") << QByteArray("Content-Type: multipart/mixed\n\ny") << QByteArray();
    QTest::newRow("longer boundary") << QByteArray(
                                            "Content-Type: multipart/mixed; boundary=b\n\n--b\n\ny\n--bb\nz\n--b--")
                                     << QByteArray("y\n--bb\nz");
}

void TestMail::brokenMails()
{
    QFETCH(QByteArray, mail);
    QFETCH(QByteArray, text);
    QCOMPARE(read(mail)["text"].text(), text.toStdString());
}

void TestMail::deepNesting()
{
    QByteArray mail;
    for (int i = 0; i < 5000; ++i)
        mail += "Content-Type: multipart/mixed; boundary=b" + QByteArray::number(i) + "\n\n--b" +
                QByteArray::number(i) + "\n";
    read(mail + "\nx"); // neither deep recursion nor long
    QByteArray parts = "Content-Type: multipart/mixed; boundary=b\n\n";
    for (int i = 0; i < 50'000; ++i)
        parts += "--b\n\nx\n";
    QVERIFY(read(parts)["text"].text().size() < 3000);
}

QTEST_GUILESS_MAIN(TestMail)
#include "tst_mail.moc"
