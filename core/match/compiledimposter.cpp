#include "match/compiledimposter.h"

#include "match/compiledpredicate.h"
#include "match/explainer.h"
#include "match/stubindex.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace wardbench {

namespace {

// Below this the index only adds its own cost.
constexpr std::size_t scanLimit = 4;

std::shared_ptr<const CompiledStub> compileStub(const StubPtr &stub, DataCoding coding)
{
    auto made = std::make_shared<CompiledStub>();
    for (const Predicate &predicate : stub->predicates)
        made->predicates.push_back(compilePredicate(predicate, made->problem, coding));
    made->constraints = constraintsOf(made->predicates);
    return made;
}

/// One view for each thread, so that its buffers are reused.
RequestView &viewOf(const auto &request, std::string_view client, MatchContext *context)
{
    static thread_local RequestView view;
    view.reset(request, client, context);
    return view;
}

/// Positions in the order in which stubs are asked: by priority, those without one last, then as in the file. Empty
/// when that is the file's order.
std::vector<std::uint32_t> evaluationOrder(const std::vector<StubPtr> &stubs)
{
    if (std::none_of(stubs.begin(), stubs.end(), [](const StubPtr &stub) { return stub->priority != 0; }))
        return {};
    std::vector<std::uint32_t> order(stubs.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&stubs](std::uint32_t a, std::uint32_t b) {
        const int first = stubs[a]->priority, second = stubs[b]->priority;
        return (first != 0) != (second != 0) ? first != 0 : first < second;
    });
    return order;
}

} // namespace

class CompiledStubs::Private
{
public:
    std::size_t positionAt(std::size_t bit) const { return order.empty() ? bit : order[bit]; }
    bool canMatch(std::size_t position) const { return stubs[position]->enabled && parts[position]->problem.empty(); }

    /// Whether the stub answers. False, too, when the match has to be given up.
    bool answers(std::size_t position, RequestView &view, const MatchContext *context) const
    {
        const CompiledStub &compiled = *parts[position];
        const bool all = std::all_of(compiled.predicates.begin(), compiled.predicates.end(),
                                     [&view](const CompiledPredicate &predicate) { return holds(predicate, view); });
        return all && view.failure().empty() &&
               (context == nullptr || context->gate == nullptr || context->gate->isOpen(position));
    }

    std::size_t scan(RequestView &view, const MatchContext *context) const
    {
        for (std::size_t bit = 0; bit < stubs.size() && view.failure().empty(); ++bit) {
            const std::size_t position = positionAt(bit);
            if (canMatch(position) && answers(position, view, context))
                return position;
        }
        return none;
    }

    std::size_t find(RequestView &view, const MatchContext *context) const
    {
        if (!index)
            return scan(view, context);
        static thread_local BitSet candidates;
        index->candidates(view, candidates);
        for (std::size_t bit = candidates.next(0); bit != BitSet::none && view.failure().empty();
             bit = candidates.next(bit + 1)) {
            if (answers(positionAt(bit), view, context))
                return positionAt(bit);
        }
        return none;
    }

    MatchExplanation explain(const auto &request, std::string_view client, MatchContext *context) const
    {
        const std::size_t answering = find(viewOf(request, client, context), context);
        RequestView &view = viewOf(request, client, context);
        return explainMatch(stubs, parts, answering == none ? stubs.size() : answering, view);
    }

    std::vector<StubPtr> stubs;
    std::vector<std::shared_ptr<const CompiledStub>> parts; ///< one for each stub
    std::vector<std::uint32_t> order;                       ///< see evaluationOrder: position of each bit of the index
    std::unique_ptr<StubIndex> index;                       ///< null for few stubs
    DataCoding coding = DataCoding::Text;
};

CompiledStubs::CompiledStubs() : d(std::make_unique<Private>()) {}
CompiledStubs::~CompiledStubs() = default;

std::shared_ptr<const CompiledStubs> CompiledStubs::compile(const std::vector<StubPtr> &stubs,
                                                            const std::shared_ptr<const CompiledStubs> &previous,
                                                            DataCoding coding)
{
    const std::shared_ptr<CompiledStubs> made(new CompiledStubs);
    Private &d = *made->d;
    std::unordered_map<StubId, std::size_t> before;
    if (previous && previous->d->coding == coding) {
        for (std::size_t position = 0; position < previous->d->stubs.size(); ++position)
            before.emplace(previous->d->stubs[position]->id, position);
    }
    d.coding = coding;
    d.stubs = stubs;
    d.order = evaluationOrder(stubs);
    d.parts.reserve(stubs.size());
    for (const StubPtr &stub : stubs) {
        const auto old = before.find(stub->id);
        if (old != before.end()) {
            const StubPtr &was = previous->d->stubs[old->second];
            const bool same = was == stub || (stub->source.node() != nullptr && stub->source.sameNode(was->source));
            if (same) {
                d.parts.push_back(previous->d->parts[old->second]);
                continue;
            }
        }
        d.parts.push_back(compileStub(stub, coding));
    }
    if (stubs.size() > scanLimit) {
        std::vector<const std::vector<IndexConstraint> *> constraints;
        constraints.reserve(stubs.size());
        for (std::size_t bit = 0; bit < stubs.size(); ++bit) {
            const std::size_t position = d.positionAt(bit);
            constraints.push_back(d.canMatch(position) ? &d.parts[position]->constraints : nullptr);
        }
        d.index = std::make_unique<StubIndex>(constraints, previous ? previous->d->index.get() : nullptr);
    }
    return made;
}

std::size_t CompiledStubs::match(const http::Request &request, std::string_view client, MatchContext *context) const
{
    return d->find(viewOf(request, client, context), context);
}

std::size_t CompiledStubs::match(const TcpRequest &request, std::string_view client, MatchContext *context) const
{
    return d->find(viewOf(request, client, context), context);
}

std::size_t CompiledStubs::matchByScan(const http::Request &request, std::string_view client,
                                       MatchContext *context) const
{
    return d->scan(viewOf(request, client, context), context);
}

MatchExplanation CompiledStubs::explain(const http::Request &request, std::string_view client,
                                        MatchContext *context) const
{
    return d->explain(request, client, context);
}

MatchExplanation CompiledStubs::explain(const TcpRequest &request, std::string_view client, MatchContext *context) const
{
    return d->explain(request, client, context);
}

MatchExplanation explain(const Imposter &imposter, const http::Request &request, std::string_view client)
{
    const auto compiled =
        CompiledStubs::compile(imposter.stubs, {}, imposter.binary ? DataCoding::Base64 : DataCoding::Text);
    return imposter.protocol == "tcp" ? compiled->explain(TcpRequest{request.body, imposter.binary}, client)
                                      : compiled->explain(request, client);
}

const std::vector<StubPtr> &CompiledStubs::stubs() const
{
    return d->stubs;
}

} // namespace wardbench
