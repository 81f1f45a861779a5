#include "cli/mbclient.h"

#include "codec/workspacefile.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>

#include <optional>
#include <ostream>

namespace wardbench::cli {
namespace {

/// One call of the server that the options name; the reason goes to `err` when it cannot be made.
class Client
{
public:
    Client(const MbOptions &options, std::ostream &err) : m_options(options), m_err(err)
    {
        m_network.setProxy(QNetworkProxy::NoProxy);
        const std::string host = options.text("host").empty() ? "localhost" : options.text("host");
        m_base =
            "http://" + (host.find(':') == std::string::npos ? host : '[' + host + ']') + ':' + options.text("port");
    }

    std::optional<json::Value> call(const char *method, const std::string &target, const std::string &body = {})
    {
        QNetworkRequest request(QUrl(QString::fromStdString(m_base + target)));
        request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/json"));
        request.setRawHeader("Connection", "close");
        if (m_options.isGiven("apikey"))
            request.setRawHeader("x-api-key", QByteArray::fromStdString(m_options.text("apikey")));
        const std::unique_ptr<QNetworkReply> reply(
            m_network.sendCustomRequest(request, method, QByteArray::fromStdString(body)));
        QEventLoop loop;
        QObject::connect(reply.get(), &QNetworkReply::finished, &loop, &QEventLoop::quit);
        loop.exec();
        const int status = reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
        const std::string text = reply->readAll().toStdString();
        if (status == 0) {
            m_err << "No mb process running on " << m_base << std::endl;
            return std::nullopt;
        }
        json::ParseResult parsed = json::parse(text);
        if (status != 200 || !std::holds_alternative<json::Value>(parsed)) {
            m_err << status << '\n' << text << std::endl;
            return std::nullopt;
        }
        return std::get<json::Value>(std::move(parsed));
    }

private:
    const MbOptions &m_options;
    std::ostream &m_err;
    QNetworkAccessManager m_network;
    std::string m_base;
};

} // namespace

int runMbSave(const MbOptions &options, const Streams &streams)
{
    const std::string proxies = options.isOn("removeProxies") ? "&removeProxies=true" : "";
    const auto imposters = Client(options, streams.err).call("GET", "/imposters?replayable=true" + proxies);
    if (!imposters)
        return Failed;
    if (const auto saved = codec::writeFileAtomically(options.text("savefile"), json::writePretty(*imposters, 2));
        !saved) {
        streams.err << saved.error().message << std::endl;
        return Failed;
    }
    return Done;
}

int runMbReplay(const MbOptions &options, const Streams &streams)
{
    Client client(options, streams.err);
    const auto imposters = client.call("GET", "/imposters?replayable=true&removeProxies=true");
    if (!imposters)
        return Failed;
    return client.call("PUT", "/imposters", json::writeCompact(*imposters)) ? Done : Failed;
}

} // namespace wardbench::cli
