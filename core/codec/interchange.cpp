#include "codec/interchange.h"

#include "codec/decoders.h"

#include <cmath>

namespace wardbench::codec {
namespace {

class Mountebank
{
public:
    explicit Mountebank(std::vector<std::string> &losses) : m_losses(losses) {}

    json::Value imposter(const json::Value &imposter, const std::string &place)
    {
        json::Value result = imposter;
        json::Array stubs;
        for (std::size_t i = 0; i < imposter["stubs"].size(); ++i) {
            const json::Value &stub = imposter["stubs"].at(i);
            const std::string where = place + "/stubs/" + std::to_string(i);
            if (!stub["enabled"].toBool(true))
                m_losses.push_back(where + ": the stub is switched off");
            else
                stubs.push_back(this->stub(stub, where));
        }
        if (imposter.find("stubs"))
            result = result.withMember("stubs", json::Value(std::move(stubs)));
        if (imposter.find("capacity"))
            m_losses.push_back(place + "/capacity: mountebank has no limit");
        if (imposter.find("wait"))
            m_losses.push_back(place + "/wait: mountebank has no delay for a whole imposter");
        return result;
    }

private:
    json::Value stub(const json::Value &stub, const std::string &place)
    {
        if (stub["responseMode"].text() == "random")
            m_losses.push_back(place + "/responseMode: mountebank answers in turn");
        for (const char *member : {"priority", "requiredScenarioState", "newScenarioState"}) {
            if (stub.find(member))
                m_losses.push_back(place + '/' + member + ": mountebank knows the order of stubs only");
        }
        json::Array responses;
        for (std::size_t i = 0; i < stub["responses"].size(); ++i)
            responses.push_back(response(stub["responses"].at(i), place + "/responses/" + std::to_string(i)));
        return stub.find("responses") ? stub.withMember("responses", json::Value(std::move(responses))) : stub;
    }

    json::Value response(const json::Value &response, const std::string &place)
    {
        json::Value result = response;
        if (response["fault"].isObject()) {
            m_losses.push_back(place + "/fault: mountebank knows faults by name only");
            result = result.withoutMember("fault");
            if (!result.find("is"))
                result = result.withMember("is", json::Value::object());
        }
        if (response["template"].toBool())
            m_losses.push_back(place + "/template: mountebank sends templates as they stand");
        if (response["is"].find("bodyFile"))
            m_losses.push_back(place + "/is/bodyFile: mountebank has no bodies from files");
        for (const char *member : {"behaviors", "_behaviors"}) {
            if (response.find(member))
                result = result.withMember(member, behaviors(response[member], place + '/' + member));
        }
        return result;
    }

    json::Value behaviors(const json::Value &list, const std::string &place)
    {
        if (list.isObject()) // the old form
            return list.find("wait") ? list.withMember("wait", wait(list["wait"], place + "/wait")) : list;
        json::Value result = list;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (const json::Value *given = list.at(i).find("wait"))
                result = result.withItem(
                    i, list.at(i).withMember("wait", wait(*given, place + '/' + std::to_string(i) + "/wait")));
        }
        return result;
    }

    /// mountebank takes milliseconds and scripts: a text like "80ms" becomes its number, a distribution its mean.
    json::Value wait(const json::Value &given, const std::string &place)
    {
        Issues ignored;
        const Delay delay = decodeDelay(SchemaReader(given, place, ignored));
        if (given.isNumber() || delay.kind == Delay::Kind::Script || delay.kind == Delay::Kind::None)
            return given;
        const double milliseconds = std::round(static_cast<double>(delay.mean().count()) / 1e6);
        if (delay.kind != Delay::Kind::Fixed)
            m_losses.push_back(place + ": mountebank has no distributions; the mean is written");
        return json::Value(static_cast<std::int64_t>(milliseconds));
    }

    std::vector<std::string> &m_losses;
};

} // namespace

Converted toMountebank(const json::Value &workspace)
{
    Converted converted;
    Mountebank mountebank(converted.losses);
    json::Array imposters;
    for (std::size_t i = 0; i < workspace["imposters"].size(); ++i)
        imposters.push_back(mountebank.imposter(workspace["imposters"].at(i), "/imposters/" + std::to_string(i)));
    for (const char *part : {"policies", "scenarios"}) {
        if (workspace[part].size() > 0)
            converted.losses.push_back('/' + std::string(part) + ": mountebank has none");
    }
    converted.root = json::Value(json::Members{{"imposters", json::Value(std::move(imposters))}});
    return converted;
}

Converted toWorkspace(const json::Value &root)
{
    Converted converted;
    converted.root = root.find("format") ? root : root.withMemberAt(0, "format", json::Value("wardbench/1"));
    return converted;
}

} // namespace wardbench::codec
