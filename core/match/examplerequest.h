#pragma once

#include "http/message.h"
#include "model/imposter.h"

#include <optional>

namespace wardbench {

/// The request of "send test request": the stub's example, else one derived from its predicates. A derived request is
/// given only when it really meets every predicate of the stub.
std::optional<ExampleRequest> exampleFor(const Stub &stub);

/// The best guess for a person to finish, matching or not.
ExampleRequest draftFor(const Stub &stub);

/// As a server would see it.
http::Request toRequest(const ExampleRequest &example);
ExampleRequest toExample(const http::Request &request);
/// The `example` member of a stub.
json::Value toJson(const ExampleRequest &example);

} // namespace wardbench
