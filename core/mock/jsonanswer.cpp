#include "mock/jsonanswer.h"

#include "base/number.h"
#include "json/writer.h"

#include <asio/post.hpp>

namespace wardbench::mock {
namespace {

class RecordedJson final : public RecordedMessage
{
public:
    RecordedJson(json::Value request, json::Value reply, std::size_t size)
        : m_request(std::move(request)), m_reply(std::move(reply)), m_size(size)
    {
    }

    json::Value request() const override { return m_request; }
    json::Value response() const override { return m_reply; }
    std::size_t size() const override { return m_size; }

private:
    const json::Value m_request, m_reply;
    const std::size_t m_size;
};

/// The proxy as mountebank hands it out: with its mode.
json::Value withMode(const json::Value &proxy)
{
    const std::string &mode = proxy["mode"].text();
    const bool known = mode == "proxyAlways" || mode == "proxyTransparent";
    return known ? proxy : proxy.withMember("mode", "proxyOnce");
}

} // namespace

std::shared_ptr<const CompiledStubs> JsonStubs::of(const CompiledStubs &stubs)
{
    const std::lock_guard lock(m_mutex);
    if (!m_compiled || m_compiled->stubs() != stubs.stubs())
        m_compiled = CompiledStubs::compile(stubs.stubs(), m_compiled, DataCoding::Json);
    return m_compiled;
}

std::string AskersAway::add(std::shared_ptr<JsonAnswer> answer)
{
    std::shared_ptr<JsonAnswer> givenUp; // after the lock
    const std::lock_guard lock(m_mutex);
    if (m_away.size() >= most) {
        givenUp = std::move(m_away.begin()->second);
        m_away.erase(m_away.begin());
    }
    m_away.emplace(m_next, std::move(answer));
    return m_callbackUrl + '/' + std::to_string(m_next++);
}

std::shared_ptr<JsonAnswer> AskersAway::take(const std::string &key)
{
    const auto number = numberIn<std::uint64_t>(key);
    if (!number)
        return nullptr;
    const std::lock_guard lock(m_mutex);
    auto found = m_away.extract(*number);
    return found.empty() ? nullptr : std::move(found.mapped());
}

void AskersAway::forgetAll()
{
    std::map<std::uint64_t, std::shared_ptr<JsonAnswer>> all;
    const std::lock_guard lock(m_mutex);
    all.swap(m_away);
}

JsonAnswer::JsonAnswer(std::shared_ptr<RunningImposter> home, Lane &lane, JsonRequest request,
                       std::shared_ptr<JsonStubs> stubs, std::shared_ptr<AskersAway> away, Done done)
    : PendingAnswer(std::move(home), lane, *lane.loop, request.client, std::chrono::steady_clock::now()),
      m_request(std::move(request)), m_stubs(std::move(stubs)), m_away(std::move(away)),
      m_imposter(lane.imposter), m_tcp{m_request.http.body, m_imposter->imposter()->binary}, m_done(std::move(done))
{
    m_body.body = json::writeCompact(m_request.json);
}

std::size_t JsonAnswer::match(const CompiledStubs &stubs, MatchContext &context) const
{
    context.whole = &m_request.json;
    return m_stubs->of(stubs)->match(m_body, m_request.client, &context);
}

AnswerContext JsonAnswer::contextWith(std::shared_ptr<ScriptHost> scripts) const
{
    const Imposter &imposter = *m_imposter->imposter();
    const bool tcp = !m_away && imposter.protocol == "tcp";
    AnswerContext context =
        tcp ? AnswerContext(m_tcp, imposter.endOfRequestScript, m_request.client, *lane().loop, home().services(),
                            std::move(scripts))
            : AnswerContext(m_request.http, m_request.client, *lane().loop, home().services(), std::move(scripts));
    // The making is never constant; it is only that a context is asked for in the middle of it.
    context.setAsked(m_request.json, m_away ? const_cast<JsonAnswer *>(this) : nullptr);
    return context;
}

void JsonAnswer::describe(JournalRecord &record) const
{
    const json::Value &method = m_request.json["method"], &path = m_request.json["path"];
    record.request.method = method.isString() ? method.text() : "JSON";
    record.request.target = path.isString() ? path.text() : std::string();
    record.requestBodySize = m_body.body.size();
    record.message = std::make_shared<RecordedJson>(m_request.json, m_reply, m_body.body.size());
}

json::Value JsonAnswer::response() const
{
    return stub().stub() ? stub().stub()->source["responses"].at(index()) : json::Value();
}

json::Value JsonAnswer::answer(bool &failed) const
{
    failed = true;
    if (!failure().isNull())
        return failure();
    if (&stub() == m_imposter->overCapacity().get())
        return json::Members{{"code", stub().label()}, {"message", "all places are taken"}};
    const AnswerContext *context = made();
    if (context && context->failed())
        return context->failure();
    failed = false;
    if (context)
        return context->answer;
    const json::Value written = response();
    if (written["fault"].isString())
        return written;
    return written["is"].isObject() ? written["is"] : json::Value::object();
}

void JsonAnswer::give()
{
    bool failed = false;
    m_reply = answer(failed);
    if (record()) {
        describe(*record());
        answering();
    }
    const Done done = std::exchange(m_done, nullptr);
    const bool wrapped = m_away && !m_wasAway && !failed;
    if (done)
        done(wrapped ? json::Value(json::Members{{"response", m_reply}}) : m_reply, failed);
    over(true);
}

void JsonAnswer::fetch(std::function<void(const json::Value &answer)> fetched)
{
    m_wasAway = true;
    m_fetched = std::move(fetched);
    const std::string address = m_away->add(std::static_pointer_cast<JsonAnswer>(shared_from_this()));
    const Done done = std::exchange(m_done, nullptr);
    done(json::Members{{"proxy", withMode(response()["proxy"])}, {"request", m_request.json}, {"callbackURL", address}},
         false);
}

void JsonAnswer::goOn(const json::Value &upstream, Done done)
{
    asio::post(*lane().loop,
               [self = std::static_pointer_cast<JsonAnswer>(shared_from_this()), upstream, done = std::move(done)] {
                   self->m_done = done;
                   const auto fetched = std::exchange(self->m_fetched, nullptr);
                   fetched(upstream);
               });
}

} // namespace wardbench::mock
