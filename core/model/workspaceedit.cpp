#include "model/workspaceedit.h"

#include <algorithm>
#include <charconv>
#include <functional>

namespace wardbench {
namespace {

using json::Path;
using json::Value;
using Step = WorkspaceEdit::Step;

constexpr std::size_t noIndex = static_cast<std::size_t>(-1);

std::size_t indexOf(const std::string &token)
{
    std::size_t index = 0;
    const auto [end, failure] = std::from_chars(token.data(), token.data() + token.size(), index);
    const bool plain = !token.empty() && failure == std::errc() && end == token.data() + token.size() &&
                       (token.size() == 1 || token.front() != '0');
    return plain ? index : noIndex;
}

Error missing(const Path &path, std::string_view expected)
{
    return fail("there is no " + json::toPointer(path) + " in the workspace; expected " + std::string(expected),
                Error::Code::NotFound);
}

/// What a step did: the changed parent, and the step that takes it back.
struct Change
{
    Value parent;
    Step inverse;
};

std::size_t memberIndex(const Value &object, const std::string &name)
{
    const json::Members &members = object.members();
    const auto found =
        std::find_if(members.begin(), members.end(), [&](const auto &member) { return member.first == name; });
    return static_cast<std::size_t>(found - members.begin());
}

Result<Change> setIn(const Value &parent, const Step &step)
{
    const std::string &last = step.path.back();
    Change change;
    change.inverse.path = step.path;
    if (parent.isArray()) {
        const std::size_t index = indexOf(last);
        if (index >= parent.size())
            return missing(step.path, "an item that exists");
        change.inverse.value = parent.at(index);
        change.parent = parent.withItem(index, step.value);
        return change;
    }
    if (!parent.isObject())
        return missing(step.path, "an object or array above it");
    if (const Value *before = parent.find(last)) {
        change.inverse.value = *before;
        change.parent = parent.withMember(last, step.value);
        return change;
    }
    change.inverse.kind = Step::Kind::Remove;
    const std::size_t place = step.index < 0 ? parent.size() : static_cast<std::size_t>(step.index);
    change.parent = parent.withMemberAt(place, last, step.value);
    return change;
}

Result<Change> insertIn(const Value &parent, const Step &step)
{
    if (!parent.isArray())
        return missing(step.path, "an array above it");
    const std::size_t index = step.path.back() == "-" ? parent.size() : indexOf(step.path.back());
    if (index > parent.size())
        return missing(step.path, "an index of at most " + std::to_string(parent.size()));
    Change change;
    change.parent = parent.withItemInserted(index, step.value);
    change.inverse.kind = Step::Kind::Remove;
    change.inverse.path = step.path;
    change.inverse.path.back() = std::to_string(index);
    return change;
}

Result<Change> removeIn(const Value &parent, const Step &step)
{
    Change change;
    change.inverse.path = step.path;
    if (parent.isArray()) {
        const std::size_t index = indexOf(step.path.back());
        if (index >= parent.size())
            return missing(step.path, "an item that exists");
        change.inverse.kind = Step::Kind::Insert;
        change.inverse.value = parent.at(index);
        change.parent = parent.withoutItem(index);
        return change;
    }
    const Value *before = parent.find(step.path.back());
    if (!before)
        return missing(step.path, "a member that exists");
    change.inverse.kind = Step::Kind::Set;
    change.inverse.value = *before;
    change.inverse.index = static_cast<int>(memberIndex(parent, step.path.back()));
    change.parent = parent.withoutMember(step.path.back());
    return change;
}

Result<Change> moveIn(const Value &parent, const Step &step)
{
    if (!parent.isArray())
        return missing(step.path, "an array above it");
    const std::size_t from = indexOf(step.path.back());
    if (from >= parent.size() || step.to >= parent.size())
        return missing(step.path, "positions below " + std::to_string(parent.size()));
    json::Array items = parent.items();
    const auto at = [&items](std::size_t index) {
        return items.begin() + static_cast<std::ptrdiff_t>(index);
    };
    if (from < step.to)
        std::rotate(at(from), at(from + 1), at(step.to + 1));
    else
        std::rotate(at(step.to), at(from), at(from + 1));
    Change change;
    change.parent = Value(std::move(items));
    change.inverse.kind = Step::Kind::Move;
    change.inverse.path = step.path;
    change.inverse.path.back() = std::to_string(step.to);
    change.inverse.to = from;
    return change;
}

Result<Change> changeParent(const Value &parent, const Step &step)
{
    switch (step.kind) {
    case Step::Kind::Set:
        return setIn(parent, step);
    case Step::Kind::Insert:
        return insertIn(parent, step);
    case Step::Kind::Remove:
        return removeIn(parent, step);
    case Step::Kind::Move:
        return moveIn(parent, step);
    }
    return fail("unknown kind of step");
}

/// Applies `step` below `value`, which stands at depth `level` of its path. Only the spine is copied.
Result<Change> changeBelow(const Value &value, const Step &step, std::size_t level)
{
    if (level + 1 == step.path.size())
        return changeParent(value, step);
    const std::string &token = step.path[level];
    const std::size_t index = value.isArray() ? indexOf(token) : 0;
    const Value *child = value.isArray() ? (index < value.size() ? &value.at(index) : nullptr) : value.find(token);
    if (!child)
        return missing(Path(step.path.begin(), step.path.begin() + static_cast<std::ptrdiff_t>(level) + 1),
                       "it to exist");
    Result<Change> below = changeBelow(*child, step, level + 1);
    if (!below)
        return below;
    below->parent = value.isArray() ? value.withItem(index, below->parent) : value.withMember(token, below->parent);
    return below;
}

Result<Change> changeRoot(const Value &root, const Step &step)
{
    if (!step.path.empty())
        return changeBelow(root, step, 0);
    if (step.kind != Step::Kind::Set)
        return fail("the whole workspace can only be replaced", Error::Code::BadInput);
    Change change;
    change.parent = step.value;
    change.inverse.value = root;
    return change;
}

WorkspaceEdit single(std::string text, Step::Kind kind, Path path, Value value, std::size_t to = 0)
{
    WorkspaceEdit edit(std::move(text));
    Step step;
    step.kind = kind;
    step.path = std::move(path);
    step.value = std::move(value);
    step.to = to;
    edit.add(std::move(step));
    return edit;
}

} // namespace

WorkspaceEdit WorkspaceEdit::set(std::string text, Path path, Value value)
{
    return single(std::move(text), Step::Kind::Set, std::move(path), std::move(value));
}

WorkspaceEdit WorkspaceEdit::insert(std::string text, Path arrayAndIndex, Value value)
{
    return single(std::move(text), Step::Kind::Insert, std::move(arrayAndIndex), std::move(value));
}

WorkspaceEdit WorkspaceEdit::remove(std::string text, Path path)
{
    return single(std::move(text), Step::Kind::Remove, std::move(path), {});
}

WorkspaceEdit WorkspaceEdit::move(std::string text, Path path, std::size_t to)
{
    return single(std::move(text), Step::Kind::Move, std::move(path), {}, to);
}

WorkspaceEdit &WorkspaceEdit::add(Step step)
{
    m_steps.push_back(std::move(step));
    return *this;
}

Result<WorkspaceEdit::Applied> WorkspaceEdit::apply(const Value &root) const
{
    Applied applied{root, WorkspaceEdit(m_text)};
    applied.inverse.m_group = m_group;
    for (const Step &step : m_steps) {
        Result<Change> change = changeRoot(applied.root, step);
        if (!change)
            return change.error();
        applied.root = std::move(change->parent);
        applied.inverse.m_steps.push_back(std::move(change->inverse));
    }
    std::reverse(applied.inverse.m_steps.begin(), applied.inverse.m_steps.end());
    return applied;
}

} // namespace wardbench
