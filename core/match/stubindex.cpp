#include "match/stubindex.h"

#include "match/text.h"

#include <algorithm>
#include <map>

namespace wardbench {

namespace {

// Each dimension costs a request a little; the ones that few stubs use are not worth it.
constexpr std::size_t mostDimensions = 24;
// So few candidates are decided faster than narrowed down.
constexpr std::size_t fewCandidates = 2;
// Patterns that a set lent by the index before may lack (their stubs stay candidates), and the share it may carry
// in vain: an edit must not compile thousands of expressions anew.
constexpr std::size_t mostMissing = 16;
constexpr std::size_t mostWaste = 2;

} // namespace

void StubIndex::Positions::pack(std::size_t stubs)
{
    constexpr std::size_t bitsPerWord = 64;
    if (m_few.size() <= stubs / bitsPerWord)
        return;
    m_many = BitSet(stubs);
    for (const std::uint32_t position : m_few)
        m_many.set(position);
    std::vector<std::uint32_t>().swap(m_few);
}

void StubIndex::Positions::addTo(BitSet &set) const
{
    for (const std::uint32_t position : m_few)
        set.set(position);
    for (std::size_t i = 0; i < m_many.words(); ++i)
        set.word(i) |= m_many.word(i);
}

StubIndex::StubIndex(const std::vector<const std::vector<IndexConstraint> *> &constraints, const StubIndex *previous)
    : m_size(constraints.size()), m_active(constraints.size())
{
    using Demands = std::vector<std::pair<std::uint32_t, const IndexConstraint *>>;
    std::map<IndexKey, Demands> byKey;
    for (std::size_t position = 0; position < constraints.size(); ++position) {
        if (constraints[position] == nullptr)
            continue;
        m_active.set(position);
        for (const IndexConstraint &constraint : *constraints[position])
            byKey[constraint.key].emplace_back(static_cast<std::uint32_t>(position), &constraint);
    }
    std::vector<std::pair<std::size_t, const IndexKey *>> ranked;
    for (const auto &[key, demands] : byKey)
        ranked.emplace_back(demands.size(), &key);
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    ranked.resize(std::min(ranked.size(), mostDimensions));
    std::sort(ranked.begin(), ranked.end(), [](const auto &a, const auto &b) { return *a.second < *b.second; });
    for (const auto &[count, key] : ranked)
        makeDimension(*key, std::move(byKey[*key]), previous);
}

void StubIndex::makeDimension(const IndexKey &key,
                              std::vector<std::pair<std::uint32_t, const IndexConstraint *>> demands,
                              const StubIndex *previous)
{
    Dimension dimension;
    dimension.key = key;
    dimension.open = m_active;
    for (const auto &[position, constraint] : demands)
        dimension.open.clear(position);
    if (key.isPattern()) {
        makePatterns(dimension, demands, previous);
        if (!dimension.patterns)
            return;
    } else {
        dimension.byValue.reserve(demands.size());
        for (const auto &[position, constraint] : demands) {
            for (const std::string &value : constraint->values)
                dimension.byValue[value].add(position);
        }
        for (auto &[value, positions] : dimension.byValue)
            positions.pack(m_size);
    }
    dimension.anyOpen = dimension.open.next(0) != BitSet::none;
    m_dimensions.push_back(std::move(dimension));
}

void StubIndex::makePatterns(Dimension &dimension,
                             const std::vector<std::pair<std::uint32_t, const IndexConstraint *>> &demands,
                             const StubIndex *previous)
{
    std::vector<std::string> wanted;
    for (const auto &[position, constraint] : demands)
        wanted.insert(wanted.end(), constraint->values.begin(), constraint->values.end());
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    if (previous != nullptr) {
        for (const Dimension &before : previous->m_dimensions) {
            if (before.key != dimension.key)
                continue;
            const auto missing = static_cast<std::size_t>(
                std::count_if(wanted.begin(), wanted.end(),
                              [&before](const std::string &pattern) { return before.patterns->find(pattern) < 0; }));
            if (missing <= std::min(mostMissing, wanted.size() / 4) &&
                before.patterns->size() <= mostWaste * wanted.size())
                dimension.patterns = before.patterns;
        }
    }
    if (!dimension.patterns)
        dimension.patterns = PatternSet::compile(wanted);
    if (!dimension.patterns)
        return;
    dimension.byPattern.resize(dimension.patterns->size());
    for (const auto &[position, constraint] : demands) {
        const bool known = std::all_of(constraint->values.begin(), constraint->values.end(),
                                       [&](const std::string &p) { return dimension.patterns->find(p) >= 0; });
        if (!known) {
            dimension.open.set(position);
            continue;
        }
        for (const std::string &pattern : constraint->values)
            dimension.byPattern[static_cast<std::size_t>(dimension.patterns->find(pattern))].add(position);
    }
    for (Positions &positions : dimension.byPattern)
        positions.pack(m_size);
}

void StubIndex::candidates(RequestView &request, BitSet &into) const
{
    into = m_active;
    for (const Dimension &dimension : m_dimensions) {
        if (narrow(dimension, request, into) && into.atMost(fewCandidates))
            return;
    }
}

/// Takes away the stubs of the dimension that the request rules out; false when it rules out none.
bool StubIndex::narrow(const Dimension &dimension, RequestView &request, BitSet &candidates) const
{
    static thread_local std::vector<const Positions *> lists;
    static thread_local BitSet kept;
    lists.clear();
    if (!collect(dimension, request, lists))
        return false;
    if (lists.size() == 1 && lists.front()->isSet()) {
        const BitSet &set = lists.front()->set();
        for (std::size_t i = 0; i < candidates.words(); ++i)
            candidates.word(i) &= dimension.open.word(i) | set.word(i);
        return true;
    }
    kept = dimension.open;
    for (const Positions *positions : lists)
        positions->addTo(kept);
    for (std::size_t i = 0; i < candidates.words(); ++i)
        candidates.word(i) &= kept.word(i);
    return true;
}

/// The stubs whose demand the request may meet; false when nothing can be said about this request.
bool StubIndex::collect(const Dimension &dimension, RequestView &request, std::vector<const Positions *> &lists)
{
    if (dimension.key.isPattern()) {
        static thread_local std::vector<int> found;
        const Field field = dimension.key.kind == IndexKey::Kind::PathPattern ? Field::Path : Field::Body;
        static const std::string nothing;
        const std::string *text = request.text(field, false);
        const std::string &subject = text != nullptr ? *text : nothing;
        if (!isAscii(subject) || !dimension.patterns->search(subject, found))
            return false;
        for (const int number : found)
            lists.push_back(&dimension.byPattern[static_cast<std::size_t>(number)]);
        return true;
    }
    return visitIndexValues(dimension.key, request, [&](std::string_view value) {
        const auto found = dimension.byValue.find(value);
        if (found != dimension.byValue.end())
            lists.push_back(&found->second);
    });
}

} // namespace wardbench
