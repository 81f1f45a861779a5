#pragma once

#include "admin/apierror.h"
#include "http/message.h"
#include "http/target.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench::admin {

/// A request to the REST API, taken apart.
struct Call
{
    http::Request request;
    std::string client;              ///< address:port
    std::vector<std::string> path{}; ///< segments, decoded: {"imposters", "4545", "stubs"}
    http::QueryPairs query{};
    json::Value body{}; ///< null when there is none
    std::string base{}; ///< of absolute links: "http://localhost:2525"
    bool html = false;  ///< the client would rather see a page

    /// The value of a flag such as `replayable`: `otherwise` when it is absent; given twice, the first counts.
    std::optional<std::string_view> flag(std::string_view name) const;
    bool isOn(std::string_view name) const; ///< "true", in any case
};

/// An answer of the REST API.
struct Reply
{
    int status = 200;
    json::Value json{};      ///< the body, unless `text` is there
    std::string text{};      ///< instead of JSON
    std::string type{};      ///< of `text`
    std::string location{};  ///< 201
    bool negotiated = false; ///< the body's form depended on Accept
    http::Headers headers{}; ///< further ones

    static Reply of(json::Value body, int status = 200) { return {status, std::move(body)}; }
    static Reply error(int status, const ApiError &error);
    static Reply errors(int status, const std::vector<ApiError> &errors);
    static Reply page(std::string html, int status = 200);
    static Reply nothing(int status); ///< no body at all
};

/// "application/json", "text/html": which of the two an Accept header prefers; nothing when it takes neither. JSON is
/// the default.
enum class Form { Json, Html };
std::optional<Form> preferredForm(const http::Request &request);

} // namespace wardbench::admin
