#pragma once

#include "codec/workspacefile.h"

namespace wardbench::codec {

struct FileContent
{
    std::string bytes;
    bool cut = false; ///< larger than allowed: the rest was not read
    FileStamp stamp;
};

/// All of a file; "-" is standard input. Errors name the file and the reason.
Result<FileContent> readContent(const std::string &path, std::size_t maxBytes);

/// `cannot VERB PATH: REASON` with the system's words for `number`, and a code to match.
Error fileError(std::string_view verb, const std::string &path, int number);

} // namespace wardbench::codec
