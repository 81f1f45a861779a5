#include "lint/imposterlint.h"

#include "lint/stuborder.h"
#include "match/fieldselection.h"

#include <algorithm>
#include <map>

namespace wardbench::lint {
namespace {

using json::childPointer;

/// Every text below `matches` is a regular expression.
void checkPatterns(const json::Value &value, const std::string &pointer, bool caseSensitive, Issues &issues)
{
    if (value.isString()) {
        const auto pattern = JsPattern::parse(value.text(), caseSensitive ? "" : "i");
        if (!pattern)
            issues.push_back({Issue::Severity::Error,
                              pointer,
                              "is no regular expression of JavaScript: " + pattern.error().message,
                              {}});
    }
    for (std::size_t i = 0; i < value.items().size(); ++i)
        checkPatterns(value.at(i), childPointer(pointer, i), caseSensitive, issues);
    for (const json::Member &member : value.members())
        checkPatterns(member.second, childPointer(pointer, member.first), caseSensitive, issues);
}

/// `except`, `xpath` and `jsonpath`.
void checkSelection(const Predicate &predicate, const std::string &pointer, Issues &issues)
{
    const auto check = [&](const auto &compiled, const char *place, const std::string &kind) {
        if (!compiled)
            issues.push_back(
                {Issue::Severity::Error, pointer + place, "is no " + kind + ": " + compiled.error().message, {}});
    };
    if (!predicate.except.empty())
        check(JsPattern::parse(predicate.except), "/except", "regular expression of JavaScript");
    const Selector &selector = predicate.selector;
    if (selector.kind == Selector::Kind::XPath && !selector.path.empty())
        check(XPath::compile(selector.path, selector.namespaces), "/xpath/selector", "XPath 1.0 expression");
    if (selector.kind == Selector::Kind::JsonPath && !selector.path.empty())
        check(compileJsonPath(selector.path, false), "/jsonpath/selector", "JSONPath");
}

void checkPredicate(const Predicate &predicate, const std::string &pointer, Issues &issues)
{
    checkSelection(predicate, pointer, issues);
    const std::string operand = childPointer(pointer, predicate.operatorName);
    if (predicate.op == Predicate::Operator::Matches)
        checkPatterns(predicate.expected, operand, predicate.caseSensitive, issues);
    const bool list = predicate.op != Predicate::Operator::Not;
    for (std::size_t i = 0; i < predicate.children.size(); ++i)
        checkPredicate(predicate.children[i], list ? childPointer(operand, i) : operand, issues);
}

void checkResponses(const Stub &stub, const std::string &pointer, Issues &issues)
{
    const bool random = stub.responseMode == ResponseMode::Random;
    const json::Value &responses = stub.source["responses"];
    double weights = 0;
    for (std::size_t i = 0; i < stub.responses.size(); ++i) {
        weights += stub.responses[i].weight;
        const char *const useless = random ? "repeat" : "weight";
        if (!responses.at(i).find(useless))
            continue;
        const std::string message = random ? "repeat has no effect where \"responseMode\" is \"random\""
                                           : "weight has no effect unless the stub's \"responseMode\" is \"random\"";
        issues.push_back(
            {Issue::Severity::Warning, childPointer(childPointer(pointer + "/responses", i), useless), message, {}});
    }
    if (random && weights <= 0 && !stub.responses.empty())
        issues.push_back({Issue::Severity::Warning,
                          pointer + "/responses",
                          "every weight is 0, so the first response always answers; expected one above 0",
                          {}});
}

/// What only answers over http can be, on an imposter that speaks tcp.
void checkTcpResponses(const Stub &stub, const std::string &pointer, Issues &issues)
{
    for (std::size_t i = 0; i < stub.responses.size(); ++i) {
        const Response &response = stub.responses[i];
        const std::string place = childPointer(pointer + "/responses", i);
        const auto warn = [&issues, &place](const char *member, std::string message) {
            issues.push_back({Issue::Severity::Warning, place + member, std::move(message), {}});
        };
        if (response.fault.kind == Fault::Kind::MalformedChunk)
            warn("/fault", "has no chunk to spoil over tcp; sent as \"garbage\"");
        if (response.fault.kind == Fault::Kind::Hang && response.fault.afterHead)
            warn("/fault/when", "has no head to send over tcp; the same as \"before\"");
        if (!response.is.bodyFile.empty())
            warn("/is/bodyFile", "is for http only; expected \"data\"");
        if (response.kind == Response::Kind::Proxy && !response.proxy.to.starts_with("tcp://"))
            warn("/proxy/to", "is no address that a tcp imposter can ask; expected one like tcp://localhost:8080");
    }
}

/// Two hosts on which one port can be opened only once, as far as the texts tell.
bool overlap(const std::string &a, const std::string &b)
{
    const auto any = [](const std::string &host) {
        return host.empty() || host == "0.0.0.0" || host == "::";
    };
    return a == b || any(a) || any(b);
}

void checkPorts(const std::vector<ImposterPtr> &imposters, Issues &issues)
{
    std::map<std::uint16_t, std::vector<std::size_t>> byPort;
    for (std::size_t i = 0; i < imposters.size(); ++i) {
        if (imposters[i]->port == 0)
            continue;
        std::vector<std::size_t> &others = byPort[imposters[i]->port];
        const auto clash = std::find_if(others.begin(), others.end(), [&](std::size_t other) {
            return overlap(imposters[i]->host, imposters[other]->host);
        });
        if (clash != others.end())
            issues.push_back({Issue::Severity::Error,
                              childPointer("/imposters", i) + "/port",
                              "port " + std::to_string(imposters[i]->port) + " is that of \"" +
                                  imposters[*clash]->displayName() +
                                  "\", too; expected another port, or none for any free one",
                              {}});
        others.push_back(i);
    }
}

} // namespace

void checkImposters(const Workspace &workspace, Issues &issues)
{
    for (std::size_t i = 0; i < workspace.imposters.size(); ++i) {
        const Imposter &imposter = *workspace.imposters[i];
        const std::string stubs = childPointer("/imposters", i) + "/stubs";
        for (std::size_t k = 0; k < imposter.stubs.size(); ++k) {
            const Stub &stub = *imposter.stubs[k];
            const std::string pointer = childPointer(stubs, k);
            for (std::size_t p = 0; p < stub.predicates.size(); ++p)
                checkPredicate(stub.predicates[p], childPointer(pointer + "/predicates", p), issues);
            checkResponses(stub, pointer, issues);
            if (imposter.protocol == "tcp")
                checkTcpResponses(stub, pointer, issues);
        }
        checkStubOrder(imposter.stubs, stubs, issues);
    }
    checkPorts(workspace.imposters, issues);
}

} // namespace wardbench::lint
