#include "admin/impostershape.h"

#include "http/message.h"
#include "json/writer.h"

#include <algorithm>
#include <array>

namespace wardbench::admin {
namespace {

enum class Shape { List, Full, Replayable };

/// Members that have a place and a rule of their own, or that only tell of a running imposter.
constexpr std::array known{"protocol",       "port",  "name",     "defaultResponse",      "numberOfRequests",
                           "recordRequests", "stubs", "requests", "endOfRequestResolver", "_links"};
constexpr std::array tlsMembers{"key", "cert", "mutualAuth", "rejectUnauthorized", "ca", "ciphers"};

template <typename List>
bool isIn(const List &list, const std::string &name)
{
    return std::find(list.begin(), list.end(), name) != list.end();
}

std::string upper(std::string text)
{
    for (char &c : text)
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

json::Value link(const std::string &address)
{
    return json::Members{{"href", address}};
}

void addProtocolMembers(json::Members &members, const json::Value &source)
{
    const std::string &protocol = source["protocol"].text();
    if (protocol == "tcp")
        members.emplace_back("mode", source["mode"].isTruthy() ? source["mode"] : json::Value("text"));
    if (protocol != "https")
        return;
    for (const char *name : {"key", "cert"}) {
        if (source[name].isTruthy())
            members.emplace_back(name, source[name]);
    }
    members.emplace_back("mutualAuth", source["mutualAuth"].isTruthy());
    members.emplace_back("rejectUnauthorized", source["rejectUnauthorized"].isTruthy());
    if (source["ca"].isTruthy())
        members.emplace_back("ca", source["ca"]);
    if (source["ciphers"].isTruthy())
        members.emplace_back("ciphers", upper(source["ciphers"].text()));
}

void addOtherMembers(json::Members &members, const json::Value &source, const json::Value &metadata)
{
    const std::string &protocol = source["protocol"].text();
    for (const json::Member &member : source.members()) {
        const bool shown = metadata.find(member.first) || isIn(known, member.first) ||
                           (protocol == "https" && isIn(tlsMembers, member.first)) ||
                           (protocol == "tcp" && member.first == "mode");
        if (!shown)
            members.push_back(member);
    }
}

/// A stub as people wrote it: without what only answers of this API add.
json::Value plainStub(const json::Value &stub)
{
    json::Value plain = stub;
    for (const char *name : {"_links", "matches"}) {
        if (plain.find(name))
            plain = plain.withoutMember(name);
    }
    return plain;
}

json::Value withoutTimes(const json::Value &stub)
{
    json::Array responses;
    for (const json::Value &response : stub["responses"].items()) {
        const json::Value &is = response["is"];
        responses.push_back(is.find("_proxyResponseTime")
                                ? response.withMember("is", is.withoutMember("_proxyResponseTime"))
                                : response);
    }
    return stub["responses"].isArray() ? stub.withMember("responses", std::move(responses)) : stub;
}

json::Value shownStubs(const Portrait &portrait, const std::string &self, Shape shape)
{
    json::Array stubs;
    const json::Array &source = portrait.source["stubs"].items();
    stubs.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        json::Value stub = plainStub(source[i]);
        if (shape == Shape::Replayable) {
            stubs.push_back(withoutTimes(stub));
            continue;
        }
        if (portrait.matches) {
            if (json::Array matches = portrait.matches(i); !matches.empty())
                stub = stub.withMember("matches", std::move(matches));
        }
        const json::Value links = json::Members{{"self", link(self + "/stubs/" + std::to_string(i))}};
        stubs.push_back(stub.withMember("_links", links));
    }
    return stubs;
}

json::Value shaped(const Portrait &portrait, Shape shape)
{
    const json::Value &source = portrait.source;
    const std::string self = portrait.base + "/imposters/" + std::to_string(portrait.port);
    json::Members members{{"protocol", source["protocol"]}, {"port", static_cast<int>(portrait.port)}};
    for (const char *name : {"name", "defaultResponse"}) {
        if (source[name].isTruthy())
            members.emplace_back(name, source[name]);
    }
    if (shape != Shape::Replayable)
        members.emplace_back("numberOfRequests", portrait.requests);
    if (shape != Shape::List) {
        members.emplace_back("recordRequests", source["recordRequests"].isTruthy());
        addProtocolMembers(members, source);
        members.insert(members.end(), portrait.metadata.members().begin(), portrait.metadata.members().end());
    }
    if (source["endOfRequestResolver"].isTruthy())
        members.emplace_back("endOfRequestResolver", source["endOfRequestResolver"]);
    if (shape != Shape::List)
        addOtherMembers(members, source, portrait.metadata);
    if (shape == Shape::Full)
        members.emplace_back("requests", portrait.recorded ? portrait.recorded() : json::Array{});
    if (shape != Shape::List)
        members.emplace_back("stubs", shownStubs(portrait, self, shape));
    if (shape != Shape::Replayable)
        members.emplace_back("_links", json::Members{{"self", link(self)}, {"stubs", link(self + "/stubs")}});
    return json::Value(std::move(members));
}

} // namespace

json::Value listShape(const Portrait &portrait)
{
    return shaped(portrait, Shape::List);
}

json::Value fullShape(const Portrait &portrait)
{
    return shaped(portrait, Shape::Full);
}

json::Value replayableShape(const Portrait &portrait)
{
    return shaped(portrait, Shape::Replayable);
}

json::Value withoutProxies(const json::Value &shape)
{
    json::Array stubs;
    for (const json::Value &stub : shape["stubs"].items()) {
        json::Array responses;
        for (const json::Value &response : stub["responses"].items()) {
            if (!response.find("proxy"))
                responses.push_back(response);
        }
        if (!responses.empty())
            stubs.push_back(stub.withMember("responses", std::move(responses)));
    }
    return shape.find("stubs") ? shape.withMember("stubs", std::move(stubs)) : shape;
}

} // namespace wardbench::admin
