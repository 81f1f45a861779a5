#include "match/jsbacktracker.h"

#include <algorithm>

namespace wardbench {

namespace {

using Kind = RegexNode::Kind;

constexpr std::uint32_t unset = UINT32_MAX;
constexpr std::uint64_t stepLimit = 1'000'000;
constexpr std::size_t stackLimit = 1'000'000;

} // namespace

JsBacktracker::JsBacktracker(const JsRegex &regex)
    : m_groups(static_cast<std::uint32_t>(regex.groups) + 1), m_registers(2 * m_groups), m_ignoreCase(regex.ignoreCase),
      m_multiline(regex.multiline)
{
    emit(Op::Save, 0);
    compile(regex.root, false);
    emit(Op::Save, 1);
    emit(Op::Accept);
}

std::size_t JsBacktracker::emit(Op op, std::uint32_t x, std::uint32_t y, bool backward, bool negated)
{
    m_program.push_back({op, x, y, backward, negated});
    return m_program.size() - 1;
}

void JsBacktracker::compile(const RegexNode &node, bool backward)
{
    switch (node.kind) {
    case Kind::Empty:
        break;
    case Kind::Set:
        m_sets.push_back(node.set);
        emit(Op::Set, static_cast<std::uint32_t>(m_sets.size() - 1), 0, backward);
        break;
    case Kind::Sequence:
        for (std::size_t i = 0; i < node.children.size(); ++i)
            compile(node.children[backward ? node.children.size() - 1 - i : i], backward);
        break;
    case Kind::Choice:
        compileChoice(node, backward);
        break;
    case Kind::Group: {
        const auto slot = 2 * static_cast<std::uint32_t>(node.group);
        if (node.group != 0)
            emit(Op::Save, backward ? slot + 1 : slot);
        compile(node.children[0], backward);
        if (node.group != 0)
            emit(Op::Save, backward ? slot : slot + 1);
        break;
    }
    case Kind::Repeat:
        compileRepeat(node, backward);
        break;
    case Kind::BackReference:
        emit(Op::BackReference, static_cast<std::uint32_t>(node.group), 0, backward);
        break;
    case Kind::Begin:
        emit(Op::Begin);
        break;
    case Kind::End:
        emit(Op::End);
        break;
    case Kind::Boundary:
        emit(Op::Boundary, 0, 0, false, node.negated);
        break;
    case Kind::Look: {
        const std::size_t look = emit(Op::Look, 0, 0, false, node.negated);
        compile(node.children[0], node.behind);
        emit(Op::Accept);
        m_program[look].y = here();
        break;
    }
    }
}

void JsBacktracker::compileChoice(const RegexNode &node, bool backward)
{
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        const bool last = i + 1 == node.children.size();
        const std::size_t split = last ? 0 : emit(Op::Split, here() + 1);
        compile(node.children[i], backward);
        if (!last) {
            jumps.push_back(emit(Op::Jump));
            m_program[split].y = here();
        }
    }
    for (const std::size_t jump : jumps)
        m_program[jump].x = here();
}

void JsBacktracker::compileRepeat(const RegexNode &node, bool backward)
{
    const auto loop = static_cast<std::uint32_t>(m_loops.size());
    m_loops.push_back({node.min, node.max, node.greedy, m_registers, m_registers + 1,
                       2 * static_cast<std::uint32_t>(node.groupsBegin),
                       2 * static_cast<std::uint32_t>(node.groupsEnd)});
    m_registers += 2;
    emit(Op::Counter, m_loops[loop].counter);
    const std::uint32_t start = here();
    emit(Op::Loop, loop);
    emit(Op::Turn, loop);
    compile(node.children[0], backward);
    emit(Op::LoopEnd, loop, start);
    m_program[start].y = here();
}

/// One search: registers, and a stack of choices to come back to and register values to restore on the way.
class JsBacktracker::Run
{
public:
    Run(const JsBacktracker &code, std::u16string_view subject)
        : m_code(code), m_subject(subject), m_registers(code.m_registers, unset)
    {
    }

