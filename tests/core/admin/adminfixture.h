#pragma once

#include "admin/adminserver.h"
#include "codec/workspacefile.h"
#include "support/rawclient.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QtTest>

#include <memory>
#include <string>

namespace wardbench::test {

inline json::Value parsed(const std::string &text)
{
    const auto result = json::parse(text);
    const auto *value = std::get_if<json::Value>(&result);
    if (!value)
        qWarning("not JSON: %s", text.c_str());
    return value ? *value : json::Value();
}

struct Answer
{
    int status = 0;
    std::string head;
    std::string text;
    json::Value json() const { return parsed(text); }
    std::string header(const std::string &name) const
    {
        const std::size_t at = head.find("\r\n" + name + ": ");
        if (at == std::string::npos)
            return "(none)";
        const std::size_t from = at + name.size() + 4;
        return head.substr(from, head.find("\r\n", from) - from);
    }
};

/// A request on a connection of its own.
inline Answer request(std::uint16_t port, const std::string &method, const std::string &path,
                      const std::string &body = {}, const std::string &lines = {})
{
    std::string text = method + ' ' + path + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port) + "\r\n" + lines;
    if (!body.empty())
        text += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
    RawClient client(port);
    client.send(text + "\r\n" + body);
    const std::string raw = client.readResponse(method == "HEAD");
    const std::size_t end = raw.find("\r\n\r\n");
    Answer answer;
    answer.head = raw.substr(0, end == std::string::npos ? raw.size() : end + 2);
    answer.status = raw.size() > 12 ? std::atoi(raw.c_str() + 9) : 0;
    answer.text = method == "HEAD" ? std::string() : bodyOf(raw);
    return answer;
}

/// A REST API over an empty workspace.
class Admin
{
public:
    explicit Admin(admin::AdminOptions options = {}, MockOptions mock = {})
        : store(&codec::decodeWorkspace, codec::decodeWorkspace(codec::newWorkspace("test"), nullptr)), service(mock),
          live(store, service), server(live, std::move(options))
    {
        const auto started = server.start();
        if (!started)
            qFatal("%s", started.error().message.c_str());
        port = *started;
    }
    Answer call(const std::string &method, const std::string &path, const std::string &body = {},
                const std::string &lines = {}) const
    {
        return request(port, method, path, body, lines);
    }
    /// Creates an imposter on any free port; gives the port.
    std::uint16_t create(const std::string &members) const
    {
        const Answer answer = call("POST", "/imposters", "{" + members + "}");
        if (answer.status != 201)
            qWarning("not created: %s", answer.text.c_str());
        return static_cast<std::uint16_t>(answer.json()["port"].toInteger().value_or(0));
    }
    std::string base() const { return "http://localhost:" + std::to_string(port); }

    WorkspaceStore store;
    MockService service;
    admin::LiveImposters live;
    admin::AdminServer server;
    std::uint16_t port = 0;
};

} // namespace wardbench::test
