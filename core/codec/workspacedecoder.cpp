#include "codec/workspacefile.h"

#include "base/nearestname.h"
#include "codec/decoders.h"
#include "codec/listmatch.h"

#include <algorithm>
#include <atomic>

namespace wardbench::codec {
namespace {

/// Something decoded, with the issues found in it; their pointers begin at its own subtree, which may move.
template <typename T>
struct Decoded
{
    std::shared_ptr<const T> thing;
    Issues issues;
};

template <typename T>
struct DecodedList
{
    json::Value node; ///< the array; keeps the nodes alive by which the next decoding recognises them
    std::vector<Decoded<T>> items;
    Issues issues; ///< of the array itself
};

struct DecodedImposter
{
    ImposterPtr thing;
    Issues issues; ///< all but those of the stubs
    DecodedList<Stub> stubs;
};

/// What Workspace::decoded points to.
struct Decoding
{
    json::Value imposterNode;
    std::vector<DecodedImposter> imposters;
    Issues imposterIssues;
    DecodedList<Policy> policies;
    DecodedList<Scenario> scenarios;
};

StubId nextStubId()
{
    static std::atomic<StubId> last{0};
    return ++last;
}

void append(Issues &all, const Issues &issues, const std::string &pointer)
{
    for (Issue issue : issues) {
        issue.pointer = pointer + issue.pointer;
        all.push_back(std::move(issue));
    }
}

/// The array a list is read from: issues when it is none, and an empty one instead.
json::Value arrayNode(const json::Value &parent, std::string_view member, Issues &issues)
{
    const json::Value &value = parent[member];
    if (value.isArray())
        return value;
    if (parent.find(member))
        SchemaReader(value, "", issues).expected("an array");
    return json::Value::array();
}

/// Decodes the items of `node` with `make`, taking over from `before` what did not change.
template <typename T, typename Make>
std::vector<Decoded<T>> decodeItems(const json::Value &node, const DecodedList<T> *before, const Make &make)
{
    static const json::Array none;
    const ListMatch match = matchLists(before ? before->node.items() : none, node.items());
    std::vector<Decoded<T>> items(node.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        const ListMatch::Item &item = match.items[i];
        if (item.same) {
            items[i] = before->items[item.old];
            continue;
        }
        const T *old = item.old == ListMatch::none ? nullptr : before->items[item.old].thing.get();
        items[i].thing = std::make_shared<const T>(make(SchemaReader(node.at(i), "", items[i].issues), old));
    }
    return items;
}

template <typename T, typename Make>
DecodedList<T> decodeList(const json::Value &parent, std::string_view member, const DecodedList<T> *before,
                          const Make &make)
{
    DecodedList<T> list;
    list.node = arrayNode(parent, member, list.issues);
    if (before && before->node.node() == list.node.node())
        return *before;
    list.items = decodeItems<T>(list.node, before, make);
    return list;
}

DecodedImposter decodeImposter(const json::Value &value, const DecodedImposter *before)
{
    DecodedImposter result;
    Imposter imposter = decodeImposterSettings(SchemaReader(value, "", result.issues));
    const auto makeStub = [](const SchemaReader &reader, const Stub *old) {
        Stub stub = decodeStub(reader);
        stub.id = old ? old->id : nextStubId();
        return stub;
    };
    result.stubs = decodeList<Stub>(value, "stubs", before ? &before->stubs : nullptr, makeStub);
    for (const Decoded<Stub> &stub : result.stubs.items)
        imposter.stubs.push_back(stub.thing);
    result.thing = std::make_shared<const Imposter>(std::move(imposter));
    return result;
}

void decodeImposters(Decoding &decoding, const json::Value &root, const Decoding *before)
{
    static const json::Array none;
    decoding.imposterNode = arrayNode(root, "imposters", decoding.imposterIssues);
    const json::Array &items = decoding.imposterNode.items();
    const ListMatch match = matchLists(before ? before->imposterNode.items() : none, items);
    for (std::size_t i = 0; i < items.size(); ++i) {
        const ListMatch::Item &item = match.items[i];
        const DecodedImposter *old = item.old == ListMatch::none ? nullptr : &before->imposters[item.old];
        decoding.imposters.push_back(item.same ? *old : decodeImposter(items[i], old));
    }
}

void checkRoot(const SchemaReader &root)
{
    static const std::vector<std::string> known{"format", "name", "imposters", "policies", "scenarios"};
    const SchemaReader format = root["format"];
    const std::string &text = format.value().text();
    if (!format.present())
        root.error("has no \"format\"; expected \"format\": \"wardbench/1\", or a mountebank imposters file");
    else if (text != "wardbench/1" && text.substr(0, 10) == "wardbench/")
        format.error(shown(format.value()) + " is a format of another version; expected \"wardbench/1\"");
    else if (text != "wardbench/1")
        format.expected("\"wardbench/1\"");
    for (const json::Member &member : root.value().members()) {
        if (std::find(known.begin(), known.end(), member.first) != known.end())
            continue;
        // Members of others are kept in silence; a slip of the pen is worth a word.
        const std::string nearest = nearestName(member.first, known);
        if (!nearest.empty())
            root[member.first].warning("\"" + member.first + "\" is not known here and has no effect" +
                                       suggestion(member.first, known));
    }
}

template <typename T>
void fill(std::vector<std::shared_ptr<const T>> &things, Issues &issues, const DecodedList<T> &list,
          const std::string &pointer)
{
    append(issues, list.issues, pointer);
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        things.push_back(list.items[i].thing);
        append(issues, list.items[i].issues, json::childPointer(pointer, i));
    }
}

void fillImposters(Workspace &workspace, const Decoding &decoding)
{
    const std::string pointer = "/imposters";
    append(workspace.issues, decoding.imposterIssues, pointer);
    for (std::size_t i = 0; i < decoding.imposters.size(); ++i) {
        const DecodedImposter &imposter = decoding.imposters[i];
        workspace.imposters.push_back(imposter.thing);
        append(workspace.issues, imposter.issues, json::childPointer(pointer, i));
        std::vector<StubPtr> ignored; // the imposter has them
        fill(ignored, workspace.issues, imposter.stubs, json::childPointer(pointer, i) + "/stubs");
    }
}

} // namespace

WorkspacePtr decodeWorkspace(const json::Value &root, const WorkspacePtr &previous)
{
    auto workspace = std::make_shared<Workspace>();
    auto decoding = std::make_shared<Decoding>();
    const auto *before = previous ? static_cast<const Decoding *>(previous->decoded.get()) : nullptr;
    workspace->root = root;
    const SchemaReader reader(root, "", workspace->issues);
    if (reader.isObject())
        checkRoot(reader);
    workspace->name = reader["name"].text();

    decodeImposters(*decoding, root, before);
    decoding->policies =
        decodeList<Policy>(root, "policies", before ? &before->policies : nullptr,
                           [](const SchemaReader &item, const Policy *) { return decodePolicy(item); });
    decoding->scenarios =
        decodeList<Scenario>(root, "scenarios", before ? &before->scenarios : nullptr,
                             [](const SchemaReader &item, const Scenario *) { return decodeScenario(item); });
    fillImposters(*workspace, *decoding);
    fill(workspace->policies, workspace->issues, decoding->policies, "/policies");
    fill(workspace->scenarios, workspace->issues, decoding->scenarios, "/scenarios");
    workspace->decoded = std::move(decoding);
    return workspace;
}

} // namespace wardbench::codec
