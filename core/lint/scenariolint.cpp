#include "lint/scenariolint.h"

#include "base/nearestname.h"
#include "match/extractor.h"

#include <algorithm>
#include <map>
#include <set>

namespace wardbench::lint {
namespace {

using json::childPointer;

/// The things of one kind that can be referred to by name.
template <typename T>
class Names
{
public:
    Names(const std::vector<std::shared_ptr<const T>> &things, std::string kind, std::string pointer)
        : m_things(things), m_kind(std::move(kind)), m_pointer(std::move(pointer))
    {
        for (std::size_t i = 0; i < things.size(); ++i)
            m_byName[things[i]->name].push_back(i);
    }

    /// The thing meant at `pointer`, or null with an issue. A name given twice is told once, at the second one.
    const T *refer(const std::string &name, const std::string &pointer, const std::string &alternatives, Issues &issues)
    {
        const auto found = m_byName.find(name);
        if (found == m_byName.end()) {
            std::vector<std::string> known;
            for (const auto &entry : m_byName)
                known.push_back(entry.first);
            issues.push_back(
                {Issue::Severity::Error,
                 pointer,
                 "there is no " + m_kind + " \"" + name + "\"; expected " + alternatives + suggestion(name, known),
                 {}});
            return nullptr;
        }
        for (std::size_t i = 1; i < found->second.size(); ++i)
            issues.push_back({Issue::Severity::Error,
                              childPointer(m_pointer, found->second[i]) + "/name",
                              "\"" + name + "\" is the name of two " +
                                  (m_kind == "policy" ? std::string("policies") : m_kind + "s") +
                                  ", and a scenario refers to it; expected different names",
                              {}});
        found->second.resize(1);
        return m_things[found->second.front()].get();
    }

private:
    const std::vector<std::shared_ptr<const T>> &m_things;
    std::string m_kind, m_pointer;
    std::map<std::string, std::vector<std::size_t>> m_byName;
};

bool isConnectionHeader(const std::string &name)
{
    constexpr std::string_view wanted = "connection";
    return std::equal(name.begin(), name.end(), wanted.begin(), wanted.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

bool setsConnection(const IsResponse &response)
{
    return std::any_of(response.headers.begin(), response.headers.end(), [](const auto &header) {
        return isConnectionHeader(header.first) && header.second.text() != "close";
    });
}

/// mountebank's rule: each answer closes its connection unless the response has a Connection header of its own.
bool closesConnections(const Imposter &imposter)
{
    if (imposter.keepAlive)
        return false;
    const bool byDefault = imposter.defaultResponse && setsConnection(*imposter.defaultResponse);
    bool all = !imposter.stubs.empty();
    for (const StubPtr &stub : imposter.stubs) {
        for (const Response &response : stub->responses)
            all = all && (response.is.hasHeaders ? setsConnection(response.is) : byDefault);
    }
    return !all;
}

class ScenarioLint
{
public:
    ScenarioLint(const Workspace &workspace, Issues &issues)
        : m_workspace(workspace), m_issues(issues), m_policies(workspace.policies, "policy", "/policies"),
          m_imposters(workspace.imposters, "imposter", "/imposters")
    {
    }

    void run()
    {
        std::map<std::string, std::size_t> names;
        for (std::size_t i = 0; i < m_workspace.scenarios.size(); ++i) {
            const Scenario &scenario = *m_workspace.scenarios[i];
            const std::string pointer = childPointer("/scenarios", i);
            if (!names.emplace(scenario.name, i).second)
                warn(pointer + "/name", "\"" + scenario.name +
                                            "\" is the name of two scenarios, which write the same result file; "
                                            "expected different names");
            if (scenario.requests.empty())
                checkTarget(scenario.request.target, pointer + "/request/target");
            checkSteps(scenario.requests, pointer + "/requests");
            checkSteps(scenario.setup, pointer + "/setup");
            checkSteps(scenario.teardown, pointer + "/teardown");
            for (std::size_t k = 0; k < scenario.contestants.size(); ++k) {
                const Contestant &contestant = scenario.contestants[k];
                const std::string place = childPointer(pointer + "/contestants", k);
                checkTarget(contestant.target, place + "/target");
                if (!contestant.policy.empty())
                    m_policies.refer(contestant.policy, place + "/policy", "the name of a policy of this workspace",
                                     m_issues);
            }
        }
    }

private:
    void warn(std::string pointer, std::string message)
    {
        m_issues.push_back({Issue::Severity::Warning, std::move(pointer), std::move(message), {}});
    }

    template <typename Compiled>
    void check(const Result<Compiled> &compiled, const std::string &pointer)
    {
        if (!compiled)
            m_issues.push_back({Issue::Severity::Error, pointer, compiled.error().message, {}});
    }

    void checkSteps(const std::vector<Step> &steps, const std::string &pointer)
    {
        std::set<std::string> told; // a target that others take over is looked up once
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step &step = steps[i];
            const std::string place = childPointer(pointer, i);
            if (told.insert(step.request.target).second)
                checkTarget(step.request.target, place + "/target");
            for (const StepExtraction &extraction : step.extractions) {
                static constexpr const char *members[]{"/regex", "/xpath", "/jsonPath"};
                if (extraction.header.empty() && !extraction.from.selector.empty())
                    check(Extractor::compile(extraction.from),
                          childPointer(place + "/extract", extraction.variable) +
                              members[static_cast<std::size_t>(extraction.from.method)]);
            }
            for (const Check &one : step.checks) {
                const std::string at = childPointer(place + "/checks", one.name);
                check(JsPattern::parse(one.bodyMatches), at + "/bodyMatches");
                if (!one.jsonPath.empty())
                    check(Extractor::compile({Extraction::Method::JsonPath, one.jsonPath}), at + "/jsonPath");
            }
        }
    }

    void checkTarget(const std::string &target, const std::string &pointer)
    {
        if (target.empty() || target.find("://") != std::string::npos)
            return;
        const std::string alternatives =
            "the name of an imposter of this workspace, or a base URL like \"http://127.0.0.1:8080\"";
        const Imposter *imposter = m_imposters.refer(target, pointer, alternatives, m_issues);
        if (!imposter)
            return;
        if (!imposter->inactive.empty())
            warn(pointer, "\"" + target + "\" cannot be started: " + imposter->inactive);
        else if (closesConnections(*imposter))
            warn(pointer, "\"" + target +
                              "\" closes each connection after its answer, which the run then measures; expected "
                              "\"keepAlive\": true in the imposter");
    }

    const Workspace &m_workspace;
    Issues &m_issues;
    Names<Policy> m_policies;
    Names<Imposter> m_imposters;
};

} // namespace

void checkScenarios(const Workspace &workspace, Issues &issues)
{
    ScenarioLint(workspace, issues).run();
}

} // namespace wardbench::lint
