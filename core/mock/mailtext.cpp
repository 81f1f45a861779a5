#include "mock/mailtext.h"

#include "http/message.h"
#include "mock/wiretext.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iconv.h>

namespace wardbench::mock {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Bytes behind `mark` and two hexadecimal digits.
std::string undoEscapes(std::string_view text, char mark)
{
    std::string bytes;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == mark && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 && hexDigit(text[i + 2]) >= 0) {
            bytes += static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2]));
            i += 2;
        } else {
            bytes += text[i];
        }
    }
    return bytes;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t start = text.find_first_not_of(blanks);
    if (start == std::string_view::npos)
        return {};
    return text.substr(start, text.find_last_not_of(blanks) - start + 1);
}

/// One "=?charset?B?text?=" at the start of `text`; `size` is its length.
bool readEncodedWord(std::string_view text, std::string &word, std::size_t &size)
{
    if (!text.starts_with("=?"))
        return false;
    const std::size_t charsetEnd = text.find('?', 2);
    if (charsetEnd == std::string_view::npos || charsetEnd + 2 >= text.size() || text[charsetEnd + 2] != '?')
        return false;
    const std::size_t start = charsetEnd + 3;
    const std::size_t end = text.find("?=", start);
    if (end == std::string_view::npos || text.substr(start, end - start).find_first_of(" \t") != std::string_view::npos)
        return false;
    const std::string_view charset = text.substr(2, charsetEnd - 2);
    std::string content(text.substr(start, end - start));
    const char coding = text[charsetEnd + 1];
    if (coding == 'B' || coding == 'b') {
        content = decodeBase64(content);
    } else if (coding == 'Q' || coding == 'q') {
        std::replace(content.begin(), content.end(), '_', ' ');
        content = undoEscapes(content, '=');
    } else {
        return false;
    }
    word = toUtf8(content, charset.substr(0, charset.find('*'))); // "utf-8*en": a language
    size = end + 2;
    return true;
}

/// A quoted string at `at`, without its quotes; moves behind it.
std::string readQuoted(std::string_view text, std::size_t &at)
{
    std::string content;
    for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\' && at + 1 < text.size())
            ++at;
        content += text[at];
    }
    if (at < text.size())
        ++at;
    return content;
}

/// A comment at `at`, without its brackets; moves behind it.
std::string readComment(std::string_view text, std::size_t &at)
{
    std::string content;
    int depth = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '(' && depth++ == 0)
            continue;
        if (text[at] == ')' && --depth == 0) {
            ++at;
            break;
        }
        if (text[at] == '\\' && at + 1 < text.size())
            ++at;
        content += text[at];
    }
    return content;
}

/// Gathers the pieces of one mailbox.
class Mailbox
{
public:
    void word(std::string_view text) { m_words.append(text); }
    void quoted(std::string_view text) { m_words.append(text); }
    void comment(std::string text) { m_comment = std::move(text); }
    void angle(std::string_view text)
    {
        m_angle = trimmed(text);
        m_hasAngle = true;
    }
    void end(std::vector<MailAddress> &into)
    {
        const std::string words(trimmed(m_words));
        if (m_hasAngle)
            into.push_back({m_angle, decodeEncodedWords(words)});
        else if (!words.empty() && words.find('@') != std::string::npos)
            into.push_back({words, decodeEncodedWords(m_comment)});
        else if (!words.empty())
            into.push_back({std::string(), decodeEncodedWords(words)});
        *this = {};
    }
    void groupName() { *this = {}; }

private:
    std::string m_words, m_comment, m_angle;
    bool m_hasAngle = false;
};

} // namespace

std::string toUtf8(std::string_view bytes, std::string_view charset)
{
    iconv_t converter = iconv_open("UTF-8", std::string(charset.empty() ? "UTF-8" : charset).c_str());
    if (converter == reinterpret_cast<iconv_t>(-1))
        converter = iconv_open("UTF-8", "UTF-8");
    std::string text;
    std::array<char, 4096> block;
    char *in = const_cast<char *>(bytes.data());
    std::size_t left = bytes.size();
    while (left > 0) {
        char *out = block.data();
        std::size_t room = block.size();
        const std::size_t result = iconv(converter, &in, &left, &out, &room);
        text.append(block.data(), block.size() - room);
        if (result != static_cast<std::size_t>(-1) || errno == E2BIG)
            continue;
        text += replacement;
        ++in;
        --left;
    }
    iconv_close(converter);
    return text;
}

