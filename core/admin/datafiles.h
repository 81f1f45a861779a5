#pragma once

#include "base/result.h"
#include "model/imposter.h"
#include "json/value.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace wardbench::admin {

/// The files of one imposter in mountebank's data folder (mountebank.md 3.6). Folders and files are named relative to
/// the imposter's folder.

/// A response and its file, relative to the stub's folder.
struct StoredResponse
{
    json::Value response;
    std::string file;
};

struct StoredStub
{
    StubId id = 0;    ///< of the running stub
    json::Value stub; ///< whole, with its responses
    std::string folder;
    std::vector<StoredResponse> responses;
    std::uint64_t turns = 0;  ///< uses of the ring of responses, repeats counted, after which it begins anew
    std::uint64_t cursor = 0; ///< the next one of them
    json::Array matches{};    ///< as they were recorded; read only
};

struct StoredImposter
{
    json::Value imposter; ///< whole, with its stubs
    std::vector<StoredStub> stubs;
    json::Array requests{}; ///< as they were recorded; read only
};

/// Reads what the folder holds. Errors name the file: it is missing, or its JSON is broken.
Result<StoredImposter> readImposter(const std::string &folder);

/// A name for a new file or folder, `epoch-pid-counter`; names sort by time.
std::string newStoredName(std::chrono::system_clock::time_point time = std::chrono::system_clock::now());

/// Writes the response files that the stub has not got yet and its meta.json. What `before` had and the stub no longer
/// has goes away.
Result<void> writeStub(const std::string &folder, StoredStub &stub, const StoredStub *before);
Result<void> writeMeta(const std::string &folder, const StoredStub &stub);
/// imposter.json: the imposter with each stub's folder in place of its responses.
Result<void> writeImposter(const std::string &folder, const json::Value &imposter,
                           const std::vector<StoredStub> &stubs);
/// A recorded request (`requests`) or match (`stubs/.../matches`).
Result<void> writeRecorded(const std::string &folder, const json::Value &recorded,
                           std::chrono::system_clock::time_point time);

/// How often the stub's ring of responses is used before it begins anew.
std::uint64_t turnsOf(const json::Value &stub);

} // namespace wardbench::admin
