#include "document/edits.h"

#include "codec/workspacefile.h"
#include "http/target.h"
#include "json/value.h"

#include <algorithm>
#include <map>

namespace wardbench::edits {

namespace {

template <typename T>
std::vector<std::string> names(const std::vector<T> &things)
{
    std::vector<std::string> result;
    for (const T &thing : things)
        result.push_back(thing->name);
    return result;
}

std::vector<std::string> siblingNames(const Workspace &workspace, const json::Path &path)
{
    if (path.size() > 2)
        return {};
    if (path.front() == "imposters")
        return names(workspace.imposters);
    return path.front() == "policies" ? names(workspace.policies) : names(workspace.scenarios);
}

std::size_t sizeOf(const Workspace &workspace, const json::Path &list)
{
    const json::Value *value = json::resolve(workspace.root, list);
    return value ? value->size() : 0;
}

json::Path child(json::Path list, std::size_t index)
{
    list.push_back(std::to_string(index));
    return list;
}

json::Path stubsOf(std::size_t mock)
{
    return {"imposters", std::to_string(mock), "stubs"};
}

std::size_t place(std::size_t size, int at)
{
    return at < 0 ? size : std::min(size, static_cast<std::size_t>(at));
}

/// "stub", "mock", "policy", "scenario": for undo texts.
std::string wordFor(const json::Path &path)
{
    if (path.size() > 2)
        return "stub";
    return path.front() == "imposters" ? "mock" : path.front() == "policies" ? "policy" : "scenario";
}

json::Path listOf(const json::Path &path)
{
    return {path.begin(), path.end() - 1};
}

std::size_t indexIn(const json::Path &path)
{
    return static_cast<std::size_t>(std::stoul(path.back()));
}

void renameReferences(WorkspaceEdit &edit, const Workspace &workspace, const char *member, const std::string &from,
                      const std::string &to)
{
    const json::Value &scenarios = workspace.root["scenarios"];
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        const json::Value &scenario = scenarios.at(i);
        const json::Path base{"scenarios", std::to_string(i)};
        if (scenario["request"][member].isString() && scenario["request"][member].text() == from)
            edit.add({WorkspaceEdit::Step::Kind::Set, {base[0], base[1], "request", member}, to});
        const json::Value &contestants = scenario["contestants"];
        for (std::size_t k = 0; k < contestants.size(); ++k) {
            const json::Value &value = contestants.at(k)[member];
            if (value.isString() && value.text() == from)
                edit.add({WorkspaceEdit::Step::Kind::Set, {base[0], base[1], "contestants", std::to_string(k), member}, to});
        }
    }
}

/// Query pairs as mountebank writes them: a repeated name has an array.
json::Value queryObject(std::string_view query)
{
    json::Value object = json::Value::object();
    for (const auto &[name, value] : http::parseQuery(query)) {
        const json::Value *known = object.find(name);
        if (!known)
            object = object.withMember(name, value);
        else if (known->isArray())
            object = object.withMember(name, known->withItemInserted(known->size(), value));
        else
            object = object.withMember(name, json::Array{*known, value});
    }
    return object;
}

} // namespace

std::string uniqueName(const std::vector<std::string> &taken, const std::string &base)
{
    const auto has = [&](const std::string &name) { return std::find(taken.begin(), taken.end(), name) != taken.end(); };
    std::string name = base;
    for (int n = 2; has(name); ++n)
        name = base + " " + std::to_string(n);
    return name;
}

WorkspaceEdit insertInto(const Workspace &workspace, std::string text, json::Path list, std::size_t at, json::Value value)
{
    const json::Value *array = json::resolve(workspace.root, list);
    if (!array || !array->isArray())
        return WorkspaceEdit::set(std::move(text), std::move(list), json::Array{std::move(value)});
    return WorkspaceEdit::insert(std::move(text), child(std::move(list), at), std::move(value));
}

Made addMock(const Workspace &workspace)
{
    const json::Path list{"imposters"};
    const std::size_t at = sizeOf(workspace, list);
    const std::string name = uniqueName(names(workspace.imposters), "new mock");
    return {insertInto(workspace, "Add mock", list, at, codec::newImposter(name)), child(list, at)};
}

Made addStub(const Workspace &workspace, std::size_t mock, int at)
{
    const json::Path list = stubsOf(mock);
    const std::size_t index = place(sizeOf(workspace, list), at);
    return {insertInto(workspace, "Add stub", list, index, codec::newStub()), child(list, index)};
}

Made addPolicy(const Workspace &workspace)
{
    const json::Path list{"policies"};
    const std::size_t at = sizeOf(workspace, list);
    const std::string name = uniqueName(names(workspace.policies), "new policy");
    return {insertInto(workspace, "Add policy", list, at, codec::newPolicy(name)), child(list, at)};
}