std::string decodeQuotedPrintable(std::string_view text)
{
    std::string bytes;
    bytes.reserve(text.size());
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        const bool carriage = line.ends_with('\r');
        // Blanks at the end of a line were added on the way (RFC 2045 section 6.7).
        const std::size_t last = line.find_last_not_of(" \t\r");
        line = line.substr(0, last == std::string_view::npos ? 0 : last + 1);
        const bool soft = line.ends_with('=');
        if (soft)
            line.remove_suffix(1);
        bytes += undoEscapes(line, '=');
        if (!soft && end != std::string_view::npos)
            bytes += carriage ? "\r\n" : "\n";
    }
    return bytes;
}

std::string decodeEncodedWords(std::string_view text)
{
    std::string decoded;
    std::string word;
    std::size_t blanksFrom = std::string::npos; // behind an encoded word: they count only when no other one follows
    for (std::size_t i = 0; i < text.size();) {
        std::size_t size = 0;
        if (readEncodedWord(text.substr(i), word, size)) {
            if (blanksFrom != std::string::npos)
                decoded.resize(blanksFrom);
            decoded += word;
            blanksFrom = decoded.size();
            i += size;
            continue;
        }
        if (text[i] != ' ' && text[i] != '\t')
            blanksFrom = std::string::npos;
        decoded += text[i++];
    }
    return toUtf8(decoded, "UTF-8");
}

std::string MailParameters::find(std::string_view name) const
{
    std::string joined;
    bool coded = false;
    bool found = false;
    for (int piece = -1;; ++piece) { // "name", then "name*0", "name*1", ...
        const std::string key = std::string(name) + (piece < 0 ? "" : '*' + std::to_string(piece));
        const auto entry = std::find_if(list.begin(), list.end(), [&key](const auto &one) {
            return one.first == key ||
                   (one.first.size() == key.size() + 1 && one.first.starts_with(key) && one.first.back() == '*');
        });
        if (entry == list.end()) {
            if (piece >= 0)
                break;
            continue;
        }
        const bool codedPiece = entry->first.back() == '*';
        coded = coded || codedPiece;
        joined += codedPiece ? undoEscapes(entry->second, '%') : entry->second;
        found = true;
        if (piece < 0)
            break;
    }
    if (!found)
        return {};
    if (!coded)
        return decodeEncodedWords(joined);
    const std::size_t charsetEnd = joined.find('\'');
    const std::size_t languageEnd = charsetEnd == std::string::npos ? charsetEnd : joined.find('\'', charsetEnd + 1);
    if (languageEnd == std::string::npos)
        return toUtf8(joined, {});
    return toUtf8(std::string_view(joined).substr(languageEnd + 1), std::string_view(joined).substr(0, charsetEnd));
}

MailParameters parseMailParameters(std::string_view header)
{
    MailParameters parsed;
    std::size_t at = std::min(header.find(';'), header.size());
    parsed.value = http::toLower(trimmed(header.substr(0, at)));
    while (at < header.size()) {
        ++at; // the semicolon
        const std::size_t end = std::min(header.find_first_of("=;", at), header.size());
        const std::string name = http::toLower(trimmed(header.substr(at, end - at)));
        at = end;
        if (at >= header.size() || header[at] == ';')
            continue;
        ++at;
        while (at < header.size() && (header[at] == ' ' || header[at] == '\t'))
            ++at;
        std::string value;
        if (at < header.size() && header[at] == '"') {
            value = readQuoted(header, at);
        } else {
            const std::size_t stop = std::min(header.find(';', at), header.size());
            value = trimmed(header.substr(at, stop - at));
        }
        at = std::min(header.find(';', at), header.size());
        parsed.list.emplace_back(name, std::move(value));
    }
    return parsed;
}

std::vector<MailAddress> parseMailAddresses(std::string_view header)
{
    std::vector<MailAddress> list;
    Mailbox box;
    for (std::size_t at = 0; at < header.size();) {
        switch (header[at]) {
        case '"':
            box.quoted(readQuoted(header, at));
            break;
        case '(':
            box.comment(readComment(header, at));
            break;
        case '<': {
            const std::size_t end = std::min(header.find('>', at), header.size());
            box.angle(header.substr(at + 1, end - at - 1));
            at = std::min(end + 1, header.size());
            break;
        }
        case ':':
            box.groupName();
            ++at;
            break;
        case ',':
        case ';':
            box.end(list);
            ++at;
            break;
        default:
            box.word(header.substr(at++, 1));
        }
    }
    box.end(list);
    return list;
}

} // namespace wardbench::mock
