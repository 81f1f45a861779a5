#pragma once

#include "match/jsregex.h"
#include "match/pcreengine.h"

#include <string_view>
#include <vector>

namespace wardbench {

/// Runs a JavaScript regular expression as ECMA-262 describes it, step by step, for the few that PCRE2 would answer
/// differently (groups forgotten in loops, lookbehind of any length). Slow but exact; gives up after a bounded number
/// of steps. Any thread may search.
class JsBacktracker
{
public:
    using Outcome = RegexOutcome;

    explicit JsBacktracker(const JsRegex &regex);
    /// The first match that begins at `from` or later; `spans`, if given, gets where.
    Outcome search(std::u16string_view subject, std::size_t from = 0, RegexSpans *spans = nullptr) const;

private:
    enum class Op {
        Set,     ///< one unit of set `x`, in the direction `backward`
        Split,   ///< go on at `x`; on failure at `y`
        Jump,    ///< to `x`
        Save,    ///< position into register `x`
        Counter, ///< register `x` to 0
        Loop,    ///< decide on another turn of loop `x`: at here + 1, or go on behind the loop at `y`
        Turn,    ///< begin of a turn of loop `x`
        LoopEnd, ///< end of a turn of loop `x`: back to `y`
        Begin,
        End,
        Boundary,
        BackReference, ///< to group `x`
        Look,          ///< the expression from here + 1 to its Accept; goes on at `y`
        Accept,
    };
    struct Instruction
    {
        Op op;
        std::uint32_t x = 0, y = 0;
        bool backward = false;
        bool negated = false;
    };
    struct LoopInfo
    {
        std::uint32_t min, max;
        bool greedy;
        std::uint32_t counter, position;      ///< registers
        std::uint32_t groupsBegin, groupsEnd; ///< registers of the groups inside
    };
    class Run;

    void compile(const RegexNode &node, bool backward);
    void compileRepeat(const RegexNode &node, bool backward);
    void compileChoice(const RegexNode &node, bool backward);
    std::size_t emit(Op op, std::uint32_t x = 0, std::uint32_t y = 0, bool backward = false, bool negated = false);
    std::uint32_t here() const { return static_cast<std::uint32_t>(m_program.size()); }

    std::vector<Instruction> m_program;
    std::vector<CodeUnitSet> m_sets;
    std::vector<LoopInfo> m_loops;
    std::uint32_t m_groups = 0; ///< the whole match among them
    std::uint32_t m_registers = 0;
    bool m_ignoreCase = false;
    bool m_multiline = false;
};

} // namespace wardbench
