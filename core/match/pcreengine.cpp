#include "match/pcreengine.h"

#define PCRE2_CODE_UNIT_WIDTH 0
#include <pcre2.h>

#include <chrono>

namespace wardbench {

namespace {

// A search that needs more is given up: about 20 ms of work at one starting point, and 100 ms over all of them.
constexpr std::uint32_t matchLimit = 1'000'000;
constexpr std::chrono::milliseconds timeLimit{100};
// Long subjects are searched in steps of so many starting points, with a look at the clock between them: the library
// counts its work anew for each starting point.
constexpr std::size_t longSubject = 2048;
constexpr std::size_t window = 1024;
constexpr std::uint32_t fewSearches = 4;
constexpr std::size_t jitStackSize = 8u << 20;

template <typename Unit>
struct Api;

template <>
struct Api<char>
{
    using Code = pcre2_code_8;
    static constexpr auto compile = pcre2_compile_8;
    static constexpr auto jitCompile = pcre2_jit_compile_8;
    static constexpr auto match = pcre2_match_8;
    static constexpr auto copyCode = pcre2_code_copy_8;
    static constexpr auto freeCode = pcre2_code_free_8;
    static constexpr auto makeContext = pcre2_match_context_create_8;
    static constexpr auto freeContext = pcre2_match_context_free_8;
    static constexpr auto setMatchLimit = pcre2_set_match_limit_8;
    static constexpr auto setOffsetLimit = pcre2_set_offset_limit_8;
    static constexpr auto makeData = pcre2_match_data_create_8;
    static constexpr auto freeData = pcre2_match_data_free_8;
    static constexpr auto groups = pcre2_get_ovector_count_8;
    static constexpr auto places = pcre2_get_ovector_pointer_8;
    static constexpr auto info = pcre2_pattern_info_8;
    static constexpr auto makeStack = pcre2_jit_stack_create_8;
    static constexpr auto freeStack = pcre2_jit_stack_free_8;
    static constexpr auto assignStack = pcre2_jit_stack_assign_8;
    static PCRE2_SPTR8 pointer(const char *text) { return reinterpret_cast<PCRE2_SPTR8>(text); }
};

template <>
struct Api<char16_t>
{
    using Code = pcre2_code_16;
    static constexpr auto compile = pcre2_compile_16;
    static constexpr auto jitCompile = pcre2_jit_compile_16;
    static constexpr auto match = pcre2_match_16;
    static constexpr auto copyCode = pcre2_code_copy_16;
    static constexpr auto freeCode = pcre2_code_free_16;
    static constexpr auto makeContext = pcre2_match_context_create_16;
    static constexpr auto freeContext = pcre2_match_context_free_16;
    static constexpr auto setMatchLimit = pcre2_set_match_limit_16;
    static constexpr auto setOffsetLimit = pcre2_set_offset_limit_16;
    static constexpr auto makeData = pcre2_match_data_create_16;
    static constexpr auto freeData = pcre2_match_data_free_16;
    static constexpr auto groups = pcre2_get_ovector_count_16;
    static constexpr auto places = pcre2_get_ovector_pointer_16;
    static constexpr auto info = pcre2_pattern_info_16;
    static constexpr auto makeStack = pcre2_jit_stack_create_16;
    static constexpr auto freeStack = pcre2_jit_stack_free_16;
    static constexpr auto assignStack = pcre2_jit_stack_assign_16;
    static PCRE2_SPTR16 pointer(const char16_t *text) { return reinterpret_cast<PCRE2_SPTR16>(text); }
};

/// What a search needs besides the code, one per thread.
template <typename Unit>
struct Scratch
{
    Scratch()
    {
        Api<Unit>::setMatchLimit(context, matchLimit);
        Api<Unit>::assignStack(context, nullptr, stack);
    }
    ~Scratch()
    {
        Api<Unit>::freeData(data);
        Api<Unit>::freeContext(context);
        Api<Unit>::freeStack(stack);
    }
    Scratch(const Scratch &) = delete;
    Scratch &operator=(const Scratch &) = delete;

    /// Makes room for so many groups, the whole match among them.
    void reserve(std::uint32_t count)
    {
        if (Api<Unit>::groups(data) >= count)
            return;
        Api<Unit>::freeData(data);
        data = Api<Unit>::makeData(count, nullptr);
    }

