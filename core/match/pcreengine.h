#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wardbench {

/// Begin and end of a match and its groups, in code units; `unmatched` for a group that took no part.
using RegexSpans = std::vector<std::pair<std::size_t, std::size_t>>;
inline constexpr std::size_t unmatched = static_cast<std::size_t>(-1);

enum class RegexOutcome { Match, NoMatch, GaveUp };

/// A pattern compiled by PCRE2, with a bound on the work of one search. Machine code is made for it, where PCRE2 can,
/// once it has been searched for a few times: an explanation asks thousands of patterns once. `Unit` is char
/// (libpcre2-8) or char16_t (libpcre2-16); never UTF: one unit is one character. Any thread may search.
template <typename Unit>
class PcreEngine
{
public:
    using Outcome = RegexOutcome;

    /// Null when PCRE2 refuses the pattern (too large).
    static std::unique_ptr<PcreEngine> compile(const std::string &pattern, bool caseless);
    ~PcreEngine();
    /// The first match that begins at `from` or later; `spans`, if given, gets where.
    Outcome search(std::basic_string_view<Unit> subject, std::size_t from = 0, RegexSpans *spans = nullptr) const;

private:
    struct Code;
    explicit PcreEngine(std::unique_ptr<Code> code);
    const Code &codeFor(std::size_t subjectSize) const;

    std::unique_ptr<Code> m_code;
    mutable std::atomic<std::uint32_t> m_searches{0};
    mutable std::atomic<const Code *> m_fast{nullptr}; ///< with machine code; owned
};

extern template class PcreEngine<char>;
extern template class PcreEngine<char16_t>;

} // namespace wardbench
