#pragma once

#include "http/message.h"
#include "model/imposter.h"
#include "json/value.h"

namespace wardbench::test {

/// A predicate as mountebank's JSON writes it, without the reader of files: operator, operand, case parameters.
Predicate predicateFromJson(const json::Value &value);

/// A request of tests/data/match: method, target, headers, base64 body.
http::Request requestFromJson(const json::Value &value);

/// A request from a line: `GET /path?query`.
http::Request requestFor(std::string method, std::string target, http::Headers headers = {}, std::string body = {});

/// A stub with these predicates.
StubPtr stubWith(StubId id, std::vector<Predicate> predicates);

} // namespace wardbench::test
