// smtp imposters: the dialog byte by byte, real clients, hostile ones, and what the journal keeps.
#include "mock/smtpdialog.h"
#include "mockfixture.h"
#include "support/rawsocket.h"
#include "json/writer.h"

using namespace wardbench;
using mock::MailEnvelope;
using mock::SmtpDialog;
using test::imposter;
using test::RawSocket;
using test::RunningMock;

namespace {

struct Mails
{
    std::vector<std::pair<MailEnvelope, std::string>> list;
    SmtpDialog dialog{[this](MailEnvelope envelope, std::string mail) {
        list.emplace_back(std::move(envelope), std::move(mail));
    }};
};

ImposterPtr mailImposter()
{
    return imposter(R"({"protocol":"smtp","name":"mail"})");
}

const std::string wholeSession =
    "EHLO me\r\nMAIL FROM:<from@x.test> SIZE=10\r\nRCPT TO:<to@x.test>\r\nRCPT TO:<two@x.test>\r\n"
    "DATA\r\nSubject: s\r\n\r\n..dot\r\n.\r\n"
    "MAIL FROM:<>\r\nRCPT TO:<a@b>\r\nDATA\r\n.\r\nQUIT\r\n";

} // namespace

class TestSmtp final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sessionCutAtEveryByte();
    void replies_data();
    void replies();
    void onlyCrLfEndsAMail_data();
    void onlyCrLfEndsAMail();
    void limits();
    void curlSends();
    void recordsAndCounts();
    void withoutJournal();
    void clientThatLeaves();
    void stopCutsSessions();
};

void TestSmtp::sessionCutAtEveryByte()
{
    Mails whole;
    const std::string replies = whole.dialog.take(wholeSession);
    QCOMPARE(whole.list.size(), std::size_t(2));
    QCOMPARE(whole.list[0].first.from, std::string("from@x.test"));
    QCOMPARE(whole.list[0].first.to, (std::vector<std::string>{"to@x.test", "two@x.test"}));
    QCOMPARE(whole.list[0].second, std::string("Subject: s\r\n\r\n.dot\r\n"));
    QCOMPARE(whole.list[1].first.from, std::string());
    QCOMPARE(whole.list[1].second, std::string());
    QVERIFY(whole.dialog.over());
    QVERIFY(replies.find("250 OK: message queued\r\n") != std::string::npos);
    for (std::size_t cut = 0; cut <= wholeSession.size(); ++cut) {
        Mails split;
        std::string got = split.dialog.take(std::string_view(wholeSession).substr(0, cut));
        got += split.dialog.take(std::string_view(wholeSession).substr(cut));
        QCOMPARE(got, replies);
        QCOMPARE(split.list.size(), std::size_t(2));
        QCOMPARE(split.list[0].second, whole.list[0].second);
    }
    Mails bytewise;
    std::string got;
    for (const char c : wholeSession)
        got += bytewise.dialog.take(std::string_view(&c, 1));
    QCOMPARE(got, replies);
    QCOMPARE(bytewise.list[0].second, whole.list[0].second);
}

