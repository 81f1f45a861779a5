// QtTransport over TLS against Node: HTTP/2 when it is asked for and the server speaks it, certificates.
#include "io/selfsigned.h"
#include "transport/qttransport.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <optional>

using namespace wardbench;

namespace {

constexpr int patience = 20'000; // ms

/// Answers with the version of HTTP that it was asked in.
const QString script =
    QStringLiteral("const fs = require('fs'), [key, cert, only] = process.argv.slice(1);"
                   "const options = { key: fs.readFileSync(key), cert: fs.readFileSync(cert), allowHTTP1: true };"
                   "const answer = (request, response) => response.end('HTTP/' + request.httpVersion);"
                   "const server = only === 'old' ? require('https').createServer(options, answer)"
                   "  : require('http2').createSecureServer(options, answer);"
                   "server.listen(0, '127.0.0.1', () => console.log(server.address().port));");

void write(const QString &path, const std::string &text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(text)) < 0)
        qFatal("cannot write %s", qPrintable(path));
}

} // namespace

class TestQtHttp2 : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const auto made = io::makeSelfSigned(std::chrono::system_clock::now());
        QVERIFY(bool(made));
        m_certificate = made->certificate;
        write(m_folder.filePath(QStringLiteral("key.pem")), made->key);
        write(m_folder.filePath(QStringLiteral("cert.pem")), made->certificate);
    }

    void versions_data()
    {
        QTest::addColumn<bool>("http2");
        QTest::addColumn<bool>("oldServer");
        QTest::addColumn<QString>("body");
        QTest::newRow("asked for") << true << false << QStringLiteral("HTTP/2.0");
        QTest::newRow("not asked for") << false << false << QStringLiteral("HTTP/1.1");
        QTest::newRow("the server does not know it") << true << true << QStringLiteral("HTTP/1.1");
    }
    void versions()
    {
        QFETCH(bool, http2);
        QFETCH(bool, oldServer);
        QtTransportSettings settings;
        settings.http2 = http2;
        settings.verify = false;
        const Reply reply = ask(settings, oldServer);
        QVERIFY2(!reply.failed(), reply.errorText.c_str());
        QTEST(QString::fromStdString(reply.response->body), "body");
    }

    void certificates()
    {
        QtTransportSettings settings;
        QCOMPARE(ask(settings, false).error, TransportError::Tls);
        settings.ca = {m_certificate};
        const Reply trusted = ask(settings, false);
        QVERIFY2(!trusted.failed(), trusted.errorText.c_str());
    }

private:
    Reply ask(const QtTransportSettings &settings, bool oldServer)
    {
        QProcess node;
        node.start(QStringLiteral("node"),
                   {QStringLiteral("-e"), script, m_folder.filePath(QStringLiteral("key.pem")),
                    m_folder.filePath(QStringLiteral("cert.pem")), oldServer ? QStringLiteral("old") : QString()});
        while (!node.canReadLine() && node.waitForReadyRead(patience)) {
        }
        auto request = std::make_shared<ClientRequest>();
        request->scheme = "https";
        request->host = "127.0.0.1";
        request->port = node.readLine().trimmed().toUShort();
        std::optional<Reply> outcome;
        {
            QtTransport transport(settings);
            transport.send(request, [&outcome](const Reply &reply) { outcome = reply; });
            static_cast<void>(QTest::qWaitFor([&outcome] { return outcome.has_value(); }, patience));
        }
        node.kill();
        node.waitForFinished(patience);
        return outcome.value_or(Reply());
    }

    QTemporaryDir m_folder;
    std::string m_certificate;
};

QTEST_GUILESS_MAIN(TestQtHttp2)
#include "tst_qthttp2.moc"
