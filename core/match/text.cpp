#include "match/text.h"

#include <QString>

#include <cstdint>
#include <cstring>

namespace wardbench {

namespace {

constexpr char32_t replacement = 0xFFFD;
constexpr std::uint64_t topBits = 0x8080808080808080u;

/// Whether `test` finds nothing in the text's bytes, eight at a time; the last ones may be asked twice, and where the
/// text is shorter there are zeros.
template <typename Test>
bool noneOfEight(std::string_view text, Test test)
{
    std::uint64_t eight = 0;
    if (text.empty())
        return true;
    if (text.size() < sizeof eight) {
        std::memcpy(&eight, text.data(), text.size());
        return !test(eight);
    }
    for (std::size_t at = 0; at + sizeof eight < text.size(); at += sizeof eight) {
        std::memcpy(&eight, text.data() + at, sizeof eight);
        if (test(eight))
            return false;
    }
    std::memcpy(&eight, text.data() + text.size() - sizeof eight, sizeof eight);
    return !test(eight);
}

bool inRange(unsigned char byte, unsigned low, unsigned high)
{
    return byte >= low && byte <= high;
}

/// The code point at `at`, which moves behind it. A broken sequence is one U+FFFD for its longest valid beginning.
char32_t nextCodePoint(std::string_view text, std::size_t &at)
{
    const auto byte = [&](std::size_t i) {
        return static_cast<unsigned char>(text[i]);
    };
    const unsigned char lead = byte(at++);
    if (lead < 0x80)
        return lead;
    int more = 0;
    unsigned low = 0x80, high = 0xBF;
    if (inRange(lead, 0xC2, 0xDF)) {
        more = 1;
    } else if (inRange(lead, 0xE0, 0xEF)) {
        more = 2;
        low = lead == 0xE0 ? 0xA0 : 0x80;
        high = lead == 0xED ? 0x9F : 0xBF;
    } else if (inRange(lead, 0xF0, 0xF4)) {
        more = 3;
        low = lead == 0xF0 ? 0x90 : 0x80;
        high = lead == 0xF4 ? 0x8F : 0xBF;
    } else {
        return replacement;
    }
    char32_t value = lead & (0x3Fu >> more);
    for (; more > 0; --more) {
        if (at >= text.size() || !inRange(byte(at), low, high))
            return replacement;
        value = (value << 6) | (byte(at++) & 0x3Fu);
        low = 0x80;
        high = 0xBF;
    }
    return value;
}

void appendUtf8(std::string &out, char32_t c)
{
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | (c >> 6));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | (c >> 12));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | (c >> 18));
        out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
        out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    }
}

bool isCased(char32_t c)
{
    const QChar::Category category = QChar::category(c);
    return category == QChar::Letter_Uppercase || category == QChar::Letter_Lowercase ||
           category == QChar::Letter_Titlecase;
}

bool isCaseIgnorable(char32_t c)
{
    switch (QChar::category(c)) {
    case QChar::Mark_NonSpacing:
    case QChar::Mark_Enclosing:
    case QChar::Other_Format:
    case QChar::Letter_Modifier:
    case QChar::Symbol_Modifier:
        return true;
    default: // word break classes MidLetter, MidNumLet and Single_Quote
        return c == '\'' || c == '.' || c == ':' || c == 0xB7 || c == 0x0387 || c == 0x2018 || c == 0x2019 ||
               c == 0x2024 || c == 0x2027 || c == 0xFE13 || c == 0xFE52 || c == 0xFE55 || c == 0xFF07 || c == 0xFF0E ||
               c == 0xFF1A;
    }
}

/// Unicode's Final_Sigma: a cased letter before, none after, marks in between ignored.
bool isFinalSigma(const std::u32string &text, std::size_t at)
{
    std::size_t before = at;
    while (before > 0 && isCaseIgnorable(text[before - 1]))
        --before;
    if (before == 0 || !isCased(text[before - 1]))
        return false;
    std::size_t after = at + 1;
    while (after < text.size() && isCaseIgnorable(text[after]))
        ++after;
    return after == text.size() || !isCased(text[after]);
}

} // namespace

bool isAscii(std::string_view text)
{
    return noneOfEight(text, [](std::uint64_t eight) { return eight & topBits; });
}

bool isLowerAscii(std::string_view text)
{
    // A byte below 0x80 carries into its top bit when it is at least 'A', and when it is above 'Z'
    constexpr std::uint64_t fromA = 0x3F3F3F3F3F3F3F3Fu, aboveZ = 0x2525252525252525u;
    return noneOfEight(text,
                       [](std::uint64_t eight) { return (eight | ((eight + fromA) & ~(eight + aboveZ))) & topBits; });
}

void toUtf16(std::string_view text, std::u16string &into)
{
    into.clear();
    into.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const char32_t c = nextCodePoint(text, at);
        if (c < 0x10000) {
            into += static_cast<char16_t>(c);
        } else {
            into += QChar::highSurrogate(c);
            into += QChar::lowSurrogate(c);
        }
    }
}

std::u16string toUtf16(std::string_view text)
{
    std::u16string result;
    toUtf16(text, result);
    return result;
}

std::string toUtf8(std::u16string_view text)
{
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char16_t unit = text[at];
        const bool pair = QChar::isHighSurrogate(unit) && at + 1 < text.size() && QChar::isLowSurrogate(text[at + 1]);
        if (pair)
            appendUtf8(result, QChar::surrogateToUcs4(unit, text[++at]));
        else
            appendUtf8(result, QChar::isSurrogate(unit) ? replacement : char32_t(unit));
    }
    return result;
}

std::string toValidUtf8(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();)
        appendUtf8(result, nextCodePoint(text, at));
    return result;
}

void lowerAscii(std::string_view bytes, std::string &into)
{
    into.resize(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const char c = bytes[i];
        into[i] = static_cast<char>(c | ((c >= 'A' && c <= 'Z') ? 0x20 : 0));
    }
}

void lowerCase(std::string_view text, std::string &into)
{
    if (isAscii(text)) {
        lowerAscii(text, into);
        return;
    }
    std::u32string points;
    for (std::size_t at = 0; at < text.size();)
        points += nextCodePoint(text, at);
    into.clear();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const char32_t c = points[i];
        if (c == 0x03A3) {
            appendUtf8(into, isFinalSigma(points, i) ? 0x03C2 : 0x03C3);
        } else if (c == 0x0130) { // the one letter whose lower case is two code points
            appendUtf8(into, 'i');
            appendUtf8(into, 0x0307);
        } else {
            appendUtf8(into, QChar::toLower(c));
        }
    }
}

std::string_view lowered(std::string_view text, std::string &buffer)
{
    if (isLowerAscii(text))
        return text;
    lowerCase(text, buffer);
    return buffer;
}

std::string lowerCase(std::string_view text)
{
    std::string result;
    lowerCase(text, result);
    return result;
}

std::string shortened(std::string_view text, std::size_t characters)
{
    std::string result;
    std::size_t at = 0;
    for (std::size_t count = 0; at < text.size() && count < characters; ++count) {
        const char32_t c = nextCodePoint(text, at);
        appendUtf8(result, c < 0x20 || c == 0x7F ? U' ' : c);
    }
    if (at < text.size())
        result += "…";
    return result;
}

} // namespace wardbench
