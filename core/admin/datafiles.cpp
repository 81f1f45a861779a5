#include "admin/datafiles.h"

#include "codec/filecontent.h"
#include "json/parser.h"
#include "json/writer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace wardbench::admin {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t largestFile = 256u << 20;
constexpr std::uint64_t mostTurnsListed = 1'000'000; ///< in meta.json; the response files tell the repeats as well
constexpr const char *imposterFile = "/imposter.json";
constexpr const char *metaFile = "/meta.json";

Error corrupted(const std::string &what)
{
    return fail("corrupted database: " + what, Error::Code::BadInput);
}

Result<json::Value> readJson(const std::string &path)
{
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return corrupted("file not found: " + path);
    const auto content = codec::readContent(path, largestFile);
    if (!content)
        return content.error();
    json::ParseResult parsed = json::parse(content->bytes);
    if (const auto *error = std::get_if<json::ParseError>(&parsed))
        return corrupted("invalid JSON in " + path + ", line " + std::to_string(error->position.line) + ", column " +
                         std::to_string(error->position.column) + ": " + error->message);
    return std::get<json::Value>(std::move(parsed));
}

/// Readers see the old file or the new one, never half of one.
Result<void> writeJson(const std::string &path, const json::Value &value)
{
    std::error_code problem;
    fs::create_directories(fs::path(path).parent_path(), problem);
    const std::string temporary = path + ".tmp";
    errno = 0;
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out << json::writePretty(value, 2);
    out.close();
    if (!out)
        return codec::fileError("write", path, errno);
    fs::rename(temporary, path, problem);
    if (problem)
        return codec::fileError("write", path, problem.value());
    return {};
}

/// A name below `parent` that leads nowhere else.
bool isBelow(const std::string &name, std::string_view parent)
{
    const fs::path path(name);
    return name.starts_with(parent) && std::none_of(path.begin(), path.end(), [](const fs::path &part) {
               return part == ".." || part == "." || part.empty();
           });
}

std::uint64_t repeatOf(const json::Value &response)
{
    const json::Value &repeat = response["repeat"];
    std::int64_t count = repeat.toInteger().value_or(0);
    if (repeat.isString())
        std::from_chars(repeat.text().data(), repeat.text().data() + repeat.text().size(), count);
    return static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1));
}

/// `epoch-pid-counter.json` in numbers; all 0 for other names.
std::array<std::uint64_t, 3> storedOrder(const std::string &name)
{
    std::array<std::uint64_t, 3> order{};
    const char *at = name.data();
    const char *const end = at + name.size();
    for (std::uint64_t &number : order) {
        const auto [next, failure] = std::from_chars(at, end, number);
        if (failure != std::errc())
            return {};
        at = next < end ? next + 1 : end;
    }
    return order;
}

/// All files of a folder that may be missing, by time.
Result<json::Array> readRecorded(const std::string &folder)
{
    std::vector<std::string> names;
    std::error_code missing;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder, missing)) {
        if (entry.path().extension() == ".json")
            names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end(),
              [](const std::string &a, const std::string &b) { return storedOrder(a) < storedOrder(b); });
    json::Array list;
    for (const std::string &name : names) {
        auto value = readJson(folder + '/' + name);
        if (!value)
            return value.error();
        list.push_back(std::move(*value));
    }
    return list;
}

Result<StoredStub> readStub(const std::string &folder, const json::Value &listed)
{
    StoredStub stub;
    stub.folder = listed["meta"]["dir"].text();
    if (!isBelow(stub.folder, "stubs/"))
        return corrupted("invalid \"dir\" in " + folder + imposterFile + ": \"" + stub.folder +
                         "\", expected a folder below stubs/");
    const std::string base = folder + '/' + stub.folder;
    const auto meta = readJson(base + metaFile);
    if (!meta)
        return meta.error();
    json::Array responses;
    for (const json::Value &file : (*meta)["responseFiles"].items()) {
        if (!isBelow(file.text(), "responses/"))
            return corrupted("invalid file in " + base + metaFile + ": \"" + file.text() +
                             "\", expected one below responses/");
        const auto response = readJson(base + '/' + file.text());
        if (!response)
            return response.error();
        responses.push_back(*response);
        stub.responses.push_back({*response, file.text()});
    }
    auto matches = readRecorded(base + "/matches");
    if (!matches)
        return matches.error();
    stub.matches = std::move(*matches);
    stub.stub = listed.withoutMember("meta").withMember("responses", std::move(responses));
    stub.turns = turnsOf(stub.stub);
    const auto cursor = (*meta)["nextIndex"].toInteger().value_or(0);
    stub.cursor = cursor > 0 ? static_cast<std::uint64_t>(cursor) % stub.turns : 0;
    return stub;
}

} // namespace

