#pragma once

#include "base/result.h"
#include "json/pointer.h"

#include <string>
#include <vector>

namespace wardbench {

/// A change of a workspace's tree: a list of steps that apply all or nothing. `apply` returns the inverse, so undo
/// is an edit like any other.
class WorkspaceEdit
{
public:
    struct Step
    {
        enum class Kind { Set, Insert, Remove, Move };
        Kind kind = Kind::Set;
        /// Set: the value replaced, or the member added (members before it stay; `index` places it when >= 0).
        /// Insert: the array and the index before which `value` goes ("/stubs/2", or "/stubs/-" for the end).
        /// Remove: the member or item. Move: the item moved within its array to index `to`.
        json::Path path;
        json::Value value;
        int index = -1; ///< Set of a new member: its place among the members; -1 is last
        std::size_t to = 0;
    };

    WorkspaceEdit() = default;
    explicit WorkspaceEdit(std::string text) : m_text(std::move(text)) {}

    static WorkspaceEdit set(std::string text, json::Path path, json::Value value);
    static WorkspaceEdit insert(std::string text, json::Path arrayAndIndex, json::Value value);
    static WorkspaceEdit remove(std::string text, json::Path path);
    static WorkspaceEdit move(std::string text, json::Path path, std::size_t to);

    WorkspaceEdit &add(Step step);
    const std::vector<Step> &steps() const { return m_steps; }
    /// What a person would call it, in the imperative: "Change status to 503". For undo menus.
    const std::string &text() const { return m_text; }
    /// Edits of one group that follow each other are one thing to a person, who undoes them at once; empty: of none.
    /// The inverse is of the same group.
    const std::string &group() const { return m_group; }
    void setGroup(std::string group) { m_group = std::move(group); }

    struct Applied;
    /// The changed tree and the inverse; `root` stays as it is. Fails, changing nothing, when a path does not exist.
    Result<Applied> apply(const json::Value &root) const;

private:
    std::string m_text, m_group;
    std::vector<Step> m_steps;
};

struct WorkspaceEdit::Applied
{
    json::Value root;
    WorkspaceEdit inverse;
};

} // namespace wardbench
