#include "document/examplerequest.h"

#include "http/target.h"
#include "json/writer.h"
#include "match/compiledimposter.h"

#include <map>

namespace wardbench {

namespace {

/// What is known about one text of the request.
struct Guess
{
    std::optional<std::string> exact;
    std::string prefix, suffix;
    std::vector<std::string> parts;
    bool wanted = false; ///< must be there
    bool absent = false; ///< must not

    std::string text(const std::string &otherwise) const
    {
        if (exact)
            return *exact;
        std::string result = prefix;
        for (const std::string &part : parts) {
            if (result.find(part) == std::string::npos && suffix.find(part) == std::string::npos)
                result += part;
        }
        result += suffix;
        return result.empty() ? otherwise : result;
    }
};

struct Guesses
{
    std::map<std::string, Guess> fields; ///< method, path, body
    std::vector<std::pair<std::string, Guess>> query, headers;
};

Guess &named(std::vector<std::pair<std::string, Guess>> &list, const std::string &name)
{
    for (auto &[known, guess] : list) {
        if (http::equalsIgnoringCase(known, name))
            return guess;
    }
    return list.emplace_back(name, Guess{}).second;
}

std::string textOf(const json::Value &value)
{
    if (value.isString() || value.isNumber())
        return value.text();
    if (value.isArray() && value.size() > 0)
        return textOf(value.at(0));
    return json::writeCompact(value);
}

void learn(Guess &guess, Predicate::Operator op, const json::Value &value)
{
    using Operator = Predicate::Operator;
    switch (op) {
    case Operator::Equals:
    case Operator::DeepEquals: guess.exact = textOf(value); break;
    case Operator::StartsWith: guess.prefix = textOf(value); break;
    case Operator::EndsWith: guess.suffix = textOf(value); break;
    case Operator::Contains: guess.parts.push_back(textOf(value)); break;
    case Operator::Exists: guess.absent = !value.toBool(); break;
    default: return;
    }
    guess.wanted = !guess.absent;
}

void learn(Guesses &guesses, const Predicate &predicate)
{
    if (predicate.op == Predicate::Operator::And) {
        for (const Predicate &child : predicate.children)
            learn(guesses, child);
        return;
    }
    if (predicate.op == Predicate::Operator::Or) {
        if (!predicate.children.empty())
            learn(guesses, predicate.children.front());
        return;
    }
    for (const auto &[field, value] : predicate.expected.members()) {
        if (field == "query" || field == "headers") {
            auto &list = field == "query" ? guesses.query : guesses.headers;
            for (const auto &[name, expected] : value.members())
                learn(named(list, name), predicate.op, expected);
        } else if (field == "method" || field == "path" || field == "body") {
            learn(guesses.fields[field], predicate.op, value);
        }
    }
}

std::string encodedPath(const std::string &path)
{
    std::string result;
    for (const char c : path) {
        const bool plain = static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) < 0x7f && c != '?' && c != '#';
        result += plain ? std::string(1, c) : http::percentEncode(std::string_view(&c, 1));
    }
    return result.empty() || result.front() != '/' ? "/" + result : result;
}

} // namespace

ExampleRequest draftFor(const Stub &stub)
{
    if (stub.example)
        return *stub.example;
    Guesses guesses;
    for (const Predicate &predicate : stub.predicates)
        learn(guesses, predicate);
    ExampleRequest request;
    request.method = guesses.fields["method"].text("GET");
    request.path = encodedPath(guesses.fields["path"].text("/"));
    std::string query;
    for (const auto &[name, guess] : guesses.query) {
        if (guess.wanted)
            query += (query.empty() ? "?" : "&") + http::percentEncode(name) + "=" + http::percentEncode(guess.text("1"));
    }
    request.path += query;
    for (const auto &[name, guess] : guesses.headers) {
        if (guess.wanted)
            request.headers.emplace_back(name, guess.text("test"));
    }
    const Guess &body = guesses.fields["body"];
    if (body.wanted)
        request.body = body.text("test");
    return request;
}

std::optional<ExampleRequest> exampleFor(const Stub &stub)
{
    if (stub.example)
        return stub.example;
    const ExampleRequest draft = draftFor(stub);
    Stub alone = stub;
    alone.enabled = true;
    const auto compiled = CompiledStubs::compile({std::make_shared<const Stub>(alone)});
    if (compiled->match(toRequest(draft), "127.0.0.1:1") == CompiledStubs::none)
        return {};
    return draft;
}

http::Request toRequest(const ExampleRequest &example)
{
    http::Request request;
    request.method = example.method;
    request.target = example.path;
    const std::size_t mark = example.path.find('?');
    request.path = example.path.substr(0, mark);
    if (mark != std::string::npos)
        request.query = example.path.substr(mark + 1);
    for (const auto &[name, value] : example.headers)
        request.headers.add(name, value);
    request.body = example.body;
    return request;
}

ExampleRequest toExample(const http::Request &request)
{
    ExampleRequest example;
    example.method = request.method;
    example.path = request.target;
    for (const http::Header &header : request.headers) {
        // The sender sets these itself.
        const bool own = http::equalsIgnoringCase(header.name, "Host") || http::equalsIgnoringCase(header.name, "Connection")
            || http::equalsIgnoringCase(header.name, "Content-Length")
            || http::equalsIgnoringCase(header.name, "Transfer-Encoding");
        if (!own)
            example.headers.emplace_back(header.name, header.value);
    }
    example.body = request.body;
    return example;
}

json::Value toJson(const ExampleRequest &example)
{
    json::Value value = json::Value::object().withMember("method", example.method).withMember("path", example.path);
    if (!example.headers.empty()) {
        json::Value headers = json::Value::object();
        for (const auto &[name, text] : example.headers)
            headers = headers.withMember(name, text);
        value = value.withMember("headers", headers);
    }
    if (!example.body.empty())
        value = value.withMember("body", example.body);
    return value;
}

} // namespace wardbench
