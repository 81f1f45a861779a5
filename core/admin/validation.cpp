#include "admin/validation.h"

#include "admin/behaviorcheck.h"
#include "admin/dryrun.h"
#include "admin/injectioncheck.h"
#include "codec/decoders.h"

#include <algorithm>
#include <array>

namespace wardbench::admin {
namespace {

constexpr std::array protocols{"http", "https", "tcp", "smtp"};

/// mountebank's rule: above 0, below 65536, no decimal point; text that is such a number passes.
bool isPort(const json::Value &port)
{
    if (!port.isNumber() && !port.isString())
        return false;
    const std::string &text = port.text();
    const auto whole = codec::wholeNumber(port);
    return whole && *whole > 0 && *whole < 65536 && text.find('.') == std::string::npos;
}

bool isRepeat(const json::Value &repeat)
{
    const auto whole = codec::wholeNumber(repeat);
    return whole && *whole > 0;
}

/// What of a stub's responses is wrong by its form.
void checkResponses(const json::Value &stub, std::vector<ApiError> &errors)
{
    for (const json::Value &response : stub["responses"].items()) {
        if (const json::Value *behaviors = response.find("behaviors")) {
            for (ApiError &error : checkBehaviors(*behaviors))
                errors.push_back(std::move(error));
        }
        if (const json::Value *repeat = response.find("repeat"); repeat && !isRepeat(*repeat))
            errors.push_back(badData("\"repeat\" field must be an integer greater than 0", response));
    }
}

/// The first error of our own decoding: what the engine could not do as written.
void checkDecoding(const json::Value &part, const Issues &issues, std::vector<ApiError> &errors)
{
    for (const Issue &issue : issues) {
        if (issue.severity == Issue::Severity::Error) {
            errors.push_back(badData((issue.pointer.empty() ? "" : issue.pointer + ": ") + issue.message, part));
            return;
        }
    }
}

} // namespace

std::vector<ApiError> Validation::address(const json::Value &imposter) const
{
    std::vector<ApiError> errors;
    const json::Value *port = imposter.find("port");
    if (port && !isPort(*port))
        errors.push_back(badData("invalid value for 'port'"));
    const json::Value &protocol = imposter["protocol"];
    const std::string name = protocol.isString() ? protocol.text() : codec::shown(protocol);
    if (!protocol.isTruthy())
        errors.push_back(badData("'protocol' is a required field"));
    else if (!m_foreign.contains(name) && std::find(protocols.begin(), protocols.end(), name) == protocols.end())
        errors.push_back(badData("the " + name + " protocol is not yet supported"));
    return errors;
}

std::vector<ApiError> Validation::imposter(const json::Value &imposter) const
{
    std::vector<ApiError> errors = address(imposter);
    if (!errors.empty())
        return errors;
    const json::Value *given = imposter.find("stubs");
    if (given && !given->isArray())
        return {badData("'stubs' must be an array")};
    errors = stubs(imposter["stubs"].items(), imposter);
    const json::Value &resolver = imposter["endOfRequestResolver"];
    if (!m_allowInjection && resolver.find("inject"))
        errors.push_back(javascriptRefused(resolver));
    const json::Value &mode = imposter["mode"];
    if (imposter["protocol"].text() == "tcp" && !mode.isNull() && mode.text() != "text" && mode.text() != "binary")
        errors.push_back(badData("'mode' must be one of ['text', 'binary']"));
    if (errors.empty()) {
        Issues issues;
        codec::decodeImposterSettings(codec::SchemaReader(imposter.withoutMember("stubs"), "", issues));
        checkDecoding(imposter, issues, errors);
    }
    return errors;
}

std::vector<ApiError> Validation::stubs(const json::Array &stubs, const json::Value &imposter) const
{
    std::vector<ApiError> errors;
    for (const json::Value &stub : stubs) {
        std::vector<ApiError> own;
        if (stub["responses"].size() == 0 || !stub["responses"].isArray())
            own.push_back(badData("'responses' must be a non-empty array", stub));
        if (!m_allowInjection) {
            for (ApiError &error : checkInjection(stub))
                own.push_back(std::move(error));
        }
        checkResponses(stub, own);
        if (own.empty()) {
            if (auto problem = dryRun(stub, imposter))
                own.push_back(std::move(*problem));
        }
        if (own.empty()) {
            Issues issues;
            codec::decodeStub(codec::SchemaReader(stub, "", issues));
            checkDecoding(stub, issues, own);
        }
        std::move(own.begin(), own.end(), std::back_inserter(errors));
    }
    return errors;
}

} // namespace wardbench::admin
