#include "transport/qtreply.h"

#include <QNetworkAccessManager>
#include <QUrl>

namespace wardbench::qt {
namespace {

QByteArray bytes(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

std::string text(const QByteArray &bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

QUrl urlOf(const ClientRequest &request)
{
    const bool ip6 = request.host.find(':') != std::string::npos;
    QByteArray url;
    url.reserve(static_cast<qsizetype>(request.scheme.size() + request.host.size() + request.path.size() + 16));
    url += bytes(request.scheme) + "://" + (ip6 ? "[" : "") + bytes(request.host) + (ip6 ? "]:" : ":") +
           QByteArray::number(request.port);
    if (request.path.empty() || request.path.front() != '/')
        url += '/';
    url += bytes(request.path);
    return QUrl::fromEncoded(url);
}

void addHeader(QNetworkRequest &qtRequest, const http::Headers &all, const http::Header &field)
{
    const QByteArray name = bytes(field.name);
    std::string value;
    const std::string_view separator = http::equalsIgnoringCase(field.name, "cookie") ? "; " : ", ";
    bool first = true;
    for (const http::Header &other : all) {
        if (!http::equalsIgnoringCase(other.name, field.name))
            continue;
        if (first && &other != &field)
            return; // joined with the first of its name
        value += (first ? std::string_view() : separator);
        value += other.value;
        first = false;
    }
    qtRequest.setRawHeader(name, bytes(value));
}

/// Failures of the exchange itself; Qt's other errors only say again what the status code says.
bool isFailure(QNetworkReply::NetworkError error)
{
    switch (error) {
    case QNetworkReply::NoError:
    case QNetworkReply::ProtocolInvalidOperationError:    // 400
    case QNetworkReply::ProxyAuthenticationRequiredError: // 407, from whomever: there is no proxy
        return false;
    case QNetworkReply::ContentReSendError:
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::ProtocolFailure:
        return true;
    default:
        return error < QNetworkReply::ContentAccessDenied;
    }
}

TransportError errorOf(const QNetworkReply &reply)
{
    switch (reply.error()) {
    case QNetworkReply::ConnectionRefusedError:
        return TransportError::ConnectionRefused;
    case QNetworkReply::RemoteHostClosedError:
    case QNetworkReply::ContentReSendError:
        return TransportError::ConnectionClosed;
    case QNetworkReply::HostNotFoundError:
        return TransportError::HostNotFound;
    case QNetworkReply::TimeoutError:
        return TransportError::Timeout;
    case QNetworkReply::OperationCanceledError:
        return TransportError::Cancelled;
    case QNetworkReply::SslHandshakeFailedError:
        return TransportError::Tls;
    case QNetworkReply::TemporaryNetworkFailureError:
    case QNetworkReply::NetworkSessionFailedError:
        return TransportError::Unreachable;
    case QNetworkReply::ProtocolUnknownError:
    case QNetworkReply::ProtocolFailure:
        return TransportError::Protocol;
    case QNetworkReply::UnknownNetworkError:
        // The socket's "Host unreachable" and "Network unreachable" have no code of their own.
        return reply.errorString().contains(QLatin1String("unreachable")) ? TransportError::Unreachable
                                                                          : TransportError::Other;
    default:
        return TransportError::Other;
    }
}

void readHeaders(const QNetworkReply &qtReply, http::Headers &headers)
{
    const auto &pairs = qtReply.rawHeaderPairs();
    headers.reserve(static_cast<std::size_t>(pairs.size()));
    for (const auto &[name, value] : pairs) {
        if (!value.contains('\n')) {
            headers.add(text(name), text(value));
            continue;
        }
        for (const QByteArray &part : value.split('\n')) // how Qt joins Set-Cookie
            headers.add(text(name), text(part));
    }
}

} // namespace

QNetworkRequest baseRequest()
{
    QNetworkRequest base;
    base.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    base.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    base.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    base.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    base.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    base.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    base.setRawHeader("Accept-Encoding", "identity");
    base.setRawHeader("Accept-Language", "*");
    base.setRawHeader("User-Agent", "wardbench/" WARDBENCH_VERSION);
    return base;
}

QNetworkRequest toQtRequest(const QNetworkRequest &base, const ClientRequest &request)
{
    QNetworkRequest qtRequest(base);
    qtRequest.setUrl(urlOf(request));
    for (const http::Header &field : request.headers)
        addHeader(qtRequest, request.headers, field);
    return qtRequest;
}

QNetworkReply *start(QNetworkAccessManager &manager, const QNetworkRequest &qtRequest, const ClientRequest &request)
{
    // Qt must know GET and HEAD as such: what has a body depends on it. Everything else is sent as a custom verb,
    // since its own POST adds a Content-Type and may move the query into the body.
    if (request.body.empty()) {
        if (request.method == "GET")
            return manager.get(qtRequest);
        if (request.method == "HEAD")
            return manager.head(qtRequest);
        if (request.method != "POST" && request.method != "PUT" && request.method != "PATCH")
            return manager.sendCustomRequest(qtRequest, bytes(request.method));
    }
    return manager.sendCustomRequest(qtRequest, bytes(request.method), bytes(request.body));
}

void readReply(QNetworkReply &qtReply, Reply &reply)
{
    const int status = qtReply.attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    if (status == 0 || isFailure(qtReply.error())) {
        reply.error = errorOf(qtReply);
        reply.errorText = qtReply.errorString().toStdString();
        return;
    }
    auto response = std::make_shared<http::Response>();
    response->status = status;
    response->reason = text(qtReply.attribute(QNetworkRequest::HttpReasonPhraseAttribute).toByteArray());
    readHeaders(qtReply, response->headers);
    response->body.resize(static_cast<std::size_t>(qtReply.bytesAvailable()));
    const qint64 read = qtReply.read(response->body.data(), static_cast<qint64>(response->body.size()));
    response->body.resize(static_cast<std::size_t>(std::max<qint64>(read, 0)));
    reply.response = std::move(response);
}

Reply errorReply(TransportError error)
{
    Reply reply;
    reply.error = error;
    reply.errorText = errorName(error);
    return reply;
}

} // namespace wardbench::qt
