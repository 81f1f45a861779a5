#pragma once

#include "base/result.h"
#include "codec/workspacefile.h"

namespace wardbench::cli {

/// A loaded file and everything that can be said about it.
struct CheckedFile
{
    WorkspacePtr workspace; ///< null when the text could not be parsed
    Issues issues;          ///< decoding, lint and identifiers; with positions, in file order
    bool mountebank = false;
};

/// Loads and checks a file ("-": standard input). Fails only when it cannot be read.
Result<CheckedFile> checkedFile(const std::string &path);

} // namespace wardbench::cli
