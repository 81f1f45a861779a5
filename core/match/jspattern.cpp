#include "match/jspattern.h"

#include "match/jsbacktracker.h"
#include "match/jsregexwriter.h"
#include "match/pcreengine.h"
#include "match/text.h"

#include <re2/re2.h>

#include <mutex>

namespace wardbench {

namespace {

// Beyond this RE2, whose time is linear, is asked at once.
constexpr std::size_t longSubject = 4096;

} // namespace

class JsPattern::Private
{
public:
    bool matchesAscii(std::string_view subject) const;
    bool matchesWide(std::u16string_view subject) const;

    std::string pattern;
    std::string flags;
    bool ignoreCase = false;
    std::optional<std::string> re2Text;

private:
    /// The tree is not kept: it is much larger than the text and needed once or never.
    JsRegex tree() const { return *parseJsRegex(pattern, flags); }
    std::optional<bool> askRe2(std::string_view subject) const;
    bool askBacktracker(std::u16string_view subject) const;

    mutable std::once_flag m_asciiOnce, m_wideOnce, m_re2Once, m_backtrackerOnce;
    mutable std::unique_ptr<PcreEngine<char>> m_ascii;
    mutable std::unique_ptr<PcreEngine<char16_t>> m_wide;
    mutable std::unique_ptr<re2::RE2> m_re2;
    mutable std::unique_ptr<JsBacktracker> m_backtracker;
};

bool JsPattern::Private::matchesAscii(std::string_view subject) const
{
    using Outcome = PcreEngine<char>::Outcome;
    if (subject.size() > longSubject) {
        if (const auto answer = askRe2(subject))
            return *answer;
    }
    std::call_once(m_asciiOnce, [this] {
        if (const auto text = writeRegex(tree(), RegexDialect::Pcre8))
            m_ascii = PcreEngine<char>::compile(*text, ignoreCase);
    });
    if (!m_ascii)
        return askBacktracker(toUtf16(subject));
    const Outcome outcome = m_ascii->search(subject);
    if (outcome == Outcome::GaveUp)
        return askRe2(subject).value_or(false);
    return outcome == Outcome::Match;
}

bool JsPattern::Private::matchesWide(std::u16string_view subject) const
{
    std::call_once(m_wideOnce, [this] {
        if (const auto text = writeRegex(tree(), RegexDialect::Pcre16))
            m_wide = PcreEngine<char16_t>::compile(*text, false);
    });
    if (!m_wide)
        return askBacktracker(subject);
    return m_wide->search(subject) == PcreEngine<char16_t>::Outcome::Match;
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

bool JsPattern::Private::askBacktracker(std::u16string_view subject) const
{
    std::call_once(m_backtrackerOnce, [this] { m_backtracker = std::make_unique<JsBacktracker>(tree()); });
    return m_backtracker->search(subject) == JsBacktracker::Outcome::Match;
}

Result<JsPattern> JsPattern::parse(std::string_view pattern, std::string_view flags)
{
    const Result<JsRegex> regex = parseJsRegex(pattern, flags);
    if (!regex)
        return regex.error();
    const auto made = std::make_shared<Private>();
    made->pattern = pattern;
    made->flags = flags;
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
    return d->matchesWide(wide);
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
