#pragma once

#include "base/result.h"
#include "model/workspace.h"

#include <string>
#include <variant>

namespace wardbench {

/// Identity of a file's content when it was read, to notice changes behind our back.
struct FileStamp
{
    bool exists = false;
    std::uint64_t size = 0;
    std::int64_t modifiedNs = 0;
    std::uint64_t hash = 0; ///< of the content

    friend bool operator==(const FileStamp &, const FileStamp &) = default;
};

/// A file as loaded. `workspace` is set even when there are issues, unless the text is not JSON at all.
struct LoadedFile
{
    WorkspacePtr workspace; ///< null when the text could not be parsed
    Issues issues;          ///< all of them, with positions, in file order
    std::string text;
    FileStamp stamp;
    bool mountebank = false;  ///< a plain mountebank imposters file (an imposter, or {"imposters":[...]})
    bool oneImposter = false; ///< the file's root is the workspace's /imposters/0
};

namespace codec {

/// Decodes a tree; unchanged subtrees of `previous` keep their objects and stub ids. The store's Decoder.
WorkspacePtr decodeWorkspace(const json::Value &root, const WorkspacePtr &previous);

/// A workspace or a mountebank imposters file from text.
LoadedFile loadText(std::string text, std::size_t maxBytes = 64u << 20);
/// From a file; "-" is standard input. Fails only when it cannot be read.
Result<LoadedFile> loadFile(const std::string &path, std::size_t maxBytes = 64u << 20);
/// Gives issues about `file.workspace` (lint's) their positions in the file's text, and pointers into that text.
void placeIssues(Issues &issues, const LoadedFile &file);

/// Writes `root` to `path` atomically: temporary file beside it, fsync, rename, fsync of the folder; 0600 for new
/// files, the old mode otherwise; symbolic links are followed. When `expected` is given and the file on disk is not
/// the one it describes, fails with ChangedOnDisk and touches nothing. Returns the new stamp.
Result<FileStamp> saveFile(const std::string &path, const json::Value &root, const FileStamp *expected);
/// The same for any bytes (results, charts).
Result<void> writeFileAtomically(const std::string &path, std::string_view bytes);
FileStamp stampOf(const std::string &path);
/// Where what a file names beside itself is looked for; empty (the current folder) for standard input and no file.
std::string folderOf(const std::string &path);

/// An empty workspace's tree; a new imposter (404 default answer, keepAlive), stub, policy, scenario with defaults.
json::Value newWorkspace(std::string_view name);
json::Value newImposter(std::string_view name);
json::Value newStub();
json::Value newPolicy(std::string_view name);
json::Value newScenario(std::string_view name, std::string_view target);

} // namespace codec
} // namespace wardbench
