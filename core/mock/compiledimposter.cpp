#include "mock/compiledimposter.h"

#include <algorithm>
#include <unordered_map>

namespace wardbench::mock {
namespace {

bool sameResponse(const IsResponse &a, const IsResponse &b)
{
    return a.statusCode == b.statusCode && a.headers == b.headers && a.hasHeaders == b.hasHeaders && a.body == b.body &&
           a.mode == b.mode;
}

bool sameDefaults(const Imposter &a, const Imposter &b)
{
    if (a.keepAlive != b.keepAlive || a.defaultResponse.has_value() != b.defaultResponse.has_value())
        return false;
    return !a.defaultResponse || sameResponse(*a.defaultResponse, *b.defaultResponse);
}

bool readsBody(const Predicate &predicate)
{
    if (predicate.op == Predicate::Operator::Inject)
        return true;
    for (const json::Member &member : predicate.expected.members()) {
        if (http::equalsIgnoringCase(member.first, "body") || http::equalsIgnoringCase(member.first, "form"))
            return true;
    }
    return std::any_of(predicate.children.begin(), predicate.children.end(), readsBody);
}

/// Whether the making of an answer may look at the request's body: not when it waits or comes from a file only.
bool mayAskForBody(const Response &response)
{
    return response.kind == Response::Kind::Proxy || response.kind == Response::Kind::Inject || response.templated ||
           std::any_of(response.behaviors.begin(), response.behaviors.end(), [](const Behavior &behavior) {
               return behavior.kind != Behavior::Kind::Wait || behavior.wait.kind == Delay::Kind::Script;
           });
}

} // namespace

StubState::StubState(StubId stub, std::uint64_t seed, std::uint64_t repetition, const std::string &streamName)
    : id(stub), choices(seed, repetition, streamName), waits(seed, repetition, streamName + "\nwait"),
      mishaps(seed, repetition, streamName + "\nfault")
{
}

PreparedStub::PreparedStub(StubPtr stub, const std::optional<IsResponse> &fallback, bool keepAlive)
    : m_stub(std::move(stub)), m_label(stubLabel(*m_stub))
{
    std::vector<double> weights;
    std::uint64_t turns = 0;
    bool special = false;
    m_responses.reserve(m_stub->responses.size());
    for (const Response &response : m_stub->responses) {
        m_responses.push_back(PreparedResponse::prepare(response, fallback, keepAlive));
        m_turns.push_back(turns += static_cast<std::uint64_t>(std::max(1, response.repeat)));
        weights.push_back(response.weight);
        m_plain = m_plain && !m_responses.back().waits();
        m_extras.push_back({planAnswer(response, fallback, keepAlive), response.fault});
        special = special || m_extras.back().plan || response.fault.kind != Fault::Kind::None;
    }
    m_plain = m_plain && !special;
    if (!special)
        m_extras.clear();
    if (m_stub->responseMode == ResponseMode::Random)
        m_choice = WeightedChoice(weights);
}

PreparedStub::PreparedStub(PreparedResponse response, std::string label) : m_label(std::move(label))
{
    m_responses.push_back(std::move(response));
}

const AnswerPlanPtr &PreparedStub::noPlan()
{
    static const AnswerPlanPtr none;
    return none;
}

std::size_t PreparedStub::pick(const StubState &state, std::uint64_t k) const
{
    if (m_responses.size() == 1)
        return 0;
    if (m_stub->responseMode == ResponseMode::Random)
        return m_choice.pick(state.choices.unit(k));
    const std::uint64_t turn = k % m_turns.back();
    return static_cast<std::size_t>(std::upper_bound(m_turns.begin(), m_turns.end(), turn) - m_turns.begin());
}

CompiledImposter::Ptr CompiledImposter::compile(ImposterPtr imposter, std::uint64_t seed, std::uint64_t repetition,
                                                const Ptr &previous, std::shared_ptr<ScriptHost> scripts)
{
    auto compiled = std::make_shared<CompiledImposter>();
    compiled->m_imposter = std::move(imposter);
    compiled->m_stubs = CompiledStubs::compile(compiled->m_imposter->stubs, previous ? previous->m_stubs : nullptr,
                                               compiled->m_imposter->binary ? DataCoding::Base64 : DataCoding::Text);
    compiled->prepare(previous);
    compiled->m_scripts = std::move(scripts);
    compiled->lookAtStubs();
    compiled->giveStates(seed, repetition, previous.get());
    return compiled;
}

Nanoseconds CompiledImposter::ownWait() const
{
    const Delay &wait = m_imposter->wait;
    return wait.kind == Delay::Kind::None ? Nanoseconds(0) : wait.draw(m_ownState->waits, m_ownState->nextDecision());
}

CompiledImposter::Ptr CompiledImposter::withFreshStates(std::uint64_t seed, std::uint64_t repetition,
                                                        std::shared_ptr<ScriptHost> scripts) const
{
    auto fresh = std::make_shared<CompiledImposter>(*this);
    fresh->m_scripts = std::move(scripts);
    fresh->giveStates(seed, repetition, nullptr);
    return fresh;
}

void CompiledImposter::goOnFrom(const std::vector<std::uint64_t> &uses) const
{
    for (std::size_t i = 0; i < uses.size() && i < m_entries.size(); ++i)
        m_entries[i].state->uses = uses[i];
}

void CompiledImposter::prepare(const Ptr &previous)
{
    std::unordered_map<const Stub *, PreparedStubPtr> known;
    if (previous && sameDefaults(*previous->m_imposter, *m_imposter)) {
        for (const Entry &entry : previous->m_entries)
            known.emplace(entry.prepared->stub().get(), entry.prepared);
    }
    const auto &fallback = m_imposter->defaultResponse;
    m_entries.reserve(m_imposter->stubs.size());
    for (const StubPtr &stub : m_imposter->stubs) {
        const auto found = known.find(stub.get());
        PreparedStubPtr prepared = found != known.end()
                                       ? found->second
                                       : std::make_shared<const PreparedStub>(stub, fallback, m_imposter->keepAlive);
        m_entries.push_back({std::move(prepared), {}});
    }
    const std::string overCapacity = "over capacity";
    m_noMatch =
        std::make_shared<const PreparedStub>(PreparedResponse::prepare({}, fallback, m_imposter->keepAlive), "");
    m_overCapacity = std::make_shared<const PreparedStub>(
        PreparedResponse::plain(503, "text/plain", overCapacity, m_imposter->keepAlive), overCapacity);
}

void CompiledImposter::lookAtStubs()
{
    const Imposter &imposter = *m_imposter;
    for (const StubPtr &stub : imposter.stubs) {
        m_hasStates = m_hasStates || !stub->scenario.empty();
        m_matchesByScript =
            m_matchesByScript || (stub->enabled && std::any_of(stub->predicates.begin(), stub->predicates.end(),
                                                               [](const Predicate &one) { return one.hasScript(); }));
    }
    m_isSlow = m_hasStates || matchesByScript() || imposter.allowCors || imposter.capacity.concurrent > 0 ||
               imposter.wait.kind != Delay::Kind::None;
    m_readsBodies = std::any_of(m_entries.begin(), m_entries.end(), [](const Entry &entry) {
        const Stub &stub = *entry.prepared->stub();
        return std::any_of(stub.responses.begin(), stub.responses.end(), mayAskForBody) ||
               std::any_of(stub.predicates.begin(), stub.predicates.end(), readsBody);
    });
}

void CompiledImposter::giveStates(std::uint64_t seed, std::uint64_t repetition, const CompiledImposter *previous)
{
    std::unordered_map<StubId, StubStatePtr> known;
    if (previous) {
        for (const Entry &entry : previous->m_entries)
            known.emplace(entry.state->id, entry.state);
    }
    m_ownState =
        previous ? previous->m_ownState : std::make_shared<StubState>(0, seed, repetition, m_imposter->displayName());
    std::unordered_map<std::string, int> labels; // two stubs of one name must not draw the same numbers
    for (Entry &entry : m_entries) {
        const int count = ++labels[entry.prepared->label()];
        const StubId id = entry.prepared->stub()->id;
        if (const auto found = known.find(id); found != known.end()) {
            entry.state = found->second;
            continue;
        }
        std::string name = m_imposter->displayName() + '/' + entry.prepared->label();
        if (count > 1)
            name += '#' + std::to_string(count);
        entry.state = std::make_shared<StubState>(id, seed, repetition, name);
    }
}

} // namespace wardbench::mock
