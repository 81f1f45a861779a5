#include "transport/qttransport.h"

#include "transport/qtreply.h"

#include <QBasicTimer>
#include <QCoreApplication>
#include <QEvent>
#include <QHash>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTimerEvent>

#include <algorithm>
#include <list>
#include <vector>

namespace wardbench {
namespace {

constexpr int connectionsPerManager = 6; // fixed in Qt 6.4

/// No proxy, said in a way that leaves the sockets buffered. With QNetworkProxy::NoProxy Qt 6.4 opens them unbuffered
/// and reads the head of an answer with one system call a byte: a third of the cost of a request.
class NoProxy final : public QNetworkProxyFactory
{
public:
    QList<QNetworkProxy> queryProxy(const QNetworkProxyQuery &) override { return {QNetworkProxy::DefaultProxy}; }
};

struct Exchange
{
    ClientRequestPtr request;
    ReplyCallback callback;
    Timings timings;
    std::uint64_t number = 0; ///< of its send()
    QNetworkReply *reply = nullptr;
    QNetworkAccessManager *manager = nullptr;
    bool timedOut = false;
};
using Exchanges = std::list<Exchange>;

QNetworkRequest baseRequest(const QtTransportSettings &settings)
{
    QNetworkRequest base = qt::baseRequest();
    base.setAttribute(QNetworkRequest::Http2AllowedAttribute, settings.http2);
    if (settings.verify && settings.ca.empty())
        return base;
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    if (!settings.verify)
        tls.setPeerVerifyMode(QSslSocket::VerifyNone);
    QList<QSslCertificate> roots;
    for (const std::string &pem : settings.ca)
        roots += QSslCertificate::fromData(QByteArray::fromStdString(pem));
    if (!roots.isEmpty())
        tls.setCaCertificates(roots);
    base.setSslConfiguration(tls);
    return base;
}

} // namespace

class QtTransport::Private final : public QObject
{
public:
    explicit Private(const QtTransportSettings &settings);
    ~Private() override;

    void send(const ClientRequestPtr &request, ReplyCallback callback);
    void cancelAll();
    void cancel(std::uint64_t number);

