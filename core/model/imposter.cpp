#include "model/imposter.h"

#include <algorithm>

namespace wardbench {
namespace {

template <typename List>
bool anyHasScript(const List &list)
{
    return std::any_of(list.begin(), list.end(), [](const auto &one) { return one.hasScript(); });
}

} // namespace

bool Predicate::hasScript() const
{
    return op == Operator::Inject || anyHasScript(children);
}

bool Proxy::hasScript() const
{
    const json::Array &generators = predicateGenerators.items();
    return !addDecorateBehavior.empty() ||
           std::any_of(generators.begin(), generators.end(),
                       [](const json::Value &one) { return one.find("inject") != nullptr; });
}

bool Response::hasScript() const
{
    if (kind == Kind::Inject || (kind == Kind::Proxy && proxy.hasScript()))
        return true;
    return std::any_of(behaviors.begin(), behaviors.end(), [](const Behavior &behavior) {
        return behavior.kind == Behavior::Kind::Decorate || behavior.kind == Behavior::Kind::ShellTransform ||
               behavior.wait.kind == Delay::Kind::Script;
    });
}

bool Stub::hasScript() const
{
    return enabled && (anyHasScript(predicates) || anyHasScript(responses));
}

bool Imposter::hasScript() const
{
    return !endOfRequestScript.empty() ||
           std::any_of(stubs.begin(), stubs.end(), [](const StubPtr &stub) { return stub->hasScript(); });
}

std::string Imposter::displayName() const
{
    if (!name.empty())
        return name;
    return port == 0 ? protocol : protocol + " " + std::to_string(port);
}

} // namespace wardbench
