#include "match/jspattern.h"

#include "match/jsbacktracker.h"
#include "match/jsregexwriter.h"
#include "match/pcreengine.h"
#include "match/text.h"

#include <re2/re2.h>

#include <chrono>
#include <mutex>

namespace wardbench {

namespace {

// Beyond this RE2, whose time is linear, is asked at once.
constexpr std::size_t longSubject = 4096;
// For all matches of one subject together.
constexpr std::chrono::milliseconds removalTime{100};

/// PCRE2 where it can say the pattern, else the backtracker; each made at the first question.
class Engines
{
public:
    Engines(const std::string &pattern, const std::string &flags, RegexUse use)
        : m_pattern(pattern), m_flags(flags), m_use(use)
    {
    }

    /// In an ASCII subject places in bytes and in UTF-16 units are the same.
    RegexOutcome search(std::string_view ascii, std::size_t from = 0, RegexSpans *spans = nullptr) const
    {
        std::call_once(m_asciiOnce, [this] {
            const JsRegex regex = tree();
            if (const auto text = writeRegex(regex, RegexDialect::Pcre8, m_use))
                m_ascii = PcreEngine<char>::compile(*text, regex.ignoreCase);
        });
        return m_ascii ? m_ascii->search(ascii, from, spans) : backtracker().search(toUtf16(ascii), from, spans);
    }

    RegexOutcome search(std::u16string_view wide, std::size_t from = 0, RegexSpans *spans = nullptr) const
    {
        std::call_once(m_wideOnce, [this] {
            if (const auto text = writeRegex(tree(), RegexDialect::Pcre16, m_use))
                m_wide = PcreEngine<char16_t>::compile(*text, false);
        });
        return m_wide ? m_wide->search(wide, from, spans) : backtracker().search(wide, from, spans);
    }

private:
    /// The tree is not kept: it is much larger than the text and needed once or never.
    JsRegex tree() const { return *parseJsRegex(m_pattern, m_flags); }

    const JsBacktracker &backtracker() const
    {
        std::call_once(m_backtrackerOnce, [this] { m_backtracker = std::make_unique<JsBacktracker>(tree()); });
        return *m_backtracker;
    }

    const std::string &m_pattern, &m_flags;
    RegexUse m_use;
    mutable std::once_flag m_asciiOnce, m_wideOnce, m_backtrackerOnce;
    mutable std::unique_ptr<PcreEngine<char>> m_ascii;
    mutable std::unique_ptr<PcreEngine<char16_t>> m_wide;
    mutable std::unique_ptr<JsBacktracker> m_backtracker;
};

/// `subject` without what the engines find in it.
template <typename Unit>
std::basic_string<Unit> removed(const Engines &engines, std::basic_string_view<Unit> subject)
{
    const auto begun = std::chrono::steady_clock::now();
    std::basic_string<Unit> kept;
    std::size_t done = 0, from = 0;
    RegexSpans spans;
    while (from <= subject.size() && std::chrono::steady_clock::now() - begun < removalTime &&
           engines.search(subject, from, &spans) == RegexOutcome::Match) {
        const auto [begin, end] = spans.front();
        kept += subject.substr(done, begin - done);
        done = end;
        from = end == begin ? end + 1 : end;
    }
    return kept += subject.substr(done);
}

} // namespace

class JsPattern::Private
{
public:
    Private(std::string_view pattern, std::string_view flags) : pattern(pattern), flags(flags) {}
    bool matchesAscii(std::string_view subject) const;

    const std::string pattern;
    const std::string flags;
    bool ignoreCase = false;
    std::optional<std::string> re2Text;
    const Engines engines{pattern, flags, RegexUse::Test};
    const Engines finding{pattern, flags, RegexUse::Find};
    const Engines capturing{pattern, flags, RegexUse::Capture};

private:
    std::optional<bool> askRe2(std::string_view subject) const;

    mutable std::once_flag m_re2Once;
    mutable std::unique_ptr<re2::RE2> m_re2;
};

bool JsPattern::Private::matchesAscii(std::string_view subject) const
{
    if (subject.size() > longSubject) {
        if (const auto answer = askRe2(subject))
            return *answer;
    }
    const RegexOutcome outcome = engines.search(subject);
    if (outcome == RegexOutcome::GaveUp)
        return askRe2(subject).value_or(false);
    return outcome == RegexOutcome::Match;
}

std::optional<bool> JsPattern::Private::askRe2(std::string_view subject) const
{
    if (!re2Text)
        return std::nullopt;
    std::call_once(m_re2Once, [this] {
        re2::RE2::Options options(re2::RE2::Latin1);
        options.set_log_errors(false);
        options.set_never_capture(true);
        m_re2 = std::make_unique<re2::RE2>(*re2Text, options);
    });
    if (!m_re2->ok())
        return std::nullopt;
    return re2::RE2::PartialMatch(re2::StringPiece(subject.data(), subject.size()), *m_re2);
}

Result<JsPattern> JsPattern::parse(std::string_view pattern, std::string_view flags)
{
    const Result<JsRegex> regex = parseJsRegex(pattern, flags);
    if (!regex)
        return regex.error();
    const auto made = std::make_shared<Private>(pattern, flags);
    made->ignoreCase = regex->ignoreCase;
    made->re2Text = writeRegex(*regex, RegexDialect::Re2);
    return JsPattern(made);
}

bool JsPattern::matches(std::string_view subject) const
{
    if (isAscii(subject))
        return d->matchesAscii(subject);
    static thread_local std::u16string wide;
    toUtf16(subject, wide);
    return d->engines.search(std::u16string_view(wide)) == RegexOutcome::Match;
}

std::optional<std::vector<std::string>> JsPattern::captures(std::string_view subject) const
{
    RegexSpans spans;
    std::vector<std::string> found;
    if (isAscii(subject)) {
        if (d->capturing.search(subject, 0, &spans) != RegexOutcome::Match)
            return std::nullopt;
        for (const auto &[begin, end] : spans)
            found.emplace_back(begin == unmatched ? std::string_view() : subject.substr(begin, end - begin));
        return found;
    }
    const std::u16string wide = toUtf16(subject);
    const std::u16string_view view = wide;
    if (d->capturing.search(view, 0, &spans) != RegexOutcome::Match)
        return std::nullopt;
    for (const auto &[begin, end] : spans)
        found.push_back(begin == unmatched ? std::string() : toUtf8(view.substr(begin, end - begin)));
    return found;
}

std::string JsPattern::without(std::string_view subject) const
{
    if (isAscii(subject))
        return removed<char>(d->finding, subject);
    return toUtf8(removed<char16_t>(d->finding, toUtf16(subject)));
}

const std::string &JsPattern::pattern() const
{
    return d->pattern;
}

bool JsPattern::ignoresCase() const
{
    return d->ignoreCase;
}

const std::optional<std::string> &JsPattern::re2() const
{
    return d->re2Text;
}

} // namespace wardbench
