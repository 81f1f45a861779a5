#pragma once

#include "document/workspaceids.h"
#include "http/message.h"
#include "model/workspace.h"
#include "model/workspaceedit.h"

#include <optional>
#include <string>
#include <vector>

namespace wardbench::edits {

/// An edit and where the thing it makes will stand.
struct Made
{
    WorkspaceEdit edit;
    json::Path path;
};

Made addMock(const Workspace &workspace);
/// A new stub before index `at` of a mock; -1 is the end.
Made addStub(const Workspace &workspace, std::size_t mock, int at = -1);
Made addPolicy(const Workspace &workspace);
/// Aims at the first mock.
Made addScenario(const Workspace &workspace);
/// A stub that answers `request` again: equal method, path and query, status 200. Before `at`; -1 is the end.
Made stubFromRequest(const Workspace &workspace, std::size_t mock, const http::Request &request, int at = -1);
/// A copy right after the thing at `path`, named "... (copy)".
std::optional<Made> duplicate(const Workspace &workspace, const json::Path &path);
WorkspaceEdit remove(const Workspace &workspace, const json::Path &path);
/// Up or down by one among its like; nothing at the ends.
std::optional<Made> moveBy(const Workspace &workspace, const json::Path &path, int delta);
/// To index `to` of its list, counted after it was taken out.
std::optional<Made> moveTo(const Workspace &workspace, const json::Path &path, std::size_t to);
/// A stub into another mock, before index `at`.
std::optional<Made> moveStub(const Workspace &workspace, const json::Path &path, std::size_t mock, std::size_t at);
/// A new name, also where scenarios refer to a mock or policy by it.
WorkspaceEdit rename(const Workspace &workspace, const json::Path &path, const std::string &name);
std::optional<WorkspaceEdit> toggleEnabled(const Workspace &workspace, const json::Path &path);

/// Inserts into a list that may not be there yet ("/policies" of a workspace without any).
WorkspaceEdit insertInto(const Workspace &workspace, std::string text, json::Path list, std::size_t at, json::Value value);
/// `base`, or `base 2`, `base 3`, ... whatever `taken` does not hold.
std::string uniqueName(const std::vector<std::string> &taken, const std::string &base);

} // namespace wardbench::edits
