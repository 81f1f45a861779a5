#include "match/examplerequest.h"

#include "http/target.h"
#include "match/compiledimposter.h"
#include "match/exampledocument.h"
#include "match/regexsample.h"
#include "json/writer.h"

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

using NamedGuesses = std::vector<std::pair<std::string, Guess>>;

struct Guesses
{
    std::map<std::string, Guess> fields; ///< method, path, body
    NamedGuesses query, headers, form;
    ExampleDocument document;
};

Guess &named(NamedGuesses &list, const std::string &name)
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
    case Operator::DeepEquals:
        guess.exact = textOf(value);
        break;
    case Operator::StartsWith:
        guess.prefix = textOf(value);
        break;
    case Operator::EndsWith:
        guess.suffix = textOf(value);
        break;
    case Operator::Contains:
        guess.parts.push_back(textOf(value));
        break;
    case Operator::Exists:
        guess.absent = !value.isTruthy();
        break;
    case Operator::Matches:
        if (const auto sample = regexSample(value.text()))
            guess.exact = *sample;
        break;
    default:
        return;
    }
    guess.wanted = !guess.absent;
}

std::string lowerCase(std::string text)
{
    for (char &c : text)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
}

/// A value that meets the operator; nothing where there need be none.
std::optional<json::Value> valueFor(Predicate::Operator op, const json::Value &expected)
{
    using Operator = Predicate::Operator;
    if (op == Operator::Exists)
        return expected.isTruthy() ? std::optional<json::Value>("test") : std::nullopt;
    if (op == Operator::Matches) {
        const auto sample = regexSample(expected.text());
        return sample ? std::optional<json::Value>(*sample) : std::nullopt;
    }
    return expected;
}

/// Members of a body that is expected to be an object.
void learnMembers(Guesses &guesses, Predicate::Operator op, const json::Value &expected, std::vector<std::string> path)
{
    if (!expected.isObject()) {
        if (const auto value = valueFor(op, expected))
            guesses.document.setMember(path, *value);
        return;
    }
    for (const auto &[name, member] : expected.members()) {
        path.push_back(name);
        learnMembers(guesses, op, member, path);
        path.pop_back();
    }
}

void learnBody(Guesses &guesses, const Predicate &predicate, const json::Value &expected)
{
    if (predicate.selector.kind != Selector::Kind::None) {
        if (const auto value = valueFor(predicate.op, expected))
            guesses.document.setSelected(predicate.selector, textOf(*value));
    } else if (expected.isObject()) {
        learnMembers(guesses, predicate.op, expected, {});
    } else if (expected.isArray()) {
        guesses.document.setMember({}, expected);
    } else {
        learn(guesses.fields["body"], predicate.op, expected);
    }
}

void learnField(Guesses &guesses, const Predicate &predicate, const std::string &field, const json::Value &value)
{
    if (field == "query" || field == "headers" || field == "form") {
        NamedGuesses &list = field == "query" ? guesses.query : field == "form" ? guesses.form : guesses.headers;
        for (const auto &[name, expected] : value.members())
            learn(named(list, name), predicate.op, expected);
    } else if (field == "method" || field == "path") {
        learn(guesses.fields[field], predicate.op, value);
    } else if (field == "body") {
        learnBody(guesses, predicate, value);
    }
}

void learn(Guesses &guesses, const Predicate &predicate)
{
    if (predicate.op == Predicate::Operator::And) {
        for (const Predicate &child : predicate.children)
            learn(guesses, child);
    } else if (predicate.op == Predicate::Operator::Or) {
        if (!predicate.children.empty())
            learn(guesses, predicate.children.front());
    } else if (predicate.op != Predicate::Operator::Not) {
        for (const auto &[name, value] : predicate.expected.members())
            learnField(guesses, predicate, lowerCase(name), value);
    }
}

std::string encodedPairs(const NamedGuesses &pairs)
{
    std::string text;
    for (const auto &[name, guess] : pairs) {
        if (guess.wanted)
            text += (text.empty() ? "" : "&") + http::percentEncode(name) + "=" + http::percentEncode(guess.text("1"));
    }
    return text;
}

std::string encodedPath(const std::string &path)
{
    std::string result;
    for (const char c : path) {
        const bool plain =
            static_cast<unsigned char>(c) > 0x20 && static_cast<unsigned char>(c) < 0x7f && c != '?' && c != '#';
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
    if (const std::string query = encodedPairs(guesses.query); !query.empty())
        request.path += '?' + query;
    for (const auto &[name, guess] : guesses.headers) {
        if (guess.wanted)
            request.headers.emplace_back(name, guess.text("test"));
    }
    const Guess &body = guesses.fields["body"];
    const std::string form = encodedPairs(guesses.form);
    if (body.exact || (body.wanted && form.empty() && !guesses.document.text()))
        request.body = body.text("test");
    else if (!form.empty())
        request.body = form;
    else
        request.body = guesses.document.text().value_or("");
    if (!form.empty() && !body.exact)
        request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
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
        const bool own = http::equalsIgnoringCase(header.name, "Host") ||
                         http::equalsIgnoringCase(header.name, "Connection") ||
                         http::equalsIgnoringCase(header.name, "Content-Length") ||
                         http::equalsIgnoringCase(header.name, "Transfer-Encoding");
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