void TestSmtp::replies_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QByteArray>("code"); // how the last reply begins
    const QByteArray hello("HELO a\r\n");
    const QByteArray mail(hello + "MAIL FROM:<a@b>\r\n");
    QTest::newRow("EHLO") << QByteArray() << QByteArray("EHLO a") << QByteArray("250-localhost");
    QTest::newRow("HELO") << QByteArray() << QByteArray("helo a") << QByteArray("250 localhost");
    QTest::newRow("EHLO alone") << QByteArray() << QByteArray("EHLO") << QByteArray("501");
    QTest::newRow("MAIL first") << QByteArray() << QByteArray("MAIL FROM:<a@b>") << QByteArray("503");
    QTest::newRow("MAIL") << hello << QByteArray("mail from: <a@b> BODY=8BITMIME") << QByteArray("250");
    QTest::newRow("MAIL without brackets") << hello << QByteArray("MAIL FROM:a@b") << QByteArray("250");
    QTest::newRow("MAIL twice") << mail << QByteArray("MAIL FROM:<a@b>") << QByteArray("503");
    QTest::newRow("MAIL unfinished") << hello << QByteArray("MAIL FROM:<a@b") << QByteArray("501");
    QTest::newRow("RCPT first") << hello << QByteArray("RCPT TO:<a@b>") << QByteArray("503");
    QTest::newRow("RCPT") << mail << QByteArray("RCPT TO:<@relay.test:a@b>") << QByteArray("250");
    QTest::newRow("RCPT to nobody") << mail << QByteArray("RCPT TO:<>") << QByteArray("501");
    QTest::newRow("DATA without RCPT") << mail << QByteArray("DATA") << QByteArray("503");
    QTest::newRow("DATA") << mail + "RCPT TO:<c@d>\r\n" << QByteArray("DATA") << QByteArray("354");
    QTest::newRow("RSET") << mail << QByteArray("RSET") << QByteArray("250");
    QTest::newRow("after RSET") << mail + "RSET\r\n" << QByteArray("RCPT TO:<c@d>") << QByteArray("503");
    QTest::newRow("NOOP") << QByteArray() << QByteArray("NOOP") << QByteArray("250");
    QTest::newRow("VRFY") << QByteArray() << QByteArray("VRFY a") << QByteArray("252");
    QTest::newRow("QUIT") << QByteArray() << QByteArray("QUIT") << QByteArray("221");
    QTest::newRow("AUTH") << hello << QByteArray("AUTH PLAIN AAAA") << QByteArray("500");
    QTest::newRow("unknown") << QByteArray() << QByteArray("GET / HTTP/1.1") << QByteArray("500");
    QTest::newRow("LF alone") << QByteArray() << QByteArray("NOOP\n") << QByteArray("250");
}

void TestSmtp::replies()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, code);
    Mails mails;
    mails.dialog.take(before.toStdString());
    const std::string reply = mails.dialog.take(line.toStdString() + (line.endsWith('\n') ? "" : "\r\n"));
    QVERIFY2(reply.starts_with(code.toStdString()), reply.c_str());
    QVERIFY(reply.ends_with("\r\n"));
}

void TestSmtp::onlyCrLfEndsAMail_data()
{
    QTest::addColumn<QByteArray>("end");
    QTest::newRow("LF . LF") << QByteArray("\n.\n");
    QTest::newRow("LF . CRLF") << QByteArray("\n.\r\n");
    QTest::newRow("CRLF . LF") << QByteArray("\r\n.\n");
    QTest::newRow("CRLF . CR") << QByteArray("\r\n.\r");
}

void TestSmtp::onlyCrLfEndsAMail()
{
    QFETCH(QByteArray, end);
    Mails mails;
    mails.dialog.take("HELO a\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\n");
    mails.dialog.take("text" + end.toStdString() + "MAIL FROM:<evil@b>\r\n");
    QVERIFY(mails.list.empty()); // one mail, and no second one smuggled in
    mails.dialog.take(".\r\n");
    QCOMPARE(mails.list.size(), std::size_t(1));
    QCOMPARE(mails.list[0].first.from, std::string("a@b"));
}

void TestSmtp::limits()
{
    SmtpDialog::Limits limits;
    limits.line = 100;
    limits.mail = 1000;
    limits.recipients = 2;
    limits.mistakes = 4;
    int queued = 0;
    SmtpDialog dialog([&queued](MailEnvelope, std::string) { ++queued; }, limits);
    const std::string filler(400, 'x');
    QCOMPARE(dialog.take(filler), std::string()); // nothing is kept of it
    QVERIFY(dialog.take(filler + "\r\n").starts_with("500 "));
    dialog.take("HELO a\r\nMAIL FROM:<a@b>\r\nRCPT TO:<1@b>\r\nRCPT TO:<2@b>\r\n");
    QVERIFY(dialog.take("RCPT TO:<3@b>\r\n").starts_with("452 "));
    dialog.take("DATA\r\n" + filler + "\r\n" + filler + "\r\n");
    QVERIFY(dialog.take(filler + "\r\n.\r\n").starts_with("552 "));
    QCOMPARE(queued, 0);
    QVERIFY(
        dialog.take("MAIL FROM:<a@b>\r\nRCPT TO:<1@b>\r\nDATA\r\nok\r\n.\r\n").ends_with("250 OK: message queued\r\n"));
    QCOMPARE(queued, 1);
    QVERIFY(dialog.take("X\r\nX\r\nX\r\n").ends_with("421 Error: too many mistakes\r\n"));
    QVERIFY(dialog.over());
}

