#pragma once

#include "cli/command.h"

#include <string>
#include <vector>

namespace wardbench::cli {

/// `serve --explain`: for each imposter of the files (of those whose name fits `only`) which stub would answer
/// `request`, and why the others would not, nearest first. `request` is "METHOD /path", or a file that holds a request
/// as mountebank writes it ("-": standard input). Nothing is served. Returns an exit code.
int explain(const QString &request, const std::vector<std::string> &files, const std::vector<std::string> &only,
            const Streams &streams);

} // namespace wardbench::cli
