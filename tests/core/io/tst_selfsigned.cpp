// The certificate of this machine: what is in it, where it is kept, when it is renewed.
#include "io/opensslhandles.h"
#include "io/selfsigned.h"

#include <openssl/x509v3.h>

#include <QTemporaryDir>
#include <QtTest>

using namespace wardbench;
using namespace std::chrono_literals;

class TestSelfSigned final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void names();
    void time();
    void keptForTheUserAlone();
    void renewed_data();
    void renewed();
    void brokenFileIsReplaced();
    void folderThatCannotBeWritten();

private:
    static std::string path(const QTemporaryDir &folder) { return folder.path().toStdString() + "/tls"; }
    const std::chrono::system_clock::time_point m_now = std::chrono::system_clock::now();
};

void TestSelfSigned::names()
{
    const auto made = io::makeSelfSigned(m_now);
    QVERIFY(made);
    const auto list = io::readCertificates(made->certificate);
    QCOMPARE(list.size(), std::size_t(1));
    X509 *certificate = list.front().get();
    QCOMPARE(X509_check_host(certificate, "localhost", 0, 0, nullptr), 1);
    QCOMPARE(X509_check_ip_asc(certificate, "127.0.0.1", 0), 1);
    QCOMPARE(X509_check_ip_asc(certificate, "::1", 0), 1);
    QCOMPARE(X509_check_host(certificate, "example.com", 0, 0, nullptr), 0);
    QCOMPARE(X509_verify(certificate, X509_get0_pubkey(certificate)), 1);
    const io::KeyPtr key = io::readKey(made->key);
    QVERIFY(key);
    QCOMPARE(EVP_PKEY_get_base_id(key.get()), EVP_PKEY_EC);
    QCOMPARE(EVP_PKEY_get_bits(key.get()), 256);
}

void TestSelfSigned::time()
{
    const auto made = io::makeSelfSigned(m_now);
    const auto list = io::readCertificates(made->certificate);
    int days = 0;
    int seconds = 0;
    QCOMPARE(ASN1_TIME_diff(&days, &seconds, X509_get0_notBefore(list[0].get()), X509_get0_notAfter(list[0].get())), 1);
    QVERIFY2(days < 90 || (days == 90 && seconds == 0), QByteArray::number(days));
    QVERIFY(days >= 89);
}

void TestSelfSigned::keptForTheUserAlone()
{
    QTemporaryDir folder;
    const auto first = io::machineCertificate(path(folder), m_now);
    QVERIFY(first);
    const QString file = folder.path() + QStringLiteral("/tls/localhost.pem");
    const auto others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
    QVERIFY(QFile::exists(file));
    QVERIFY(!(QFile::permissions(file) & others));
    const auto second = io::machineCertificate(path(folder), m_now);
    QVERIFY(second);
    QVERIFY(second->certificate.find(first->certificate) != std::string::npos);
    QCOMPARE(QDir(folder.path() + QStringLiteral("/tls")).entryList(QDir::Files).size(), 1);
}

void TestSelfSigned::renewed_data()
{
    QTest::addColumn<int>("days");
    QTest::addColumn<bool>("renewed");
    QTest::newRow("next day") << 1 << false;
    QTest::newRow("80 days on") << 80 << false;
    QTest::newRow("85 days on") << 85 << true;
    QTest::newRow("a year on") << 365 << true;
    QTest::newRow("clock set back") << -2 << true;
}

void TestSelfSigned::renewed()
{
    QFETCH(int, days);
    QFETCH(bool, renewed);
    QTemporaryDir folder;
    const auto first = io::machineCertificate(path(folder), m_now);
    const auto later = io::machineCertificate(path(folder), m_now + 24h * days);
    QVERIFY(first && later);
    QCOMPARE(later->certificate.find(first->certificate) == std::string::npos, renewed);
}

void TestSelfSigned::brokenFileIsReplaced()
{
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("tls")));
    QFile file(folder.path() + QStringLiteral("/tls/localhost.pem"));
    QVERIFY(file.open(QFile::WriteOnly));
    file.write("-----BEGIN PRIVATE KEY-----\nnot one\n");
    file.close();
    const auto made = io::machineCertificate(path(folder), m_now);
    QVERIFY(made);
    const auto again = io::machineCertificate(path(folder), m_now);
    QVERIFY(again->certificate.find(made->certificate) != std::string::npos);
}

void TestSelfSigned::folderThatCannotBeWritten()
{
    QVERIFY(io::machineCertificate("/proc/nowhere", m_now));
}

QTEST_GUILESS_MAIN(TestSelfSigned)
#include "tst_selfsigned.moc"
