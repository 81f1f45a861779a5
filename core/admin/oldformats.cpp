#include "admin/oldformats.h"

#include "json/writer.h"

#include <array>

namespace wardbench::admin {
namespace {

/// The items of `array` passed through `change`; the same node when none of them changes.
template <typename Change>
json::Value mapped(const json::Value &array, const Change &change)
{
    json::Array items;
    bool changed = false;
    items.reserve(array.size());
    for (const json::Value &item : array.items()) {
        items.push_back(change(item));
        changed = changed || !items.back().sameNode(item);
    }
    return changed ? json::Value(std::move(items)) : array;
}

/// `_behaviors` was an object, whose members ran in an order of their own.
json::Value modernBehaviors(const json::Value &response)
{
    const json::Value &old = response["_behaviors"];
    if (!old.isObject() || response.find("behaviors") || response.find("repeat"))
        return response;
    json::Array behaviors;
    for (const char *name : {"wait", "lookup", "copy", "shellTransform", "decorate"}) {
        const json::Value *value = old.find(name);
        if (!value)
            continue;
        const json::Array each = value->isArray() ? value->items() : json::Array{*value};
        for (const json::Value &one : each)
            behaviors.push_back(json::Members{{name, one}});
    }
    json::Value modern = response.withoutMember("_behaviors");
    if (old.find("repeat"))
        modern = modern.withMember("repeat", old["repeat"]);
    return behaviors.empty() ? modern : modern.withMember("behaviors", std::move(behaviors));
}

json::Value modernTcpProxy(const json::Value &response)
{
    const json::Value &to = response["proxy"]["to"];
    if (!to.isObject())
        return response;
    const auto text = [](const json::Value &part) {
        return part.isString() || part.isNumber() ? part.text() : std::string();
    };
    const std::string url = "tcp://" + text(to["host"]) + ':' + text(to["port"]);
    return response.withMember("proxy", response["proxy"].withMember("to", url));
}

} // namespace

json::Value modernStub(const json::Value &stub, std::string_view protocol)
{
    const json::Value *responses = stub.find("responses");
    if (!responses || !responses->isArray())
        return stub;
    json::Value modern = mapped(*responses, [&](const json::Value &response) {
        const json::Value step = modernBehaviors(response);
        return protocol == "tcp" ? modernTcpProxy(step) : step;
    });
    return modern.sameNode(*responses) ? stub : stub.withMember("responses", std::move(modern));
}

json::Value modernImposter(const json::Value &imposter)
{
    const json::Value *stubs = imposter.find("stubs");
    if (!stubs || !stubs->isArray())
        return imposter;
    const std::string &protocol = imposter["protocol"].text();
    json::Value modern = mapped(*stubs, [&](const json::Value &stub) { return modernStub(stub, protocol); });
    return modern.sameNode(*stubs) ? imposter : imposter.withMember("stubs", std::move(modern));
}

} // namespace wardbench::admin
