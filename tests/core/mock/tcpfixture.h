#pragma once

#include "mockfixture.h"
#include "support/rawsocket.h"
#include "json/parser.h"

namespace wardbench::test {

/// The JSON of a tcp imposter.
inline std::string tcpText(const std::string &stubs, const std::string &members = {})
{
    return R"({"protocol":"tcp","name":"t")" + members + R"(,"stubs":[)" + stubs + "]}";
}

inline ImposterPtr tcp(const std::string &stubs, const std::string &members = {})
{
    return imposter(tcpText(stubs, members));
}

/// A stub of these responses.
inline std::string answering(const std::string &responses)
{
    return R"({"responses":[)" + responses + "]}";
}

inline std::string ask(RawSocket &client, const std::string &request, std::size_t enough)
{
    client.send(request);
    return client.read(enough);
}

/// The same on a connection of its own.
inline std::string ask(std::uint16_t port, const std::string &request, std::size_t enough)
{
    RawSocket client(port);
    return ask(client, request, enough);
}

/// Everything that comes, to the end of a connection whose client asks and ends its half.
inline std::string askToEnd(std::uint16_t port, const std::string &request)
{
    RawSocket client(port);
    client.send(request);
    client.endOutput();
    return client.read();
}

/// The first of mountebank's error objects in an answer.
inline json::Value errorIn(const std::string &answer)
{
    const json::ParseResult parsed = json::parse(answer);
    const auto *value = std::get_if<json::Value>(&parsed);
    return value ? (*value)["errors"].at(0) : json::Value();
}

} // namespace wardbench::test
