#pragma once

#include "http/message.h"

namespace wardbench::mock {

/// The headers with which an imposter that has allowCORS answers a preflight request; none for any other request
/// (mountebank.md 2.2.6).
http::Headers preflightAnswer(const http::Request &request);

} // namespace wardbench::mock
