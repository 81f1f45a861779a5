#pragma once

#include "transport/transport.h"

#include <QNetworkReply>
#include <QNetworkRequest>

/// Between our messages and Qt's.
namespace wardbench::qt {

/// Attributes and header fields that every request starts from: the distorting defaults are off.
QNetworkRequest baseRequest();
/// `base` with the request's URL and header fields. Its URL is invalid when the request's is.
QNetworkRequest toQtRequest(const QNetworkRequest &base, const ClientRequest &request);
/// Starts it on `manager`, with its body.
QNetworkReply *start(QNetworkAccessManager &manager, const QNetworkRequest &qtRequest, const ClientRequest &request);

/// Outcome of a finished reply; reads its body. Timings are left alone.
void readReply(QNetworkReply &qtReply, Reply &reply);
Reply errorReply(TransportError error);

} // namespace wardbench::qt
