#pragma once

#include "codec/workspacefile.h"
#include "runtoend.h"

#include <stdexcept>
#include <string>

namespace wardbench::test {

/// A workspace with a fast, a flaky and a closing mock; `scenarios` is the text of the list's items.
inline WorkspacePtr workspaceWith(const std::string &scenarios)
{
    const std::string text = R"({
      "format": "wardbench/1", "name": "test",
      "imposters": [
        { "protocol": "http", "name": "fast", "keepAlive": true, "defaultResponse": { "statusCode": 404 },
          "stubs": [{ "predicates": [{ "equals": { "method": "GET", "path": "/p" } }],
                      "responses": [{ "is": { "statusCode": 200, "body": "ok" }, "behaviors": [{ "wait": 10 }] }] },
                    { "predicates": [{ "equals": { "path": "/slow" } }],
                      "responses": [{ "is": { "statusCode": 200 }, "behaviors": [{ "wait": 60000 }] }] }] },
        { "protocol": "http", "name": "flaky", "keepAlive": true,
          "stubs": [{ "responseMode": "random",
                      "responses": [{ "weight": 90, "is": { "statusCode": 200 }, "behaviors": [{ "wait": 5 }] },
                                    { "weight": 10, "is": { "statusCode": 503 }, "behaviors": [{ "wait": 15 }] }] }] },
        { "protocol": "http", "name": "closing", "stubs": [] }
      ],
      "policies": [{ "name": "nothing" }, { "name": "cache", "identifier": "{query.k}", "cache": true },
                   { "name": "holder", "identifier": "{url}", "holder": true }, { "name": "retry", "retry": 5 }],
      "scenarios": [)" + scenarios +
                             "]}";
    const LoadedFile file = codec::loadText(text);
    for (const Issue &issue : file.issues) {
        if (issue.severity == Issue::Severity::Error)
            throw std::runtime_error(issue.format("test workspace"));
    }
    return file.workspace;
}

/// To run the first of the `scenarios`, keeping nothing.
inline RunRequest requestFor(const std::string &scenarios)
{
    RunRequest request;
    request.workspace = workspaceWith(scenarios);
    request.scenario = request.workspace->scenarios.front()->name;
    request.keep = false;
    return request;
}

/// A scenario's text on "fast": `load` and `more` are members.
inline std::string scenarioText(const std::string &load, const std::string &more = {})
{
    return R"({ "name": "test, one", "request": { "target": "fast", "path": "/p?k=${k}" },
                "variables": { "k": { "type": "integer", "min": 1, "max": 20 } },
                "contestants": [{ "name": "Bare client" }, { "name": "Warden", "policy": "cache" }],
                "load": { "model": "closed", )" +
           load + R"( }, "repetitions": 2, "seed": 7)" + (more.empty() ? "" : ", " + more) + " }";
}

} // namespace wardbench::test
