#pragma once

#include "codec/workspacefile.h"

#include <string>

namespace wardbench::test {

/// A workspace text around parts of one.
inline std::string workspaceText(const std::string &members)
{
    return "{ \"format\": \"wardbench/1\", " + members + " }";
}

inline std::string policyText(const std::string &members)
{
    return workspaceText("\"policies\": [{ \"name\": \"p\"" + (members.empty() ? "" : ", " + members) + " }]");
}

inline std::string stubText(const std::string &members)
{
    return workspaceText("\"imposters\": [{ \"protocol\": \"http\", \"stubs\": [{ " + members + " }] }]");
}

inline std::string responseText(const std::string &members)
{
    return stubText("\"responses\": [{ " + members + " }]");
}

/// A scenario that is complete, but for what `members` adds or, by coming first, replaces.
inline std::string scenarioText(const std::string &members, const std::string &load = R"("load": { "iterations": 1 })")
{
    std::string text = members.empty() ? std::string() : members + ", ";
    const auto add = [&](const std::string &name, const std::string &member) {
        if (members.find("\"" + name + "\":") != 0 &&
            (name == "name" || members.find("\"" + name + "\":") == std::string::npos))
            text += member + ", ";
    };
    add("name", R"("name": "s")");
    if (members.find("\"requests\":") == std::string::npos)
        add("request", "\"request\": { \"target\": \"http://127.0.0.1:1\" }");
    add("contestants", R"("contestants": [{ "name": "Bare" }])");
    return workspaceText("\"scenarios\": [{ " + text + load + " }]");
}

/// All issues, one a line: `error /pointer: message`.
inline std::string issueLines(const std::string &text)
{
    std::string lines;
    for (const Issue &issue : codec::loadText(text).issues) {
        lines += issue.severity == Issue::Severity::Error ? "error " : "warning ";
        lines += issue.pointer + ": " + issue.message + "\n";
    }
    return lines;
}

} // namespace wardbench::test
