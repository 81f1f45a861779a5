#include "cli/filecheck.h"

#include "lint/lint.h"
#include "warden/identifier.h"
#include "json/pointer.h"

#include <algorithm>

namespace wardbench::cli {
namespace {

bool hasErrorAt(const Issues &issues, const std::string &pointer)
{
    return std::any_of(issues.begin(), issues.end(), [&pointer](const Issue &issue) {
        return issue.pointer == pointer && issue.severity == Issue::Severity::Error;
    });
}

/// Identifiers are compiled where they are used, in the warden room, which decoding cannot reach.
void checkIdentifiers(const Workspace &workspace, Issues &issues)
{
    for (std::size_t i = 0; i < workspace.policies.size(); ++i) {
        const Policy &policy = *workspace.policies[i];
        const std::string pointer = "/policies/" + std::to_string(i) + "/identifier";
        const auto compiled = Identifier::compile(policy.name, policy.identifier);
        if (!compiled && !hasErrorAt(workspace.issues, pointer))
            issues.push_back({Issue::Severity::Error, pointer, compiled.error().message, {}});
    }
}

} // namespace

Result<CheckedFile> checkedFile(const std::string &path)
{
    Result<LoadedFile> loaded = codec::loadFile(path);
    if (!loaded)
        return loaded.error();
    CheckedFile file;
    file.workspace = loaded->workspace;
    file.issues = std::move(loaded->issues);
    file.mountebank = loaded->mountebank;
    if (file.workspace) {
        Issues more = lint::check(*file.workspace);
        checkIdentifiers(*file.workspace, more);
        codec::placeIssues(more, *loaded);
        file.issues.insert(file.issues.end(), more.begin(), more.end());
        std::stable_sort(file.issues.begin(), file.issues.end(),
                         [](const Issue &a, const Issue &b) { return a.position.offset < b.position.offset; });
    }
    return file;
}

} // namespace wardbench::cli
