#include "admin/explanationjson.h"

#include "http/target.h"
#include "mock/wiretext.h"

#include <map>

namespace wardbench::admin {
namespace {

std::string queryText(const json::Value &query)
{
    std::string text;
    const auto add = [&text](const std::string &key, const json::Value &value) {
        text +=
            (text.empty() ? "" : "&") + http::percentEncode(key) + '=' + http::percentEncode(mock::scalarText(value));
    };
    for (const json::Member &member : query.members()) {
        if (!member.second.isArray())
            add(member.first, member.second);
        for (const json::Value &value : member.second.items())
            add(member.first, value);
    }
    return text;
}

Result<void> readText(const json::Value &json, const char *name, std::string &into)
{
    const json::Value *value = json.find(name);
    if (!value || value->isNull())
        return {};
    if (!value->isString())
        return fail("'" + std::string(name) + "' must be text, not " + std::string(value->kindName()),
                    Error::Code::BadInput);
    into = value->text();
    return {};
}

Result<void> readRequest(const json::Value &from, http::Request &request)
{
    request.method = "GET";
    std::string path = "/";
    for (const auto &[name, into] : {std::pair{"method", &request.method}, {"path", &path}}) {
        if (const auto read = readText(from, name, *into); !read)
            return read.error();
    }
    const std::size_t mark = path.find('?');
    request.path = path.substr(0, mark);
    request.query = mark == std::string::npos ? std::string() : path.substr(mark + 1);
    if (const std::string more = queryText(from["query"]); !more.empty())
        request.query += (request.query.empty() ? "" : "&") + more;
    request.target = request.path + (request.query.empty() ? "" : "?" + request.query);
    for (const json::Member &header : from["headers"].members()) {
        if (!header.second.isArray())
            request.headers.add(header.first, mock::scalarText(header.second));
        for (const json::Value &value : header.second.items())
            request.headers.add(header.first, mock::scalarText(value));
    }
    const json::Value &body = from["body"];
    request.body = body.isNull() ? std::string() : mock::scalarText(body);
    return {};
}

/// Over tcp: the body is the data.
Result<void> readData(const json::Value &from, bool binary, http::Request &request)
{
    request.method = "TCP";
    if (const auto read = readText(from, "data", request.body); !read)
        return read.error();
    if (binary)
        request.body = mock::decodeBase64(request.body);
    return {};
}

json::Value stubJson(const StubExplanation &stub, std::size_t index)
{
    json::Members members{{"index", static_cast<std::uint64_t>(index)},
                          {"name", stub.stubName},
                          {"matched", stub.matched},
                          {"holding", stub.holding},
                          {"total", stub.total}};
    if (const auto failed = firstFailure(stub))
        members.emplace_back("failed", json::Members{{"expected", failed->expected}, {"got", failed->got}});
    return json::Value(std::move(members));
}

} // namespace

Result<AskedRequest> requestOf(const json::Value &json, const Imposter &imposter)
{
    const json::Value &from = json["request"].isObject() ? json["request"] : json;
    const bool tcp = imposter.protocol == "tcp";
    if (!from.isObject())
        return fail(tcp ? "a request must be an object with data"
                        : "a request must be an object with method, path, query, headers and body",
                    Error::Code::BadInput);
    AskedRequest asked;
    std::string ip = "127.0.0.1";
    for (const auto &[name, into] : {std::pair{"ip", &ip}, {"requestFrom", &asked.client}}) {
        if (const auto read = readText(from, name, *into); !read)
            return read.error();
    }
    if (asked.client.empty())
        asked.client = ip + ":0";
    if (const auto read = tcp ? readData(from, imposter.binary, asked.request) : readRequest(from, asked.request);
        !read)
        return read.error();
    return asked;
}

json::Value explanationJson(const MatchExplanation &explanation, const Imposter &imposter)
{
    std::map<StubId, std::size_t> indices;
    for (std::size_t i = 0; i < imposter.stubs.size(); ++i)
        indices.emplace(imposter.stubs[i]->id, i);
    json::Value answeredBy;
    json::Array stubs;
    for (const StubExplanation &stub : explanation.stubs) {
        const auto index = indices.find(stub.stub);
        if (index == indices.end())
            continue;
        json::Value shown = stubJson(stub, index->second);
        if (stub.stub == explanation.answeredBy)
            answeredBy = json::Members{{"index", shown["index"]}, {"name", shown["name"]}};
        stubs.push_back(std::move(shown));
    }
    return json::Members{{"answeredBy", std::move(answeredBy)}, {"stubs", std::move(stubs)}};
}

} // namespace wardbench::admin