void TestSmtp::curlSends()
{
    const RunningMock mock(mailImposter());
    QCOMPARE(mock.service.status().front().urls.front(), "smtp://127.0.0.1:" + std::to_string(mock.port));
    QTemporaryFile mail;
    QVERIFY(mail.open());
    mail.write("From: Ann <ann@x.test>\nTo: Bob <bob@x.test>\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\n\nHello\n.\nend\n");
    mail.close();
    QProcess curl;
    curl.start(QStringLiteral("curl"),
               {QStringLiteral("-sS"), QStringLiteral("--max-time"), QStringLiteral("10"), QStringLiteral("--noproxy"),
                QStringLiteral("*"), QStringLiteral("--crlf"), QStringLiteral("smtp://127.0.0.1:%1").arg(mock.port),
                QStringLiteral("--mail-from"), QStringLiteral("env@x.test"), QStringLiteral("--mail-rcpt"),
                QStringLiteral("bob@x.test"), QStringLiteral("-T"), mail.fileName()});
    QVERIFY(curl.waitForFinished());
    const QByteArray errors = curl.readAllStandardError();
    QVERIFY2(curl.exitCode() == 0, errors);
    const auto entries = mock.journal();
    QCOMPARE(entries.size(), std::size_t(1));
    const json::Value &message = entries.front()->message;
    QCOMPARE(message["envelopeFrom"].text(), std::string("env@x.test"));
    QCOMPARE(message["subject"].text(), std::string("Gr\xc3\xbc\xc3\x9f"
                                                    "e"));
    QCOMPARE(message["text"].text(), std::string("Hello\n.\nend"));
    QCOMPARE(message["from"]["name"].text(), std::string("Ann"));
}

void TestSmtp::recordsAndCounts()
{
    const RunningMock mock(mailImposter());
    RawSocket client(mock.port);
    QVERIFY(client.read(4).starts_with("220 "));
    client.send(wholeSession);
    const std::string replies = client.read();
    QVERIFY(replies.ends_with("221 Bye\r\n"));
    QCOMPARE(client.end(), RawSocket::End::Fin);
    QCOMPARE(mock.counters().received, std::uint64_t(2));
    const auto entries = mock.journal();
    QCOMPARE(entries.size(), std::size_t(2));
    QCOMPARE(entries[0]->sequence, std::uint64_t(1));
    QVERIFY(entries[0]->delivered);
    QVERIFY(entries[0]->reply.isNull());
    QCOMPARE(entries[0]->requestBodySize, std::uint64_t(std::string_view("Subject: s\r\n\r\n.dot\r\n").size()));
    QCOMPARE(json::writeCompact(entries[0]->message["envelopeTo"]), std::string(R"(["to@x.test","two@x.test"])"));
    QCOMPARE(entries[0]->message["ip"].text(), std::string("127.0.0.1"));
    QCOMPARE(entries[0]->message["requestFrom"].text(), entries[0]->client);
    QCOMPARE(entries[0]->message["text"].text(), std::string(".dot"));
}

void TestSmtp::withoutJournal()
{
    StartOptions options;
    options.journal = false;
    const RunningMock mock(mailImposter(), options);
    RawSocket client(mock.port);
    client.send(wholeSession);
    client.read();
    QCOMPARE(mock.counters().received, std::uint64_t(2));
    QVERIFY(mock.journal().empty());
}

void TestSmtp::clientThatLeaves()
{
    const RunningMock mock(mailImposter());
    const std::string part = "HELO a\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\nhalf a ma";
    for (std::size_t size = 0; size <= part.size(); ++size) {
        RawSocket client(mock.port);
        client.send(std::string_view(part).substr(0, size));
        if (size % 2)
            client.reset();
    }
    QTRY_COMPARE(mock.counters().connections, std::uint64_t(part.size() + 1));
    QTRY_COMPARE(mock.counters().openConnections, std::uint64_t(0));
    QCOMPARE(mock.counters().received, std::uint64_t(0));
}

void TestSmtp::stopCutsSessions()
{
    RunningMock mock(mailImposter());
    RawSocket client(mock.port);
    client.read(4);
    mock.service.stop(mock.id);
    client.read();
    QVERIFY(client.end() != RawSocket::End::Open);
}

QTEST_GUILESS_MAIN(TestSmtp)
#include "tst_smtp.moc"
