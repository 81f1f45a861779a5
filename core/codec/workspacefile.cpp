#include "codec/workspacefile.h"

#include "codec/filecontent.h"
#include "json/parser.h"

#include <algorithm>

namespace wardbench::codec {
namespace {

enum class FileKind { Workspace, OneImposter, Imposters };

FileKind kindOf(const json::Value &root)
{
    if (!root.isObject() || root.find("format"))
        return FileKind::Workspace;
    if (root.find("imposters") && !root.find("policies") && !root.find("scenarios"))
        return FileKind::Imposters;
    return root.find("protocol") ? FileKind::OneImposter : FileKind::Workspace;
}

/// The workspace a mountebank file stands for. Its other members stay.
json::Value asWorkspace(const json::Value &root, FileKind kind)
{
    if (kind == FileKind::Workspace)
        return root;
    json::Members members{{"format", json::Value("wardbench/1")}};
    if (kind == FileKind::OneImposter)
        members.emplace_back("imposters", json::Value(json::Array{root}));
    else
        members.insert(members.end(), root.members().begin(), root.members().end());
    return json::Value(std::move(members));
}

} // namespace

void placeIssues(Issues &issues, const LoadedFile &file)
{
    constexpr std::string_view wrapper = "/imposters/0";
    std::vector<std::string> pointers;
    for (Issue &issue : issues) {
        if (file.oneImposter && issue.pointer.compare(0, wrapper.size(), wrapper) == 0)
            issue.pointer.erase(0, wrapper.size());
        pointers.push_back(issue.pointer);
    }
    const std::vector<json::Position> positions = json::locateAll(file.text, pointers);
    for (std::size_t i = 0; i < issues.size(); ++i)
        issues[i].position = positions[i];
}

LoadedFile loadText(std::string text, std::size_t maxBytes)
{
    LoadedFile file;
    file.text = std::move(text);
    json::Limits limits;
    limits.maxBytes = maxBytes;
    json::ParseResult parsed = json::parse(file.text, limits);
    if (const auto *error = std::get_if<json::ParseError>(&parsed)) {
        std::string message = error->message;
        if (file.text.find("<%") != std::string::npos)
            message += " (EJS templates such as <%- include(...) %> are not rendered)";
        file.issues.push_back({Issue::Severity::Error, error->pointer, std::move(message), error->position});
        return file;
    }
    const json::Value &root = std::get<json::Value>(parsed);
    const FileKind kind = kindOf(root);
    file.mountebank = kind != FileKind::Workspace;
    file.workspace = decodeWorkspace(asWorkspace(root, kind), {});
    file.oneImposter = kind == FileKind::OneImposter;
    file.issues = file.workspace->issues;
    placeIssues(file.issues, file);
    std::stable_sort(file.issues.begin(), file.issues.end(),
                     [](const Issue &a, const Issue &b) { return a.position.offset < b.position.offset; });
    return file;
}

Result<LoadedFile> loadFile(const std::string &path, std::size_t maxBytes)
{
    Result<FileContent> content = readContent(path, maxBytes);
    if (!content)
        return content.error();
    LoadedFile file;
    if (content->cut) {
        const std::string most = std::to_string(maxBytes) + " bytes";
        file.issues.push_back({Issue::Severity::Error, "", "the file is too large; expected at most " + most, {}});
    } else {
        file = loadText(std::move(content->bytes), maxBytes);
    }
    file.stamp = content->stamp;
    return file;
}

} // namespace wardbench::codec
