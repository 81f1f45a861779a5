#include "admin/imposterroutes.h"

#include "admin/explanationjson.h"
#include "admin/impostershape.h"
#include "admin/oldformats.h"
#include "base/number.h"

#include <algorithm>

namespace wardbench::admin {
namespace {

constexpr const char *overRest = " over REST";

Reply noImposter()
{
    return Reply::error(404, {"no such resource", "Try POSTing to /imposters first?"});
}

Reply noStubAtIndex()
{
    return Reply::error(404,
                        badData("'stubIndex' must be a valid integer, representing the array index position of the "
                                "stub to replace"));
}

/// What cannot be started, in mountebank's words where it has some.
Reply refusal(const Error &error, std::uint16_t port)
{
    switch (error.code) {
    case Error::Code::InUse:
        return Reply::error(400, {"resource conflict", "Port " + std::to_string(port) + " is already in use"});
    case Error::Code::Denied:
        return Reply::error(403, {"insufficient access", "Run mb in superuser mode if you want access"});
    case Error::Code::NotFound:
        return noImposter();
    default:
        return Reply::error(400, badData(error.message));
    }
}

std::uint16_t portOf(const json::Value &imposter)
{
    const json::Value &port = imposter["port"];
    const auto value = port.isString() ? numberIn<std::uint64_t>(port.text())
                                       : std::optional<std::uint64_t>(port.toInteger().value_or(0));
    return static_cast<std::uint16_t>(value.value_or(0));
}

/// An imposter in the present format, without what only an answer of this API tells.
json::Value cleaned(const json::Value &given)
{
    json::Value imposter = modernImposter(given);
    for (const char *name : {"numberOfRequests", "requests", "_links"}) {
        if (imposter.find(name))
            imposter = imposter.withoutMember(name);
    }
    return imposter;
}

/// The imposters of an edit that drops every recorded response, and the stubs that have no other.
json::Array withoutRecordings(const json::Value &imposter)
{
    json::Array stubs;
    for (const json::Value &stub : imposter["stubs"].items()) {
        json::Array kept;
        for (const json::Value &response : stub["responses"].items()) {
            if (!response["is"]["_proxyResponseTime"].isNumber())
                kept.push_back(response);
        }
        if (kept.size() == stub["responses"].size())
            stubs.push_back(stub);
        else if (!kept.empty())
            stubs.push_back(stub.withMember("responses", std::move(kept)));
    }
    return stubs;
}

/// A mock's answer as a reply; what failed in it, as an imposter would say it.
MockService::Asked replyWith(ImposterRoutes::Replied done)
{
    return [done = std::move(done)](const json::Value &answer, bool failed) {
        const json::Value body = failed ? json::Value(json::Members{{"errors", json::Array{answer}}}) : answer;
        done(Reply::of(body, failed ? 500 : 200));
    };
}

json::Path below(const json::Path &imposter, std::initializer_list<std::string> more)
{
    json::Path path = imposter;
    path.insert(path.end(), more);
    return path;
}

} // namespace

ImposterRoutes::ImposterRoutes(LiveImposters &live, const ImposterRules &rules, asio::io_context &loop,
                               std::shared_ptr<const server::AccessRule> access)
    : m_live(live), m_rules(rules), m_validation(rules.allowInjection, rules.foreign),
      m_recordings(live.service(), rules.archive), m_burst(live, loop), m_access(std::move(access))
{
}

/// `Prefer: return=minimal` (RFC 7240): no body is wanted.
bool ImposterRoutes::goesOnWithBurst(const Call &call)
{
    const std::string *prefer = call.request.headers.find("Prefer");
    return prefer && prefer->find("return=minimal") != std::string::npos && call.request.method == "POST" &&
           call.path.size() == 3 && call.path[2] == "stubs" && !call.body.find("index");
}

std::optional<LiveImposters::Live> ImposterRoutes::asked(const Call &call) const
{
    const auto port = numberIn<std::uint64_t>(call.path.at(1));
    return port && *port > 0 && *port < 65536 ? m_live.atPort(static_cast<std::uint16_t>(*port)) : std::nullopt;
}

json::Value ImposterRoutes::shape(const Live &live, const Call &call, bool replayable, bool proxies) const
{
    Portrait portrait{modernImposter(live.imposter->source), live.port, m_recordings.count(live.id), call.base,
                      m_live.service().metadata(live.id)};
    if (live.imposter->recordRequests || m_rules.recordAll)
        portrait.recorded = [this, id = live.id] {
            return m_recordings.requests(id);
        };
    if (m_rules.matches) {
        portrait.matches = [&live, all = m_recordings.matches(live)](std::size_t stub) {
            const auto found = all.find(live.imposter->stubs.at(stub)->id);
            return found == all.end() ? json::Array{} : found->second;
        };
    }
    const json::Value shown = replayable ? replayableShape(portrait) : fullShape(portrait);
    return proxies ? shown : withoutProxies(shown);
}

json::Value ImposterRoutes::shape(const Live &live, const Call &call, bool list) const
{
    if (list)
        return listShape({live.imposter->source, live.port, m_recordings.count(live.id), call.base});
    return shape(live, call, call.isOn("replayable"), !call.isOn("removeProxies"));
}

Reply ImposterRoutes::list(const Call &call)
{
    std::vector<Live> all = m_live.list();
    std::stable_sort(all.begin(), all.end(), [](const Live &a, const Live &b) { return a.port < b.port; });
    const bool asList = !call.isOn("replayable") && !call.isOn("removeProxies");
    json::Array imposters;
    for (const Live &live : all)
        imposters.push_back(shape(live, call, asList));
    return Reply::of(json::Members{{"imposters", std::move(imposters)}});
}

Reply ImposterRoutes::create(const Call &call)
{
    const json::Value imposter = cleaned(call.body);
    if (const auto errors = m_validation.imposter(imposter); !errors.empty())
        return Reply::errors(400, errors);
    const auto added = m_live.add("Add imposter" + std::string(overRest), imposter);
    if (!added)
        return refusal(added.error(), portOf(imposter));
    Reply reply = Reply::of(shape(*added, call, false, true), 201);
    reply.location = call.base + "/imposters/" + std::to_string(added->port);
    return reply;
}

Reply ImposterRoutes::replaceAll(const Call &call)
{
    const json::Value *given = call.body.find("imposters");
    if (!given || given->isNull())
        return Reply::error(400, badData("'imposters' is a required field"));
    if (!given->isArray())
        return Reply::error(400, badData("'imposters' must be an array"));
    json::Array imposters;
    std::vector<ApiError> errors;
    for (const json::Value &one : given->items()) {
        imposters.push_back(cleaned(one));
        for (ApiError &error : m_validation.imposter(imposters.back()))
            errors.push_back(std::move(error));
    }
    if (!errors.empty())
        return Reply::errors(400, errors);
    // A port that two of them ask for can be told without touching the ones that run.
    std::vector<std::uint16_t> ports;
    for (const json::Value &imposter : imposters) {
        const std::uint16_t port = portOf(imposter);
        if (port && !imposter.find("host") && std::find(ports.begin(), ports.end(), port) != ports.end())
            return refusal({"", Error::Code::InUse}, port);
        ports.push_back(port);
    }
    if (const auto done = m_live.replaceAll("Replace imposters" + std::string(overRest), imposters); !done) {
        const std::size_t at = done.error().message.rfind("port "); // "... port 4545 is already in use"
        const std::string rest = at == std::string::npos ? std::string() : done.error().message.substr(at + 5);
        return refusal(done.error(),
                       static_cast<std::uint16_t>(numberIn<std::uint64_t>(rest.substr(0, rest.find(' '))).value_or(0)));
    }
    json::Array shown;
    for (const Live &live : m_live.list())
        shown.push_back(shape(live, call, true));
    return Reply::of(json::Members{{"imposters", std::move(shown)}});
}

Reply ImposterRoutes::removeAll(const Call &call)
{
    const auto flag = call.flag("replayable");
    const bool replayable = !flag || !http::equalsIgnoringCase(*flag, "false");
    std::vector<Live> all = m_live.list();
    std::stable_sort(all.begin(), all.end(), [](const Live &a, const Live &b) { return a.port < b.port; });
    json::Array imposters;
    std::vector<ImposterId> ids;
    for (const Live &live : all) {
        imposters.push_back(shape(live, call, replayable, !call.isOn("removeProxies")));
        ids.push_back(live.id);
    }
    if (const auto done = m_live.remove("Delete imposters" + std::string(overRest), ids); !done)
        return Reply::error(400, badData(done.error().message));
    return Reply::of(json::Members{{"imposters", std::move(imposters)}});
}

Reply ImposterRoutes::show(const Call &call)
{
    const auto live = asked(call);
    return live ? Reply::of(shape(*live, call)) : noImposter();
}

Reply ImposterRoutes::full(const Call &call) const
{
    const auto live = asked(call);
    return live ? Reply::of(shape(*live, call, false, true)) : noImposter();
}

Reply ImposterRoutes::remove(const Call &call)
{
    const auto live = asked(call);
    if (!live)
        return Reply::of(json::Value::object());
    const json::Value shown = shape(*live, call);
    if (const auto done = m_live.remove("Delete imposter" + std::string(overRest), {live->id}); !done)
        return Reply::error(400, badData(done.error().message));
    return Reply::of(shown);
}

Reply ImposterRoutes::forgetRequests(const Call &call)
{
    if (const auto live = asked(call))
        m_recordings.forget(live->id);
    return full(call);
}

Reply ImposterRoutes::forgetRecordings(const Call &call)
{
    const auto live = asked(call);
    if (!live)
        return noImposter();
    const auto change = [](const Imposter &now, const json::Path &at) -> Result<std::vector<WorkspaceEdit>> {
        json::Value stubs = withoutRecordings(now.source);
        if (stubs == now.source["stubs"])
            return std::vector<WorkspaceEdit>();
        return std::vector{WorkspaceEdit::set("Delete recorded responses over REST", below(at, {"stubs"}), stubs)};
    };
    return afterChange(m_live.change(live->id, change), call);
}

Reply ImposterRoutes::afterChange(const Result<void> &changed, const Call &call) const
{
    return changed ? full(call) : refusal(changed.error(), 0);
}

Reply ImposterRoutes::replaceStubs(const Call &call)
{
    const auto live = asked(call);
    if (!live)
        return noImposter();
    const json::Value *given = call.body.find("stubs");
    if (!given || given->isNull())
        return Reply::error(400, badData("'stubs' is a required field"));
    if (!given->isArray())
        return Reply::error(400, badData("'stubs' must be an array"));
    const json::Value &source = live->imposter->source;
    const json::Value stubs = modernImposter(source.withMember("stubs", *given))["stubs"];
    if (const auto errors = m_validation.stubs(stubs.items(), source); !errors.empty())
        return Reply::errors(400, errors);
    // Emptied first, so that the cursors of equal stubs begin anew.
    const auto change = [&](const Imposter &, const json::Path &at) -> Result<std::vector<WorkspaceEdit>> {
        const std::string text = "Replace stubs over REST";
        return std::vector{WorkspaceEdit::set(text, below(at, {"stubs"}), json::Value::array()),
                           WorkspaceEdit::set(text, below(at, {"stubs"}), stubs)};
    };
    return afterChange(m_live.change(live->id, change), call);
}

Reply ImposterRoutes::addStub(const Call &call)
{
    const auto live = asked(call);
    if (!live)
        return noImposter();
    const json::Value &source = live->imposter->source;
    const std::size_t count = source["stubs"].size() + m_burst.pending(live->id);
    const json::Value *index = call.body.find("index");
    const auto at = index ? index->toInteger() : std::optional(static_cast<std::int64_t>(count));
    if (!at || *at < 0 || static_cast<std::size_t>(*at) > count)
        return Reply::error(400, badData("'index' must be between 0 and the length of the stubs array"));
    const json::Value *given = call.body.find("stub");
    if (!given || !given->isTruthy())
        return Reply::error(400, badData("must contain 'stub' field"));
    const json::Value stub = modernStub(*given, live->imposter->protocol);
    if (const auto errors = m_validation.stubs({stub}, source); !errors.empty())
        return Reply::errors(400, errors);
    if (goesOnWithBurst(call) && m_burst.add(live->id, stub))
        return Reply::nothing(204);
    const auto change = [&](const Imposter &now, const json::Path &path) -> Result<std::vector<WorkspaceEdit>> {
        const std::string text = "Add stub over REST";
        if (!now.source["stubs"].isArray())
            return std::vector{WorkspaceEdit::set(text, below(path, {"stubs"}), json::Array{stub})};
        const std::string place = index ? std::to_string(*at) : std::string("-");
        return std::vector{WorkspaceEdit::insert(text, below(path, {"stubs", place}), stub)};
    };
    return afterChange(m_live.change(live->id, change), call);
}

std::optional<std::size_t> ImposterRoutes::stubIndex(const Call &call, const Live &live) const
{
    const auto index = numberIn<std::uint64_t>(call.path.at(3));
    return index && *index < live.imposter->stubs.size() ? std::optional<std::size_t>(*index) : std::nullopt;
}

Reply ImposterRoutes::replaceStub(const Call &call)
{
    const auto live = asked(call);
    if (!live)
        return noImposter();
    const auto index = stubIndex(call, *live);
    if (!index)
        return noStubAtIndex();
    const json::Value stub = modernStub(call.body, live->imposter->protocol);
    if (const auto errors = m_validation.stubs({stub}, live->imposter->source); !errors.empty())
        return Reply::errors(400, errors);
    const auto change = [&](const Imposter &, const json::Path &at) -> Result<std::vector<WorkspaceEdit>> {
        const std::string text = "Replace stub over REST";
        const json::Path place = below(at, {"stubs", std::to_string(*index)});
        return std::vector{WorkspaceEdit::remove(text, place), WorkspaceEdit::insert(text, place, stub)};
    };
    return afterChange(m_live.change(live->id, change), call);
}

Reply ImposterRoutes::removeStub(const Call &call)
{
    const auto live = asked(call);
    if (!live)
        return noImposter();
    const auto index = stubIndex(call, *live);
    if (!index)
        return noStubAtIndex();
    const auto change = [&](const Imposter &, const json::Path &at) -> Result<std::vector<WorkspaceEdit>> {
        return std::vector{
            WorkspaceEdit::remove("Delete stub over REST", below(at, {"stubs", std::to_string(*index)}))};
    };
    return afterChange(m_live.change(live->id, change), call);
}

Reply ImposterRoutes::explain(const Call &call)
{
    const auto live = asked(call);
    if (!live)
        return noImposter();
    auto asked = requestOf(call.body, *live->imposter);
    if (!asked)
        return Reply::error(400, badData(asked.error().message, call.body));
    const MatchExplanation explanation = m_live.service().explain(live->id, asked->request, asked->client);
    return Reply::of(explanationJson(explanation, *live->imposter));
}

void ImposterRoutes::ask(const Call &call, Replied done)
{
    const auto live = asked(call);
    if (!live)
        return done(noImposter());
    const json::Value &request = call.body["request"];
    if (!request.isObject())
        return done(Reply::error(400, badData("'request' is a required field, an object")));
    if (m_access && !m_access->allows(request["ip"].text()))
        return done(Reply::of(json::Members{{"blocked", true}, {"code", "unauthorized ip address"}}));
    JsonRequest json{request, {}, request["requestFrom"].text()};
    if (auto http = requestOf(call.body, *live->imposter)) // what is none has no http proxy
        json.http = std::move(http->request);
    m_live.service().ask(live->id, std::move(json), replyWith(std::move(done)));
}

void ImposterRoutes::askAgain(const Call &call, Replied done)
{
    const auto live = asked(call);
    if (!live)
        return done(noImposter());
    if (!m_live.service().askAgain(live->id, call.path.at(3), call.body["proxyResponse"], replyWith(done))) {
        ApiError error{"no such resource", "invalid proxy resolution key"};
        error.source = call.base + call.request.path;
        done(Reply::error(404, error));
    }
}

} // namespace wardbench::admin
