#pragma once

#include "match/bitset.h"
#include "match/patternset.h"
#include "match/stubconstraints.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace wardbench {

/// Which stubs can match a request: a superset of those that do, as a set of positions. One dimension for each
/// attribute that stubs demand something of; each takes away only stubs that cannot match (docs/MATCHING.md).
/// Immutable; any thread may ask.
class StubIndex
{
public:
    /// `constraints[i]` are those of stub i, or null for a stub that never matches. `previous` lends its pattern sets.
    StubIndex(const std::vector<const std::vector<IndexConstraint> *> &constraints, const StubIndex *previous);

    /// `into` becomes the candidates.
    void candidates(RequestView &request, BitSet &into) const;

    /// For figures and tests.
    std::size_t dimensions() const { return m_dimensions.size(); }

private:
    struct TextHash
    {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    /// The stubs of one value or pattern: a list, or a set where the list would take longer to walk (all stubs of GET).
    class Positions
    {
    public:
        void add(std::uint32_t position) { m_few.push_back(position); }
        void pack(std::size_t stubs); ///< once, after the last `add`
        void addTo(BitSet &set) const;
        bool isSet() const { return m_many.words() > 0; }
        const BitSet &set() const { return m_many; }

    private:
        std::vector<std::uint32_t> m_few;
        BitSet m_many;
    };
    using ByValue = std::unordered_map<std::string, Positions, TextHash, std::equal_to<>>;

    struct Dimension
    {
        IndexKey key;
        BitSet open; ///< stubs that demand nothing here, or nothing that can be told here
        bool anyOpen = false;
        ByValue byValue;
        std::shared_ptr<const PatternSet> patterns;
        std::vector<Positions> byPattern;
    };

    void makeDimension(const IndexKey &key, std::vector<std::pair<std::uint32_t, const IndexConstraint *>> demands,
                       const StubIndex *previous);
    void makePatterns(Dimension &dimension,
                      const std::vector<std::pair<std::uint32_t, const IndexConstraint *>> &demands,
                      const StubIndex *previous);
    bool narrow(const Dimension &dimension, RequestView &request, BitSet &candidates) const;
    static bool collect(const Dimension &dimension, RequestView &request, std::vector<const Positions *> &lists);

    const std::size_t m_size;
    BitSet m_active;
    std::vector<Dimension> m_dimensions; // cheapest first
};

} // namespace wardbench
