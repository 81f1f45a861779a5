#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wardbench::test {

/// Random JavaScript patterns and subjects over a small alphabet full of traps; the same seed gives the same ones on
/// every machine.
class PatternGenerator
{
public:
    explicit PatternGenerator(std::uint64_t seed) : m_state(seed * 2 + 1) {}

    std::string pattern()
    {
        m_groups = 0;
        return choice(0);
    }

    std::string flags()
    {
        static const char *const all[] = {"", "", "i", "i", "m", "s", "im", "is"};
        return all[below(8)];
    }

    std::string subject()
    {
        static const std::vector<std::string> parts{"a", "b",  "A",      "B", "1", "_", "-",      " ",      "k",
                                                    "K", "\n", "\r",     "é", "É", "σ", "ς",      "Σ",      "ß",
                                                    "ſ", "s",  "\u2028", "😀", "Å", "å", "\u00A0", "\u212A", "ı"};
        std::string text;
        const bool plain = below(2) == 0;
        for (std::uint32_t left = below(9); left > 0; --left)
            text += parts[plain ? below(12) : below(static_cast<std::uint32_t>(parts.size()))];
        return text;
    }

private:
    std::uint32_t below(std::uint32_t n)
    {
        m_state = m_state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint32_t>((m_state >> 33) % n);
    }

    std::string choice(int depth)
    {
        std::string text = sequence(depth);
        while (below(5) == 0)
            text += "|" + sequence(depth);
        return text;
    }

    std::string sequence(int depth)
    {
        std::string text;
        for (std::uint32_t left = below(4); left > 0; --left)
            text += term(depth);
        return text.empty() && below(4) != 0 ? atom(depth) : text;
    }

    std::string term(int depth)
    {
        static const char *const assertions[] = {"^", "$", "\\b", "\\B"};
        if (below(8) == 0)
            return assertions[below(4)];
        return atom(depth) + quantifier();
    }

    std::string quantifier()
    {
        static const char *const all[] = {"*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,1}?", "{2,}", "{0}"};
        return below(3) == 0 ? all[below(11)] : "";
    }

    std::string atom(int depth)
    {
        static const std::vector<std::string> units{
            "a",   "b",    "A",   "B",     "1",       "_",      "-",    " ",   "k",       "s",
            "é",   "É",    "σ",   "ß",     "😀",       ".",      "\\w",  "\\W", "\\s",     "\\S",
            "\\d", "\\D",  "\\n", "\\x61", "\\u00e9", "\\u{2}", "\\cJ", "]",   "\\-",     "\\u017F",
            "\\0", "\\12", "{",   "}",     "\\101",   "[^]",    "[]",   "\\8", "\\ud83d", "\\ude00"};
        const std::uint32_t kind = below(depth < 3 ? 10 : 7);
        if (kind < 5)
            return units[below(static_cast<std::uint32_t>(units.size()))];
        if (kind == 5)
            return klass();
        if (kind == 6)
            return m_groups > 0 || below(3) == 0 ? "\\" + std::to_string(1 + below(2)) : "a";
        return group(depth);
    }

    std::string group(int depth)
    {
        static const char *const openings[] = {"(?:", "(?:", "(?=", "(?!", "(?<=", "(?<!"};
        if (below(2) == 0) {
            ++m_groups;
            return "(" + choice(depth + 1) + ")";
        }
        return openings[below(6)] + choice(depth + 1) + ")";
    }

    std::string klass()
    {
        static const std::vector<std::string> members{
            "a", "b", "A-B", "a-k",   "\\d",   "\\w", "\\W", "\\s",  "_",   "-",   "é",     "à-ÿ", "\\n", "\\b",
            "σ", "K", "ſ",   "\\D-a", "\\x41", "^",   "😀",   "\\c1", "\\-", "1-9", "\\101", "[",   "\\]"};
        std::string text = below(3) == 0 ? "[^" : "[";
        for (std::uint32_t left = 1 + below(3); left > 0; --left)
            text += members[below(static_cast<std::uint32_t>(members.size()))];
        return text + "]";
    }

    std::uint64_t m_state;
    int m_groups = 0;
};

} // namespace wardbench::test
