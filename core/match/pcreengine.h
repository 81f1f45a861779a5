#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace wardbench {

/// A pattern compiled by PCRE2 with just-in-time code where the machine has it, with a bound on the work of one search.
/// `Unit` is char (libpcre2-8) or char16_t (libpcre2-16); never UTF: one unit is one character. Any thread may search.
template <typename Unit>
class PcreEngine
{
public:
    enum class Outcome { Match, NoMatch, GaveUp };

    /// Null when PCRE2 refuses the pattern (too large).
    static std::unique_ptr<PcreEngine> compile(const std::string &pattern, bool caseless);
    ~PcreEngine();
    Outcome search(std::basic_string_view<Unit> subject) const;

private:
    PcreEngine() = default;
    void *m_code = nullptr;
    bool m_jit = false;
};

extern template class PcreEngine<char>;
extern template class PcreEngine<char16_t>;

} // namespace wardbench
