#include "admin/dryrun.h"

#include "codec/decoders.h"
#include "http/target.h"
#include "match/compiledpredicate.h"

#include <algorithm>
#include <array>

namespace wardbench::admin {
namespace {

constexpr std::array operators{"equals", "deepEquals", "contains", "startsWith", "endsWith", "matches",
                               "exists", "not",        "or",       "and",        "inject"};

using Problem = std::optional<ApiError>;

std::string operatorOf(const json::Value &predicate)
{
    for (const json::Member &member : predicate.members()) {
        if (std::find(operators.begin(), operators.end(), member.first) != operators.end())
            return member.first;
    }
    return {};
}

/// What binary mode does not allow.
Problem binaryProblem(const json::Value &predicate, const std::string &op)
{
    if (op == "matches")
        return badData("the matches predicate is not allowed in binary mode", predicate);
    for (const char *parameter : {"xpath", "jsonpath"}) {
        if (predicate[parameter].isTruthy())
            return badData("the " + std::string(parameter) + " predicate parameter is not allowed in binary mode",
                           predicate);
    }
    return std::nullopt;
}

Problem predicateProblem(const json::Value &predicate, bool binary)
{
    const std::string op = operatorOf(predicate);
    if (op.empty())
        return badData("missing predicate", predicate);
    if (binary) {
        if (Problem problem = binaryProblem(predicate, op))
            return problem;
    }
    const json::Value &operand = predicate[op];
    if (op == "not")
        return predicateProblem(operand, binary);
    if (op == "and" || op == "or") {
        if (!operand.isArray())
            return badData("'" + op + "' must be an array of predicates", predicate);
        for (const json::Value &inner : operand.items()) {
            if (Problem problem = predicateProblem(inner, binary))
                return problem;
        }
    }
    return std::nullopt;
}

/// What the predicate's own parts say when they are made ready: patterns and selectors.
Problem compileProblem(const json::Value &predicate)
{
    Issues issues;
    const Predicate decoded = codec::decodePredicate(codec::SchemaReader(predicate, "", issues));
    PredicateProblem problem;
    compilePredicate(decoded, problem);
    if (problem.empty() || decoded.hasScript())
        return std::nullopt;
    if (decoded.selector.kind == Selector::Kind::XPath && problem.find("xpath") != std::string::npos)
        return badData("malformed xpath predicate selector", predicate);
    return badData(problem, predicate);
}

Problem proxyProblem(const json::Value &proxy, const std::string &protocol)
{
    const json::Value &to = proxy["to"];
    if (!to.isTruthy())
        return badData("Missing to", proxy);
    if (protocol != "http" && protocol != "https")
        return std::nullopt;
    http::Url url;
    if (!http::parseUrl(to.text(), url))
        return badData("proxy.to must be an absolute http or https URL", proxy);
    const std::string path = url.path.substr(0, url.path.find('?'));
    if (path != "/")
        return badData("proxy.to must not contain a path '" + path + "'", proxy);
    return std::nullopt;
}

Problem responseProblem(const json::Value &response, const std::string &protocol)
{
    int kinds = 0;
    for (const char *kind : {"is", "proxy", "inject", "fault"})
        kinds += response[kind].isTruthy() || (response.find(kind) && response[kind].isObject());
    // A fault of ours, which is an object, spoils an answer instead of taking its place.
    if (response["fault"].isObject() && kinds > 1)
        --kinds;
    if (kinds > 1)
        return badData("each response object must have only one response type", response);
    if (kinds == 0)
        return badData("unrecognized response type", response);
    return response["proxy"].isTruthy() ? proxyProblem(response["proxy"], protocol) : std::nullopt;
}

} // namespace

std::optional<ApiError> dryRun(const json::Value &stub, const json::Value &imposter)
{
    const std::string &protocol = imposter["protocol"].text();
    const bool binary = protocol == "tcp" && imposter["mode"].text() == "binary";
    if (stub.find("predicates") && !stub["predicates"].isArray())
        return badData("'predicates' must be an array", stub);
    for (const json::Value &predicate : stub["predicates"].items()) {
        if (Problem problem = predicateProblem(predicate, binary))
            return problem;
        if (Problem problem = compileProblem(predicate))
            return problem;
    }
    for (const json::Value &response : stub["responses"].items()) {
        if (Problem problem = responseProblem(response, protocol))
            return problem;
    }
    return std::nullopt;
}

} // namespace wardbench::admin
