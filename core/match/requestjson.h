#pragma once

#include "http/message.h"
#include "match/requestview.h"
#include "json/value.h"

#include <string_view>

namespace wardbench {

/// The request as mountebank shows it to scripts, shell commands, recordings and REST clients (mountebank.md 2.2.1):
/// requestFrom, method, path, query, headers, body, ip and, when the body is one, form. `client` is address:port.
json::Value requestJson(const http::Request &request, std::string_view client);

/// The same of a tcp request: requestFrom, data (in base64 where the mode is binary), ip.
json::Value requestJson(const TcpRequest &request, std::string_view client);

} // namespace wardbench