    std::vector<std::unique_ptr<QNetworkAccessManager>> m_managers;
    Exchanges m_waiting;  ///< in the order of send()
    Exchanges m_inFlight; ///< in the order they were handed to Qt, so the first is the first to time out
    std::uint64_t m_sent = 0;
    std::uint64_t m_sends = 0;

protected:
    bool event(QEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
    struct Undelivered
    {
        ReplyCallback callback;
        Reply reply;
    };

    void startWaiting();
    void handToQt(Exchanges::iterator exchange);
    void finished(QNetworkReply *reply);
    void deliverLater(Exchange &exchange, Reply reply);
    void armTimeout();

    const QNetworkRequest m_base;
    const Nanoseconds m_timeout;
    std::vector<QNetworkAccessManager *> m_free; ///< one entry for each free connection; taken from the end
    QHash<QNetworkReply *, Exchanges::iterator> m_byReply;
    std::vector<Undelivered> m_undelivered;
    QBasicTimer m_timer;
};

QtTransport::Private::Private(const QtTransportSettings &settings)
    : m_base(baseRequest(settings)), m_timeout(settings.timeout)
{
    // The default that NoProxy stands for: nothing in this program goes through a proxy.
    QNetworkProxy::setApplicationProxy(QNetworkProxy::NoProxy);
    const int wanted = std::max(settings.connections, 1);
    const int count = (wanted + connectionsPerManager - 1) / connectionsPerManager;
    for (int i = 0; i < count; ++i) {
        auto &manager = m_managers.emplace_back(std::make_unique<QNetworkAccessManager>());
        manager->setProxyFactory(new NoProxy);
        connect(manager.get(), &QNetworkAccessManager::finished, this, &Private::finished);
    }
    for (auto manager = m_managers.rbegin(); manager != m_managers.rend(); ++manager)
        m_free.insert(m_free.end(), connectionsPerManager, manager->get());
}

QtTransport::Private::~Private()
{
    // A manager's destructor waits for its thread, which must not be busy with answers that nobody wants.
    for (const auto &manager : m_managers)
        manager->disconnect(this);
    for (const Exchange &exchange : m_inFlight)
        exchange.reply->abort();
}

void QtTransport::Private::send(const ClientRequestPtr &request, ReplyCallback callback)
{
    Exchange &exchange = m_waiting.emplace_back();
    exchange.request = request;
    exchange.callback = std::move(callback);
    exchange.number = ++m_sends;
    exchange.timings.called = SteadyClock::instance().now();
    if (m_waiting.size() == 1)
        startWaiting();
}

void QtTransport::Private::startWaiting()
{
    while (!m_waiting.empty() && !m_free.empty())
        handToQt(m_waiting.begin());
}

void QtTransport::Private::handToQt(Exchanges::iterator exchange)
{
    const QNetworkRequest request = qt::toQtRequest(m_base, *exchange->request);
    exchange->timings.sent = SteadyClock::instance().now();
    if (const QString scheme = request.url().scheme();
        !request.url().isValid() || request.url().host().isEmpty() ||
        (scheme != QLatin1String("http") && scheme != QLatin1String("https"))) {
        Reply reply = qt::errorReply(TransportError::Other);
        reply.errorText = "not an http or https address: " + request.url().toString().toStdString();
        deliverLater(*exchange, std::move(reply));
        m_waiting.erase(exchange);
        return;
    }
    m_inFlight.splice(m_inFlight.end(), m_waiting, exchange);
    exchange->manager = m_free.back();
    m_free.pop_back();
    ++m_sent;
    exchange->reply = qt::start(*exchange->manager, request, *exchange->request);
    m_byReply.insert(exchange->reply, exchange);
    if (!m_timer.isActive())
        armTimeout();
}

void QtTransport::Private::finished(QNetworkReply *qtReply)
{
    qtReply->deleteLater();
    const auto found = m_byReply.constFind(qtReply);
    if (found == m_byReply.cend())
        return; // cancelled: answered already
    const Exchanges::iterator place = found.value();
    m_byReply.erase(found);
    Exchange exchange = std::move(*place);
    m_inFlight.erase(place);
    m_free.push_back(exchange.manager);

    Reply reply;
    if (exchange.timedOut)
        reply = qt::errorReply(TransportError::Timeout);
    else
        qt::readReply(*qtReply, reply);
    reply.timings = exchange.timings;
    reply.timings.done = SteadyClock::instance().now();
    startWaiting();
    exchange.callback(reply);
}

void QtTransport::Private::cancelAll()
{
    Exchanges inFlight, waiting;
    inFlight.swap(m_inFlight);
    waiting.swap(m_waiting);
    m_byReply.clear();
    m_timer.stop();
    for (Exchange &exchange : inFlight) {
        m_free.push_back(exchange.manager);
        deliverLater(exchange, qt::errorReply(TransportError::Cancelled));
    }
    for (Exchange &exchange : waiting)
        deliverLater(exchange, qt::errorReply(TransportError::Cancelled));
    for (const Exchange &exchange : inFlight)
        exchange.reply->abort(); // emits finished before it returns
}

void QtTransport::Private::cancel(std::uint64_t number)
{
    const auto isIt = [number](const Exchange &exchange) {
        return exchange.number == number;
    };
    if (const auto found = std::find_if(m_waiting.begin(), m_waiting.end(), isIt); found != m_waiting.end()) {
        deliverLater(*found, qt::errorReply(TransportError::Cancelled));
        m_waiting.erase(found);
        return;
    }
    const auto found = std::find_if(m_inFlight.begin(), m_inFlight.end(), isIt);
    if (found == m_inFlight.end())
        return;
    QNetworkReply *const reply = found->reply;
    m_free.push_back(found->manager);
    m_byReply.remove(reply);
    deliverLater(*found, qt::errorReply(TransportError::Cancelled));
    m_inFlight.erase(found);
    reply->abort(); // emits finished before it returns
    startWaiting();
}

void QtTransport::Private::deliverLater(Exchange &exchange, Reply reply)
{
    reply.timings = exchange.timings;
    reply.timings.done = SteadyClock::instance().now();
    if (exchange.reply == nullptr)
        reply.timings.sent = reply.timings.done;
    m_undelivered.push_back({std::move(exchange.callback), std::move(reply)});
    if (m_undelivered.size() == 1)
        QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

bool QtTransport::Private::event(QEvent *event)
{
    if (event->type() != QEvent::User)
        return QObject::event(event);
    std::vector<Undelivered> now;
    now.swap(m_undelivered);
    for (const Undelivered &one : now)
        one.callback(one.reply);
    return true;
}

void QtTransport::Private::armTimeout()
{
    m_timer.stop();
    if (m_inFlight.empty() || m_timeout <= Nanoseconds(0))
        return;
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(m_inFlight.front().timings.sent + m_timeout -
                                                                   SteadyClock::instance().now());
    constexpr std::chrono::milliseconds longest = std::chrono::hours(24); // Qt counts in int; re-armed then
    m_timer.start(static_cast<int>(std::clamp(wait, std::chrono::milliseconds(0), longest).count()), Qt::PreciseTimer,
                  this);
}

void QtTransport::Private::timerEvent(QTimerEvent *)
{
    const TimePoint sentBefore = SteadyClock::instance().now() - m_timeout;
    while (!m_inFlight.empty() && m_inFlight.front().timings.sent <= sentBefore) {
        m_inFlight.front().timedOut = true;
        m_inFlight.front().reply->abort(); // its finished() takes it off the list
    }
    armTimeout();
}

QtTransport::QtTransport(const QtTransportSettings &settings) : d(std::make_unique<Private>(settings)) {}
QtTransport::~QtTransport() = default;

void QtTransport::send(const ClientRequestPtr &request, ReplyCallback callback)
{
    d->send(request, std::move(callback));
}

void QtTransport::cancelAll()
{
    d->cancelAll();
}

std::uint64_t QtTransport::sentCount() const
{
    return d->m_sent;
}

std::uint64_t QtTransport::lastSend() const
{
    return d->m_sends;
}

void QtTransport::cancel(std::uint64_t send)
{
    d->cancel(send);
}

int QtTransport::connections() const
{
    return static_cast<int>(d->m_managers.size()) * connectionsPerManager;
}

std::size_t QtTransport::inFlight() const
{
    return d->m_inFlight.size();
}

std::size_t QtTransport::waiting() const
{
    return d->m_waiting.size();
}

} // namespace wardbench