    decltype(Api<Unit>::makeContext(nullptr)) context = Api<Unit>::makeContext(nullptr);
    decltype(Api<Unit>::makeData(1, nullptr)) data = Api<Unit>::makeData(1, nullptr);
    decltype(Api<Unit>::makeStack(1, 1, nullptr)) stack = Api<Unit>::makeStack(64u << 10, jitStackSize, nullptr);
};

} // namespace

template <typename Unit>
struct PcreEngine<Unit>::Code
{
    using Api = wardbench::Api<Unit>;

    explicit Code(typename Api::Code *code) : handle(code)
    {
        std::uint32_t groups = 0;
        Api::info(handle, PCRE2_INFO_CAPTURECOUNT, &groups);
        spans = groups + 1;
    }
    ~Code() { Api::freeCode(handle); }
    Code(const Code &) = delete;
    Code &operator=(const Code &) = delete;

    typename Api::Code *const handle;
    std::uint32_t spans = 1; ///< groups, and the whole match
};

template <typename Unit>
std::unique_ptr<PcreEngine<Unit>> PcreEngine<Unit>::compile(const std::string &pattern, bool caseless)
{
    const std::basic_string<Unit> text(pattern.begin(), pattern.end()); // the writer escapes all but ASCII
    std::uint32_t options = PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY | PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF |
                            PCRE2_USE_OFFSET_LIMIT;
    if (caseless)
        options |= PCRE2_CASELESS;
    int error = 0;
    PCRE2_SIZE at = 0;
    auto *const code = Api<Unit>::compile(Api<Unit>::pointer(text.data()), text.size(), options, &error, &at, nullptr);
    if (code == nullptr)
        return nullptr;
    return std::unique_ptr<PcreEngine>(new PcreEngine(std::make_unique<Code>(code)));
}

template <typename Unit>
PcreEngine<Unit>::PcreEngine(std::unique_ptr<Code> code) : m_code(std::move(code))
{
}

template <typename Unit>
PcreEngine<Unit>::~PcreEngine()
{
    delete m_fast.load();
}

/// PCRE2 adds machine code to a pattern in place, which nobody may search meanwhile; so a copy gets it.
template <typename Unit>
const typename PcreEngine<Unit>::Code &PcreEngine<Unit>::codeFor(std::size_t subjectSize) const
{
    if (const Code *fast = m_fast.load(std::memory_order_acquire))
        return *fast;
    const std::uint32_t searches = m_searches.fetch_add(1, std::memory_order_relaxed);
    if (searches < fewSearches && subjectSize < longSubject)
        return *m_code;
    auto copy = std::make_unique<Code>(Api<Unit>::copyCode(m_code->handle));
    Api<Unit>::jitCompile(copy->handle, PCRE2_JIT_COMPLETE); // without it, the copy still searches
    const Code *expected = nullptr;
    if (m_fast.compare_exchange_strong(expected, copy.get(), std::memory_order_acq_rel))
        return *copy.release();
    return *expected; // another thread was first
}

template <typename Unit>
typename PcreEngine<Unit>::Outcome PcreEngine<Unit>::search(std::basic_string_view<Unit> subject, std::size_t from,
                                                            RegexSpans *spans) const
{
    static thread_local Scratch<Unit> scratch;
    const auto *const code = codeFor(subject.size()).handle;
    if (spans)
        scratch.reserve(m_code->spans);
    const auto *const text = Api<Unit>::pointer(subject.data());
    const bool stepwise = subject.size() > longSubject;
    const auto begun = stepwise ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
    for (std::size_t start = from;;) {
        const bool last = !stepwise || start + window >= subject.size();
        Api<Unit>::setOffsetLimit(scratch.context, last ? PCRE2_UNSET : start + window - 1);
        const int result = Api<Unit>::match(code, text, subject.size(), start, 0, scratch.data, scratch.context);
        if (result >= 0) {
            if (spans) {
                const auto *const places = Api<Unit>::places(scratch.data);
                spans->clear();
                for (std::uint32_t i = 0; i < m_code->spans; ++i)
                    spans->emplace_back(places[2 * i], places[2 * i + 1]); // PCRE2_UNSET is `unmatched`
            }
            return Outcome::Match;
        }
        if (result != PCRE2_ERROR_NOMATCH)
            return Outcome::GaveUp;
        if (last)
            return Outcome::NoMatch;
        if (std::chrono::steady_clock::now() - begun > timeLimit)
            return Outcome::GaveUp;
        start += window;
    }
}

static_assert(PCRE2_UNSET == unmatched);

template class PcreEngine<char>;
template class PcreEngine<char16_t>;

} // namespace wardbench
