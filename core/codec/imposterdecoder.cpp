#include "codec/decoders.h"
#include "json/writer.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wardbench::codec {
namespace {

std::uint16_t decodePort(const SchemaReader &reader)
{
    if (!reader.present())
        return 0;
    const json::Value &value = reader.value();
    int port = -1;
    if (value.isString()) // mountebank takes numeric text, too
        std::from_chars(value.text().data(), value.text().data() + value.text().size(), port);
    else if (const auto whole = value.toInteger())
        port = *whole >= 0 && *whole <= 65535 ? static_cast<int>(*whole) : -1;
    if (port >= 0 && port <= 65535 && (!value.isString() || std::to_string(port) == value.text()))
        return static_cast<std::uint16_t>(port);
    reader.expected("a port from 1 to 65535, or 0 for any free one");
    return 0;
}

Capacity decodeCapacity(const SchemaReader &reader)
{
    Capacity capacity;
    if (!reader.isObject())
        return capacity;
    constexpr std::int64_t most = 1'000'000;
    if (!reader["concurrent"].present())
        reader["concurrent"].error("is missing; expected a whole number of at least 1");
    capacity.concurrent = static_cast<int>(reader["concurrent"].integer(0, 1, most));
    capacity.queue = static_cast<int>(reader["queue"].integer(1000, 0, most));
    return capacity;
}

std::optional<ExampleRequest> decodeExample(const SchemaReader &reader)
{
    if (!reader.isObject())
        return std::nullopt;
    ExampleRequest example;
    example.method = reader["method"].text("GET");
    example.path = reader["path"].text("/");
    reader["headers"].eachMember([&example](const std::string &name, const SchemaReader &header) {
        const auto add = [&](const SchemaReader &value) {
            if (const auto text = value.scalarText())
                example.headers.emplace_back(name, *text);
        };
        if (header.value().isArray())
            header.eachItem(add);
        else
            add(header);
    });
    const json::Value &body = reader["body"].value();
    example.body = body.isString() ? body.text() : body.isNull() ? std::string() : json::writeCompact(body);
    return example;
}

void checkPem(const SchemaReader &reader, const std::string &pem, std::string_view label)
{
    const bool found = pem.find("-----BEGIN ") != std::string::npos && pem.find(label) != std::string::npos;
    if (!pem.empty() && !found)
        reader.error("is no PEM text; expected one with \"-----BEGIN " + std::string(label) + "-----\"");
}

TlsSettings decodeTls(const SchemaReader &reader)
{
    TlsSettings tls;
    tls.key = reader["key"].text();
    tls.certificate = reader["cert"].text();
    tls.mutualAuth = reader["mutualAuth"].value().isTruthy();
    tls.rejectUnauthorized = reader["rejectUnauthorized"].value().isTruthy();
    if (reader["ca"].value().isString())
        tls.ca.push_back(reader["ca"].text());
    else if (reader["ca"].value().isTruthy())
        tls.ca = reader["ca"].texts();
    tls.ciphers = reader["ciphers"].text();
    checkPem(reader["key"], tls.key, "PRIVATE KEY");
    checkPem(reader["cert"], tls.certificate, "CERTIFICATE");
    for (const std::string &ca : tls.ca)
        checkPem(reader["ca"], ca, "CERTIFICATE");
    if (tls.key.empty() != tls.certificate.empty())
        reader[tls.key.empty() ? "key" : "cert"].error("is missing; expected key and cert, or neither");
    return tls;
}

void decodeScenarioState(Stub &stub, const SchemaReader &reader)
{
    stub.scenario = reader["scenarioName"].text();
    stub.requiredState = reader["requiredScenarioState"].text();
    stub.newState = reader["newScenarioState"].text();
    if (stub.scenario.empty() && (!stub.requiredState.empty() || !stub.newState.empty()))
        reader["scenarioName"].error("is missing; expected the name of the scenario whose state is meant");
}

} // namespace

Stub decodeStub(const SchemaReader &reader)
{
    Stub stub;
    stub.source = reader.value();
    if (!reader.isObject())
        return stub;
    stub.name = reader["name"].text();
    stub.enabled = reader["enabled"].boolean(true);
    stub.example = decodeExample(reader["example"]);
    reader["predicates"].eachItem(
        [&stub](const SchemaReader &item) { stub.predicates.push_back(decodePredicate(item)); });
    reader["responses"].eachItem([&stub](const SchemaReader &item) { stub.responses.push_back(decodeResponse(item)); });
    const SchemaReader responses = reader["responses"];
    if (!responses.present())
        reader.error("has no responses; expected at least one");
    else if (responses.value().isArray() && responses.value().size() == 0)
        responses.error("is empty; expected at least one response");
    stub.priority = static_cast<int>(reader["priority"].integer(0, 1, std::numeric_limits<int>::max()));
    decodeScenarioState(stub, reader);
    if (reader["responseMode"].choice({"sequential", "random"}, "sequential") == "random")
        stub.responseMode = ResponseMode::Random;
    return stub;
}

Imposter decodeImposterSettings(const SchemaReader &reader)
{
    Imposter imposter;
    imposter.source = reader.value();
    if (!reader.isObject())
        return imposter;
    imposter.protocol = reader["protocol"].requiredText("\"http\"");
    imposter.port = decodePort(reader["port"]);
    imposter.host = reader["host"].text();
    imposter.name = reader["name"].text();
    imposter.keepAlive = reader["keepAlive"].boolean(false);
    imposter.recordRequests = reader["recordRequests"].value().isTruthy();
    imposter.recordMatches = reader["recordMatches"].value().isTruthy();
    imposter.allowCors = reader["allowCORS"].value().isTruthy();
    if (imposter.protocol == "https")
        imposter.tls = decodeTls(reader);
    if (imposter.protocol == "tcp") {
        imposter.binary = reader["mode"].choice({"text", "binary"}, "text") == "binary";
        imposter.endOfRequestScript = reader["endOfRequestResolver"]["inject"].text();
    }
    imposter.wait = decodeDelay(reader["wait"]);
    imposter.capacity = decodeCapacity(reader["capacity"]);
    imposter.seed = reader["seed"].seed();
    if (reader["defaultResponse"].present())
        imposter.defaultResponse = decodeIsResponse(reader["defaultResponse"]);
    static constexpr std::array<std::string_view, 5> spoken{"", "http", "https", "tcp", "smtp"};
    if (std::find(spoken.begin(), spoken.end(), imposter.protocol) == spoken.end()) {
        imposter.inactive = "the " + imposter.protocol + " protocol is not run by this version";
        reader["protocol"].warning(notRun("the " + imposter.protocol + " protocol is"));
    }
    return imposter;
}

} // namespace wardbench::codec
