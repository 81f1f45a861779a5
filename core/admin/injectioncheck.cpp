#include "admin/injectioncheck.h"

namespace wardbench::admin {
namespace {

bool predicateHasScript(const json::Value &predicate)
{
    if (predicate.find("inject"))
        return true;
    if (const json::Value *inner = predicate.find("not"); inner && predicateHasScript(*inner))
        return true;
    for (const char *list : {"and", "or"}) {
        for (const json::Value &inner : predicate[list].items()) {
            if (predicateHasScript(inner))
                return true;
        }
    }
    return false;
}

bool proxyHasScript(const json::Value &proxy)
{
    if (proxy["addDecorateBehavior"].isTruthy())
        return true;
    for (const json::Value &generator : proxy["predicateGenerators"].items()) {
        if (generator.find("inject"))
            return true;
    }
    return false;
}

bool responseHasScript(const json::Value &response)
{
    if (response.find("inject") || proxyHasScript(response["proxy"]))
        return true;
    for (const json::Value &behavior : response["behaviors"].items()) {
        if (behavior.find("decorate") || behavior["wait"].isString())
            return true;
    }
    return false;
}

bool responseHasShell(const json::Value &response)
{
    for (const json::Value &behavior : response["behaviors"].items()) {
        if (behavior.find("shellTransform"))
            return true;
    }
    return false;
}

} // namespace

ApiError javascriptRefused(const json::Value &source)
{
    return {"invalid injection", "JavaScript injection is not allowed unless mb is run with the --allowInjection flag",
            source};
}

std::vector<ApiError> checkInjection(const json::Value &stub)
{
    bool script = false;
    bool shell = false;
    for (const json::Value &predicate : stub["predicates"].items())
        script = script || predicateHasScript(predicate);
    for (const json::Value &response : stub["responses"].items()) {
        script = script || responseHasScript(response);
        shell = shell || responseHasShell(response);
    }
    std::vector<ApiError> errors;
    if (script)
        errors.push_back(javascriptRefused(stub));
    if (shell)
        errors.push_back({"invalid injection",
                          "Shell execution is not allowed unless mb is run with the --allowInjection flag", stub});
    return errors;
}

} // namespace wardbench::admin