std::uint64_t turnsOf(const json::Value &stub)
{
    std::uint64_t turns = 0;
    for (const json::Value &response : stub["responses"].items())
        turns += repeatOf(response);
    return std::max<std::uint64_t>(turns, 1);
}

std::string newStoredName(std::chrono::system_clock::time_point time)
{
    static std::atomic<std::uint64_t> counter{0};
    const auto epoch = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
    return std::to_string(epoch) + '-' + std::to_string(::getpid()) + '-' + std::to_string(++counter);
}

Result<StoredImposter> readImposter(const std::string &folder)
{
    const auto header = readJson(folder + imposterFile);
    if (!header)
        return header.error();
    StoredImposter stored;
    json::Array stubs;
    for (const json::Value &listed : (*header)["stubs"].items()) {
        auto stub = readStub(folder, listed);
        if (!stub)
            return stub.error();
        stubs.push_back(stub->stub);
        stored.stubs.push_back(std::move(*stub));
    }
    auto requests = readRecorded(folder + "/requests");
    if (!requests)
        return requests.error();
    stored.requests = std::move(*requests);
    stored.imposter = header->withMember("stubs", std::move(stubs));
    return stored;
}

Result<void> writeMeta(const std::string &folder, const StoredStub &stub)
{
    json::Array files, order;
    for (std::size_t i = 0; i < stub.responses.size(); ++i) {
        files.emplace_back(stub.responses[i].file);
        const std::uint64_t repeat = stub.turns > mostTurnsListed ? 1 : repeatOf(stub.responses[i].response);
        order.insert(order.end(), repeat, json::Value(static_cast<std::uint64_t>(i)));
    }
    return writeJson(folder + '/' + stub.folder + metaFile, json::Members{{"responseFiles", std::move(files)},
                                                                          {"orderWithRepeats", std::move(order)},
                                                                          {"nextIndex", stub.cursor}});
}

Result<void> writeStub(const std::string &folder, StoredStub &stub, const StoredStub *before)
{
    std::vector<StoredResponse> old = before ? before->responses : std::vector<StoredResponse>();
    const std::string base = folder + '/' + stub.folder + '/';
    stub.responses.clear();
    for (const json::Value &response : stub.stub["responses"].items()) {
        const auto same = std::find_if(
            old.begin(), old.end(), [&response](const StoredResponse &one) { return one.response.sameNode(response); });
        if (same != old.end()) {
            stub.responses.push_back(std::move(*same));
            old.erase(same);
            continue;
        }
        stub.responses.push_back({response, "responses/" + newStoredName() + ".json"});
        if (const auto written = writeJson(base + stub.responses.back().file, response); !written)
            return written;
    }
    stub.turns = turnsOf(stub.stub);
    stub.cursor %= stub.turns;
    const auto written = writeMeta(folder, stub);
    std::error_code ignored;
    for (const StoredResponse &gone : old)
        fs::remove(base + gone.file, ignored);
    return written;
}

Result<void> writeImposter(const std::string &folder, const json::Value &imposter, const std::vector<StoredStub> &stubs)
{
    json::Array listed;
    for (const StoredStub &stub : stubs) {
        json::Members members{{"meta", json::Members{{"dir", stub.folder}}}};
        for (const json::Member &member : stub.stub.members()) {
            if (member.first != "responses" && member.first != "meta")
                members.push_back(member);
        }
        listed.emplace_back(std::move(members));
    }
    return writeJson(folder + imposterFile, imposter.withMember("stubs", std::move(listed)));
}

Result<void> writeRecorded(const std::string &folder, const json::Value &recorded,
                           std::chrono::system_clock::time_point time)
{
    return writeJson(folder + '/' + newStoredName(time) + ".json", recorded);
}

} // namespace wardbench::admin
