#pragma once

#include "json/value.h"

#include <string>
#include <vector>

namespace wardbench::codec {

/// A tree in another format, and what could not be said there, each with its place.
struct Converted
{
    json::Value root;
    std::vector<std::string> losses;
};

/// `{"imposters": [...]}` of a workspace, as mountebank serves it. Members that it ignores stay, so that the way back
/// is whole; what it would refuse or serve otherwise is put into its words or left out.
Converted toMountebank(const json::Value &workspace);
/// The workspace of a file's tree (LoadedFile::workspace->root).
Converted toWorkspace(const json::Value &root);

} // namespace wardbench::codec
