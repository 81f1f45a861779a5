#include "match/compiledimposter.h"

#include "match/compiledpredicate.h"
#include "match/explainer.h"
#include "match/stubindex.h"

#include <algorithm>
#include <unordered_map>

namespace wardbench {

namespace {

// Below this the index only adds its own cost.
constexpr std::size_t scanLimit = 4;

std::shared_ptr<const CompiledStub> compileStub(const StubPtr &stub)
{
    auto made = std::make_shared<CompiledStub>();
    for (const Predicate &predicate : stub->predicates)
        made->predicates.push_back(compilePredicate(predicate, made->problem));
    made->constraints = constraintsOf(made->predicates);
    return made;
}

/// One view for each thread, so that its buffers are reused.
RequestView &viewOf(const http::Request &request, std::string_view client)
{
    static thread_local RequestView view;
    view.reset(request, client);
    return view;
}

} // namespace

class CompiledStubs::Private
{
public:
    bool stubHolds(std::size_t position, RequestView &view) const
    {
        const CompiledStub &compiled = *parts[position];
        return std::all_of(compiled.predicates.begin(), compiled.predicates.end(),
                           [&view](const CompiledPredicate &predicate) { return holds(predicate, view); });
    }

    bool canMatch(std::size_t position) const { return stubs[position]->enabled && parts[position]->problem.empty(); }

    std::size_t scan(RequestView &view) const
    {
        for (std::size_t position = 0; position < stubs.size(); ++position) {
            if (canMatch(position) && stubHolds(position, view))
                return position;
        }
        return none;
    }

    std::vector<StubPtr> stubs;
    std::vector<std::shared_ptr<const CompiledStub>> parts; ///< one for each stub
    std::unique_ptr<StubIndex> index;                       ///< null for few stubs
};

CompiledStubs::CompiledStubs() : d(std::make_unique<Private>()) {}
CompiledStubs::~CompiledStubs() = default;

std::shared_ptr<const CompiledStubs> CompiledStubs::compile(const std::vector<StubPtr> &stubs,
                                                            const std::shared_ptr<const CompiledStubs> &previous)
{
    const std::shared_ptr<CompiledStubs> made(new CompiledStubs);
    Private &d = *made->d;
    std::unordered_map<StubId, std::size_t> before;
    if (previous) {
        for (std::size_t position = 0; position < previous->d->stubs.size(); ++position)
            before.emplace(previous->d->stubs[position]->id, position);
    }
    d.stubs = stubs;
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
        d.parts.push_back(compileStub(stub));
    }
    if (stubs.size() > scanLimit) {
        std::vector<const std::vector<IndexConstraint> *> constraints;
        constraints.reserve(stubs.size());
        for (std::size_t position = 0; position < stubs.size(); ++position)
            constraints.push_back(d.canMatch(position) ? &d.parts[position]->constraints : nullptr);
        d.index = std::make_unique<StubIndex>(constraints, previous ? previous->d->index.get() : nullptr);
    }
    return made;
}

std::size_t CompiledStubs::match(const http::Request &request, std::string_view client) const
{
    RequestView &view = viewOf(request, client);
    if (!d->index)
        return d->scan(view);
    static thread_local BitSet candidates;
    d->index->candidates(view, candidates);
    for (std::size_t position = candidates.next(0); position != BitSet::none;
         position = candidates.next(position + 1)) {
        if (d->stubHolds(position, view))
            return position;
    }
    return none;
}

std::size_t CompiledStubs::matchByScan(const http::Request &request, std::string_view client) const
{
    return d->scan(viewOf(request, client));
}

MatchExplanation CompiledStubs::explain(const http::Request &request, std::string_view client) const
{
    const std::size_t answering = match(request, client);
    RequestView &view = viewOf(request, client);
    return explainMatch(d->stubs, d->parts, answering == none ? d->stubs.size() : answering, view);
}

const std::vector<StubPtr> &CompiledStubs::stubs() const
{
    return d->stubs;
}

} // namespace wardbench