    Outcome search(std::size_t from)
    {
        const bool anchored = m_code.m_program[1].op == Op::Begin && !m_code.m_multiline;
        for (std::size_t start = from; start <= m_subject.size(); ++start) {
            std::fill(m_registers.begin(), m_registers.end(), unset);
            m_stack.clear();
            if (run(0, static_cast<std::uint32_t>(start)))
                return Outcome::Match;
            if (m_gaveUp)
                return Outcome::GaveUp;
            if (anchored)
                break;
        }
        return Outcome::NoMatch;
    }

    RegexSpans spans() const
    {
        RegexSpans spans;
        for (std::size_t i = 0; i < m_code.m_groups; ++i) {
            const std::uint32_t begin = m_registers[2 * i], end = m_registers[2 * i + 1];
            const bool known = begin != unset && end != unset;
            spans.emplace_back(known ? begin : unmatched, known ? end : unmatched);
        }
        return spans;
    }

private:
    struct Entry
    {
        bool choice;
        std::uint32_t a; ///< instruction, or register
        std::uint32_t b; ///< position, or old value
    };

    void set(std::uint32_t reg, std::uint32_t value)
    {
        m_stack.push_back({false, reg, m_registers[reg]});
        m_registers[reg] = value;
    }

    /// Back to the last choice above `base`; false when there is none.
    bool backtrack(std::size_t base, std::uint32_t &pc, std::uint32_t &at)
    {
        while (m_stack.size() > base) {
            const Entry entry = m_stack.back();
            m_stack.pop_back();
            if (entry.choice) {
                pc = entry.a;
                at = entry.b;
                return true;
            }
            m_registers[entry.a] = entry.b;
        }
        return false;
    }

    bool run(std::uint32_t pc, std::uint32_t at)
    {
        const std::size_t base = m_stack.size();
        for (;;) {
            if (++m_steps > stepLimit || m_stack.size() > stackLimit) {
                m_gaveUp = true;
                return false;
            }
            if (m_code.m_program[pc].op == Op::Accept) {
                dropChoices(base);
                return true;
            }
            if (!step(pc, at) && (m_gaveUp || !backtrack(base, pc, at)))
                return false;
        }
    }

    /// A look around that held is never entered again, but what its groups captured must still be undone later.
    void dropChoices(std::size_t base)
    {
        const auto from = m_stack.begin() + static_cast<std::ptrdiff_t>(base);
        m_stack.erase(std::remove_if(from, m_stack.end(), [](const Entry &entry) { return entry.choice; }),
                      m_stack.end());
    }

    bool step(std::uint32_t &pc, std::uint32_t &at);
    bool loop(std::uint32_t &pc, std::uint32_t at);
    bool loopEnd(std::uint32_t &pc, std::uint32_t at);
    bool look(std::uint32_t &pc, std::uint32_t at);
    bool backReference(const Instruction &instruction, std::uint32_t &at) const;
    bool isWord(std::uint32_t at) const { return at < m_subject.size() && CodeUnitSet::word().contains(m_subject[at]); }
    bool isLineBreak(std::uint32_t at) const { return CodeUnitSet::lineTerminators().contains(m_subject[at]); }

    const JsBacktracker &m_code;
    std::u16string_view m_subject;
    std::vector<std::uint32_t> m_registers;
    std::vector<Entry> m_stack;
    std::uint64_t m_steps = 0;
    bool m_gaveUp = false;
};

