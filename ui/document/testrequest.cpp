#include "document/testrequest.h"

#include <QNetworkProxy>
#include <QNetworkReply>
#include <QNetworkRequest>

#include <algorithm>
#include <chrono>

namespace wardbench {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

QNetworkRequest networkRequest(const QString &base, const ExampleRequest &example)
{
    QNetworkRequest request(QUrl(base + QString::fromStdString(example.path), QUrl::TolerantMode));
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setRawHeader("User-Agent", "wardbench/" WARDBENCH_VERSION);
    request.setRawHeader("Accept", "*/*");
    request.setRawHeader("Accept-Encoding", "identity");
    request.setRawHeader("Accept-Language", "*");
    if (!example.body.empty())
        request.setHeader(QNetworkRequest::ContentTypeHeader,
                          example.body.front() == '{' || example.body.front() == '[' ? u"application/json"_s : u"text/plain"_s);
    for (const auto &[name, value] : example.headers)
        request.setRawHeader(QByteArray::fromStdString(name), QByteArray::fromStdString(value));
    return request;
}

} // namespace

TestRequest::TestRequest(MockController *mocks, QObject *parent) : QObject(parent), m_mocks(mocks)
{
    m_network.setProxy(QNetworkProxy::NoProxy);
    m_retry.setInterval(20ms);
    connect(&m_retry, &QTimer::timeout, this, &TestRequest::retry);
    connect(mocks, &MockController::journalArrived, this,
            [this](quint64 mock, const QVector<JournalEntryPtr> &entries) { look(mock, entries); });
}

bool TestRequest::send(quint64 mock, const ExampleRequest &example)
{
    if (!m_mocks->start(mock))
        return false;
    Pending pending;
    pending.mock = mock;
    pending.since = std::chrono::system_clock::now();
    pending.method = example.method;
    pending.target = example.path;
    const quint64 ticket = m_nextTicket++;
    m_pending.emplace_back(ticket, pending);
    QNetworkReply *reply = m_network.sendCustomRequest(networkRequest(m_mocks->state(mock).url, example),
                                                       QByteArray::fromStdString(example.method),
                                                       QByteArray::fromStdString(example.body));
    connect(reply, &QNetworkReply::finished, this, [this, reply, ticket] {
        const bool answer = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).isValid();
        replied(ticket, answer ? QString() : reply->errorString());
        reply->deleteLater();
    });
    return true;
}

void TestRequest::replied(quint64 ticket, const QString &error)
{
    const auto found = std::find_if(m_pending.begin(), m_pending.end(), [&](const auto &p) { return p.first == ticket; });
    if (found == m_pending.end())
        return; // the journal was faster
    if (!error.isEmpty()) {
        m_pending.erase(found);
        Q_EMIT failed(tr("The test request got no answer: %1").arg(error));
        return;
    }
    found->second.replied = true;
    m_mocks->poll();
    if (!m_pending.empty())
        m_retry.start();
}

void TestRequest::look(quint64 mock, const QVector<JournalEntryPtr> &entries)
{
    for (const JournalEntryPtr &entry : entries) {
        const auto found = std::find_if(m_pending.begin(), m_pending.end(), [&](const auto &pending) {
            const Pending &p = pending.second;
            return p.mock == mock && entry->time >= p.since && entry->request.method == p.method
                && entry->request.target == p.target;
        });
        if (found == m_pending.end())
            continue;
        m_pending.erase(found);
        // Later, when every other listener of this batch (the journal's rows) has it.
        QMetaObject::invokeMethod(this, [this, mock, entry] { Q_EMIT answered(mock, entry); }, Qt::QueuedConnection);
    }
    if (m_pending.empty())
        m_retry.stop();
}

// The client may have the last byte a moment before the journal has the entry.
void TestRequest::retry()
{
    for (auto &[ticket, pending] : m_pending)
        pending.polls += pending.replied ? 1 : 0;
    m_mocks->poll();
    const std::size_t before = m_pending.size();
    std::erase_if(m_pending, [](const auto &pending) { return pending.second.polls > 50; });
    if (m_pending.size() != before)
        Q_EMIT failed(tr("The answer came, but the journal did not keep the request."));
    if (std::none_of(m_pending.begin(), m_pending.end(), [](const auto &pending) { return pending.second.replied; }))
        m_retry.stop();
}

} // namespace wardbench