Made addScenario(const Workspace &workspace)
{
    const json::Path list{"scenarios"};
    const std::size_t at = sizeOf(workspace, list);
    const std::string name = uniqueName(names(workspace.scenarios), "new scenario");
    const std::string target = workspace.imposters.empty() ? "http://127.0.0.1:8080" : workspace.imposters.front()->name;
    return {insertInto(workspace, "Add scenario", list, at, codec::newScenario(name, target)), child(list, at)};
}

Made stubFromRequest(const Workspace &workspace, std::size_t mock, const http::Request &request, int at)
{
    json::Value equals = json::Value::object().withMember("method", request.method).withMember("path", request.path);
    if (!request.query.empty())
        equals = equals.withMember("query", queryObject(request.query));
    const json::Value predicate = json::Value::object().withMember("equals", equals);
    const json::Value answer = json::Value(json::Members{{"statusCode", 200}, {"body", ""}});
    json::Value stub = json::Value::object();
    stub = stub.withMember("predicates", json::Array{predicate});
    stub = stub.withMember("responses", json::Array{json::Value(json::Members{{"is", answer}})});
    const json::Path list = stubsOf(mock);
    const std::size_t index = place(sizeOf(workspace, list), at);
    return {insertInto(workspace, "Create stub from request", list, index, stub), child(list, index)};
}

std::optional<Made> duplicate(const Workspace &workspace, const json::Path &path)
{
    const json::Value *value = json::resolve(workspace.root, path);
    if (!value)
        return {};
    json::Value copy = *value;
    if (const json::Value *name = copy.find("name"); name && name->isString())
        copy = copy.withMember("name", uniqueName(siblingNames(workspace, path), name->text() + " (copy)"));
    if (path.size() == 2 && path.front() == "imposters" && copy["port"].toInteger().value_or(0) != 0)
        copy = copy.withoutMember("port"); // two mocks cannot share a port
    const std::size_t at = indexIn(path) + 1;
    return Made{WorkspaceEdit::insert("Duplicate " + wordFor(path), child(listOf(path), at), copy), child(listOf(path), at)};
}

WorkspaceEdit remove(const Workspace &, const json::Path &path)
{
    return WorkspaceEdit::remove("Delete " + wordFor(path), path);
}

std::optional<Made> moveBy(const Workspace &workspace, const json::Path &path, int delta)
{
    const std::ptrdiff_t to = static_cast<std::ptrdiff_t>(indexIn(path)) + delta;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(sizeOf(workspace, listOf(path))))
        return {};
    return moveTo(workspace, path, static_cast<std::size_t>(to));
}

std::optional<Made> moveTo(const Workspace &workspace, const json::Path &path, std::size_t to)
{
    const std::size_t size = sizeOf(workspace, listOf(path));
    if (size == 0 || to >= size || to == indexIn(path))
        return {};
    return Made{WorkspaceEdit::move("Move " + wordFor(path), path, to), child(listOf(path), to)};
}

std::optional<Made> moveStub(const Workspace &workspace, const json::Path &path, std::size_t mock, std::size_t at)
{
    const json::Value *value = json::resolve(workspace.root, path);
    if (!value || path.size() != 4)
        return {};
    const json::Path list = stubsOf(mock);
    WorkspaceEdit edit = insertInto(workspace, "Move stub", list, std::min(at, sizeOf(workspace, list)), *value);
    edit.add({WorkspaceEdit::Step::Kind::Remove, path, {}});
    return Made{edit, child(list, std::min(at, sizeOf(workspace, list)))};
}

WorkspaceEdit rename(const Workspace &workspace, const json::Path &path, const std::string &name)
{
    const json::Value *value = json::resolve(workspace.root, path);
    const std::string from = value ? (*value)["name"].text() : std::string();
    json::Path member = path;
    member.push_back("name");
    WorkspaceEdit edit("Rename " + wordFor(path));
    if (name.empty() && value && value->find("name"))
        edit.add({WorkspaceEdit::Step::Kind::Remove, member, {}});
    else if (!name.empty())
        edit.add({WorkspaceEdit::Step::Kind::Set, member, name, 0});
    if (path.size() == 2 && !from.empty() && path.front() == "imposters")
        renameReferences(edit, workspace, "target", from, name);
    if (path.size() == 2 && !from.empty() && path.front() == "policies")
        renameReferences(edit, workspace, "policy", from, name);
    return edit;
}

std::optional<WorkspaceEdit> toggleEnabled(const Workspace &workspace, const json::Path &path)
{
    const json::Value *value = json::resolve(workspace.root, path);
    if (!value || path.size() != 4)
        return {};
    json::Path member = path;
    member.push_back("enabled");
    if (!(*value)["enabled"].toBool(true)) // on is the default: the member goes
        return WorkspaceEdit::remove("Enable stub", member);
    WorkspaceEdit edit("Disable stub");
    edit.add({WorkspaceEdit::Step::Kind::Set, member, false, value->find("name") ? 1 : 0});
    return edit;
}

} // namespace wardbench::edits