bool JsBacktracker::Run::step(std::uint32_t &pc, std::uint32_t &at)
{
    const Instruction &instruction = m_code.m_program[pc];
    switch (instruction.op) {
    case Op::Set: {
        if (instruction.backward ? at == 0 : at >= m_subject.size())
            return false;
        if (!m_code.m_sets[instruction.x].contains(m_subject[instruction.backward ? at - 1 : at]))
            return false;
        at = instruction.backward ? at - 1 : at + 1;
        break;
    }
    case Op::Split:
        m_stack.push_back({true, instruction.y, at});
        break;
    case Op::Jump:
        pc = instruction.x;
        return true;
    case Op::Save:
        set(instruction.x, at);
        break;
    case Op::Counter:
        set(instruction.x, 0);
        break;
    case Op::Loop:
        return loop(pc, at);
    case Op::Turn: {
        const LoopInfo &info = m_code.m_loops[instruction.x];
        set(info.position, at);
        for (std::uint32_t reg = info.groupsBegin; reg < info.groupsEnd; ++reg)
            set(reg, unset);
        break;
    }
    case Op::LoopEnd:
        return loopEnd(pc, at);
    case Op::Begin:
        if (at != 0 && !(m_code.m_multiline && isLineBreak(at - 1)))
            return false;
        break;
    case Op::End:
        if (at != m_subject.size() && !(m_code.m_multiline && isLineBreak(at)))
            return false;
        break;
    case Op::Boundary:
        if (((at > 0 && isWord(at - 1)) != isWord(at)) == instruction.negated)
            return false;
        break;
    case Op::BackReference:
        if (!backReference(instruction, at))
            return false;
        break;
    case Op::Look:
        return look(pc, at);
    case Op::Accept:
        break;
    }
    ++pc;
    return true;
}

/// Whether to take another turn. Both ways are kept where both are allowed, the preferred one first.
bool JsBacktracker::Run::loop(std::uint32_t &pc, std::uint32_t at)
{
    const Instruction &instruction = m_code.m_program[pc];
    const LoopInfo &info = m_code.m_loops[instruction.x];
    const std::uint32_t count = m_registers[info.counter];
    const std::uint32_t turn = pc + 1;
    if (count >= info.max) {
        pc = instruction.y;
    } else if (count < info.min) {
        pc = turn;
    } else {
        m_stack.push_back({true, info.greedy ? instruction.y : turn, at});
        pc = info.greedy ? turn : instruction.y;
    }
    return true;
}

bool JsBacktracker::Run::loopEnd(std::uint32_t &pc, std::uint32_t at)
{
    const Instruction &instruction = m_code.m_program[pc];
    const LoopInfo &info = m_code.m_loops[instruction.x];
    const std::uint32_t count = m_registers[info.counter];
    if (count >= info.min && at == m_registers[info.position])
        return false; // a turn beyond the least number must not be empty
    set(info.counter, std::min(count + 1, RegexNode::unlimited - 1));
    pc = instruction.y;
    return true;
}

bool JsBacktracker::Run::look(std::uint32_t &pc, std::uint32_t at)
{
    const Instruction &instruction = m_code.m_program[pc];
    const std::size_t base = m_stack.size();
    const bool found = run(pc + 1, at);
    if (m_gaveUp)
        return false;
    if (found && instruction.negated) {
        std::uint32_t ignoredPc = 0, ignoredAt = 0;
        backtrack(base, ignoredPc, ignoredAt); // only register values are left: forget what was captured
    }
    if (found == instruction.negated)
        return false;
    pc = instruction.y;
    return true;
}

bool JsBacktracker::Run::backReference(const Instruction &instruction, std::uint32_t &at) const
{
    const std::uint32_t first = m_registers[2 * instruction.x], last = m_registers[2 * instruction.x + 1];
    if (first == unset || last == unset)
        return true;
    const std::uint32_t length = last - first;
    if (instruction.backward ? at < length : m_subject.size() - at < length)
        return false;
    const std::uint32_t begin = instruction.backward ? at - length : at;
    for (std::uint32_t i = 0; i < length; ++i) {
        const char16_t a = m_subject[first + i], b = m_subject[begin + i];
        if (a != b && !(m_code.m_ignoreCase && CodeUnitSet::canonicalCase(a) == CodeUnitSet::canonicalCase(b)))
            return false;
    }
    at = instruction.backward ? begin : at + length;
    return true;
}

JsBacktracker::Outcome JsBacktracker::search(std::u16string_view subject, std::size_t from, RegexSpans *spans) const
{
    Run run(*this, subject);
    const Outcome outcome = run.search(from);
    if (outcome == Outcome::Match && spans)
        *spans = run.spans();
    return outcome;
}

} // namespace wardbench
