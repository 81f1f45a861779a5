#include "warden/identifier.h"

#include "warden/identifierparser.h"
#include "warden/requestparts.h"

#include <algorithm>
#include <utility>

namespace wardbench {

using namespace warden;

class Identifier::Private
{
public:
    std::string prefix;        ///< policy name, made ready for the front of the key, and "_"
    std::vector<Piece> pieces; ///< none: the generic identifier

    void appendGeneric(const ClientRequest &request, std::string &key) const;
};

namespace {

std::string wordCharacters(std::string_view name)
{
    std::string word;
    std::copy_if(name.begin(), name.end(), std::back_inserter(word), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
    return word;
}

/// True for a map that holds something; `{}` is taken back.
bool keptMap(std::size_t start, std::string &key)
{
    if (key.size() - start > 2)
        return true;
    key.resize(start);
    return false;
}

bool appendOperand(const Operand &operand, const ClientRequest &request, std::string &key)
{
    const std::size_t start = key.size();
    const bool whole = operand.name.empty();
    switch (operand.variable) {
    case Variable::Url:
        appendPath(request.path, key);
        return true;
    case Variable::Method:
        key += request.method;
        return !request.method.empty();
    case Variable::Host:
        key += http::toLower(request.host);
        return !request.host.empty();
    case Variable::Scheme:
        key += request.scheme;
        return !request.scheme.empty();
    case Variable::Port:
        key += std::to_string(request.port);
        return true;
    case Variable::Body:
        return operand.path ? appendBodyValue(request.body, *operand.path, key) : appendBody(request.body, key);
    case Variable::Query:
        if (!whole)
            return appendQueryValue(request.path, operand.name, key);
        appendQueryMap(request.path, key);
        return keptMap(start, key);
    case Variable::Cookie:
        if (!whole)
            return appendCookie(request.headers, operand.name, key);
        appendCookieMap(request.headers, key);
        return keptMap(start, key);
    case Variable::Headers:
        if (!whole)
            return appendHeader(request.headers, operand.name, key);
        appendHeaderMap(request.headers, key);
        return keptMap(start, key);
    }
    return false;
}

void appendInterpolation(const Piece &piece, const ClientRequest &request, std::string &key)
{
    for (const Operand &operand : piece.alternatives) {
        if (appendOperand(operand, request, key))
            return;
    }
    key += '?';
}

} // namespace

void Identifier::Private::appendGeneric(const ClientRequest &request, std::string &key) const
{
    if (!request.host.empty()) {
        key += request.scheme;
        key += "://";
        key += request.host;
        key += ':';
        key += std::to_string(request.port);
    }
    appendPath(request.path, key);
    key += "_{\"cookie\":";
    appendCookieMap(request.headers, key);
    key += ",\"headers\":";
    appendHeaderMapBesideCookies(request.headers, key);
    key += ",\"query\":";
    appendQueryMap(request.path, key);
    key += "}_";
    key += request.method;
    if (!request.body.empty()) {
        key += '_';
        appendDigest(request.body, key);
    }
}

Identifier::Identifier() : d(std::make_unique<Private>()) {}
Identifier::Identifier(Identifier &&) noexcept = default;
Identifier &Identifier::operator=(Identifier &&) noexcept = default;
Identifier::~Identifier() = default;

Result<Identifier> Identifier::compile(std::string_view policyName, std::string_view text)
{
    Identifier identifier;
    if (text.empty()) {
        identifier.d->prefix = std::string(policyName) + '_';
        return identifier;
    }
    auto pieces = parseIdentifier(text);
    if (!pieces) {
        return fail("identifier of policy '" + std::string(policyName) + "': " + pieces.error().message,
                    pieces.error().code);
    }
    identifier.d->prefix = wordCharacters(policyName) + '_';
    identifier.d->pieces = std::move(*pieces);
    return identifier;
}

std::string Identifier::key(const ClientRequest &request) const
{
    std::string key;
    appendKey(request, key);
    return key;
}

void Identifier::appendKey(const ClientRequest &request, std::string &key) const
{
    key += d->prefix;
    if (d->pieces.empty())
        return d->appendGeneric(request, key);
    for (const Piece &piece : d->pieces) {
        if (piece.alternatives.empty())
            key += piece.text;
        else
            appendInterpolation(piece, request, key);
    }
}

bool Identifier::uses(std::string_view variable) const
{
    const auto isNamed = [variable](const Operand &operand) {
        return variableName(operand.variable) == variable;
    };
    if (d->pieces.empty())
        return variable == "url" || variable == "query" || variable == "cookie" || variable == "headers" ||
               variable == "method" || variable == "host" || variable == "body";
    return std::any_of(d->pieces.begin(), d->pieces.end(), [&isNamed](const Piece &piece) {
        return std::any_of(piece.alternatives.begin(), piece.alternatives.end(), isNamed);
    });
}

} // namespace wardbench
