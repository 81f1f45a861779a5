#include "codec/workspacefile.h"

#include "json/parser.h"

namespace wardbench::codec {
namespace {

json::Value fromText(std::string_view text)
{
    return std::get<json::Value>(json::parse(text));
}

} // namespace

json::Value newWorkspace(std::string_view name)
{
    return fromText(R"({ "format": "wardbench/1", "imposters": [], "policies": [], "scenarios": [] })")
        .withMemberAt(1, "name", json::Value(name));
}

json::Value newImposter(std::string_view name)
{
    return fromText(
               R"({ "protocol": "http", "keepAlive": true, "defaultResponse": { "statusCode": 404 }, "stubs": [] })")
        .withMemberAt(1, "name", json::Value(name));
}

json::Value newStub()
{
    return fromText(R"({ "predicates": [{ "equals": { "method": "GET", "path": "/" } }],
                         "responses": [{ "is": { "statusCode": 200, "body": "" } }] })");
}

json::Value newPolicy(std::string_view name)
{
    return fromText(R"({ "identifier": "{method}_{url}", "holder": true })").withMemberAt(0, "name", json::Value(name));
}

json::Value newScenario(std::string_view name, std::string_view target)
{
    const json::Value scenario = fromText(R"({
        "request": { "method": "GET", "path": "/" },
        "contestants": [{ "name": "Bare client" }],
        "load": { "model": "closed", "users": 10, "iterations": 1000, "warmup": { "iterations": 100 } },
        "repetitions": 6 })");
    const json::Value request = scenario["request"].withMemberAt(1, "target", json::Value(target));
    return scenario.withMember("request", request).withMemberAt(0, "name", json::Value(name));
}

} // namespace wardbench::codec
