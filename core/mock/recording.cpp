#include "mock/recording.h"

#include "match/text.h"
#include "mock/wiretext.h"
#include "json/parser.h"
#include "json/writer.h"

#include <algorithm>
#include <variant>

namespace wardbench::mock {
namespace {

// Everything that mountebank takes for binary; the words are looked for anywhere in the header's value.
constexpr std::string_view binaryCodings[] = {"gzip", "br", "compress", "deflate"};
constexpr std::string_view binaryTypes[] = {
    "audio/",
    "image/",
    "video/",
    "font/",
    "model/",
    "application/octet-stream",
    "application/pdf",
    "application/zip",
    "application/gzip",
    "application/x-tar",
    "application/rtf",
    "application/epub+zip",
    "application/java-archive",
    "application/msword",
    "application/vnd.ms-excel",
    "application/vnd.ms-powerpoint",
    "application/vnd.ms-fontobject",
    "application/vnd.visio",
    "application/x-shockwave-flash",
};

bool holdsAny(const http::Headers &headers, std::string_view name, const auto &words)
{
    for (const http::Header &field : headers) {
        if (!http::equalsIgnoringCase(field.name, name))
            continue;
        const std::string value = http::toLower(field.value);
        if (std::any_of(std::begin(words), std::end(words),
                        [&value](std::string_view word) { return value.find(word) != std::string::npos; }))
            return true;
    }
    return false;
}

bool isBinary(const http::Headers &headers)
{
    return holdsAny(headers, "content-encoding", binaryCodings) || holdsAny(headers, "content-type", binaryTypes);
}

/// Whether JavaScript prints every number as it stands.
bool keepsNumbers(const json::Value &value)
{
    if (value.isNumber())
        return json::javascriptNumber(value.text()) == value.text();
    if (value.isArray())
        return std::all_of(value.items().begin(), value.items().end(), keepsNumbers);
    const auto &members = value.members();
    return std::all_of(members.begin(), members.end(), [](const auto &member) { return keepsNumbers(member.second); });
}

/// The JSON that would be sent again as the same value; null when text must stay text. Texts lose their quotes, and
/// null, 0, false are taken for no body at all.
std::optional<json::Value> storableJson(const std::string &text)
{
    const json::ParseResult parsed = json::parse(text);
    const auto *value = std::get_if<json::Value>(&parsed);
    if (!value || value->isString() || !value->isTruthy() || !keepsNumbers(*value))
        return std::nullopt;
    return *value;
}

json::Value headersJson(const http::Headers &headers)
{
    json::Members members;
    for (const http::Header &field : headers) {
        const std::string name = fromHeaderBytes(field.name);
        json::Value value(fromHeaderBytes(field.value));
        const auto same = std::find_if(members.begin(), members.end(),
                                       [&name](const json::Member &one) { return one.first == name; });
        if (same == members.end()) {
            members.emplace_back(name, std::move(value));
        } else {
            json::Array values = same->second.isArray() ? same->second.items() : json::Array{same->second};
            values.push_back(std::move(value));
            same->second = json::Value(std::move(values));
        }
    }
    return json::Value(std::move(members));
}

} // namespace

json::Value recordedAnswer(const http::Response &response, std::chrono::milliseconds time)
{
    const bool binary = isBinary(response.headers);
    json::Value body;
    if (binary) {
        body = json::Value(encodeBase64(response.body));
    } else {
        const auto parsed = storableJson(response.body);
        body = parsed ? *parsed : json::Value(toValidUtf8(response.body));
    }
    json::Members is;
    is.emplace_back("statusCode", response.status);
    is.emplace_back("headers", headersJson(response.headers));
    is.emplace_back("body", std::move(body));
    is.emplace_back("_mode", binary ? "binary" : "text");
    is.emplace_back("_proxyResponseTime", static_cast<std::int64_t>(time.count()));
    return json::Value(std::move(is));
}

json::Value recordedData(const std::string &bytes, bool binary, std::chrono::milliseconds time)
{
    return json::Value(json::Members{{"data", binary ? encodeBase64(bytes) : toValidUtf8(bytes)},
                                     {"_proxyResponseTime", static_cast<std::int64_t>(time.count())}});
}

json::Value recordedResponse(const Proxy &proxy, json::Value is)
{
    json::Array behaviors;
    const auto add = [&behaviors](const char *name, json::Value value) {
        behaviors.emplace_back(json::Members{{name, std::move(value)}});
    };
    if (proxy.addWaitBehavior)
        add("wait", is["_proxyResponseTime"]);
    if (!proxy.addDecorateBehavior.empty())
        add("decorate", proxy.addDecorateBehavior);
    json::Members response{{"is", std::move(is)}};
    if (!behaviors.empty())
        response.emplace_back("behaviors", std::move(behaviors));
    return json::Value(std::move(response));
}

bool sameJson(const json::Value &a, const json::Value &b)
{
    if (a.kind() != b.kind() || a.size() != b.size())
        return false;
    if (a.isArray())
        return std::equal(a.items().begin(), a.items().end(), b.items().begin(), sameJson);
    if (!a.isObject())
        return a == b;
    return std::all_of(a.members().begin(), a.members().end(), [&b](const json::Member &member) {
        const json::Value *other = b.find(member.first);
        return other && sameJson(member.second, *other);
    });
}

RecordingPlace placeRecording(const json::Value &stubs, std::size_t proxyStub, Proxy::Mode mode,
                              const json::Value &predicates)
{
    switch (mode) {
    case Proxy::Mode::Transparent:
        return {};
    case Proxy::Mode::Once:
        return {RecordingPlace::How::NewStub, std::min(proxyStub, stubs.size())};
    case Proxy::Mode::Always:
        break;
    }
    for (std::size_t i = proxyStub + 1; i < stubs.size(); ++i) {
        const json::Value *others = stubs.at(i).find("predicates");
        if (others && sameJson(*others, predicates))
            return {RecordingPlace::How::MoreResponse, i};
    }
    return {RecordingPlace::How::NewStub, stubs.size()};
}

WorkspaceEdit recordingEdit(const json::Path &stubs, const RecordingPlace &place, const json::Value &predicates,
                            const json::Value &response)
{
    json::Path path = stubs;
    path.push_back(std::to_string(place.stub));
    switch (place.how) {
    case RecordingPlace::How::Nowhere:
        break;
    case RecordingPlace::How::NewStub: {
        json::Members stub{{"predicates", predicates}, {"responses", json::Array{response}}};
        return WorkspaceEdit::insert("Record a stub", std::move(path), json::Value(std::move(stub)));
    }
    case RecordingPlace::How::MoreResponse:
        path.emplace_back("responses");
        path.emplace_back("-");
        return WorkspaceEdit::insert("Record a response", std::move(path), response);
    }
    return {};
}

} // namespace wardbench::mock
