#include "match/plainxpath.h"

#include <algorithm>
#include <array>

namespace wardbench {

namespace {

// libxml2 has limits of its own (depth 256, names of 50,000 bytes, texts of 10 MB): stay well below.
constexpr std::size_t longestText = 1u << 20;
constexpr std::size_t deepest = 200;
constexpr std::size_t longestName = 1000;

enum CharacterClass : std::uint8_t { NameStart = 1, NamePart = 2, Blank = 4, InText = 8, InValue = 16 };

constexpr std::array<std::uint8_t, 256> makeCharacters()
{
    std::array<std::uint8_t, 256> table{};
    for (unsigned c = 0; c < 0x80; ++c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        const bool visible = c >= 0x20 && c < 0x7F && c != '<' && c != '&';
        std::uint8_t bits = 0;
        if (letter)
            bits |= NameStart;
        if (letter || (c >= '0' && c <= '9') || c == '-' || c == '.')
            bits |= NamePart;
        if (c == ' ' || c == '\t' || c == '\n')
            bits |= Blank;
        if (visible || c == '\t' || c == '\n')
            bits |= InText;
        if (visible)
            bits |= InValue;
        table[c] = bits;
    }
    return table;
}

constexpr std::array<std::uint8_t, 256> characters = makeCharacters();

bool is(char c, CharacterClass wanted)
{
    return (characters[static_cast<unsigned char>(c)] & wanted) != 0;
}

/// The name at the beginning of `text`, taken off it; empty when there is none.
std::string_view takeName(std::string_view &text)
{
    std::size_t size = 0;
    if (!text.empty() && is(text[0], NameStart)) {
        while (size < text.size() && is(text[size], NamePart))
            ++size;
    }
    const std::string_view name = text.substr(0, size);
    text.remove_prefix(size);
    return name;
}

bool take(std::string_view &text, std::string_view expected)
{
    if (!text.starts_with(expected))
        return false;
    text.remove_prefix(expected.size());
    return true;
}

} // namespace

/// One pass over a text. Every step returns false at what is not plain.
class PlainXmlReader
{
public:
    PlainXmlReader(const PlainXPath &path, std::string_view text) : m_path(path), m_rest(text), m_open(namesOfThread())
    {
        m_open.clear();
    }

    bool run(std::uint64_t &steps)
    {
        skipBlanks();
        declaration();
        do {
            if (steps == 0 || !markup(steps) || (!m_open.empty() && !characterData()))
                return false;
        } while (!m_open.empty());
        skipBlanks();
        return m_rest.empty();
    }

    std::vector<json::Value> takeFound() { return std::move(m_found); }

private:
    using Take = PlainXPath::Take;

    static std::vector<std::string_view> &namesOfThread()
    {
        static thread_local std::vector<std::string_view> names;
        return names;
    }

    bool skipBlanks()
    {
        std::size_t count = 0;
        while (count < m_rest.size() && is(m_rest[count], Blank))
            ++count;
        m_rest.remove_prefix(count);
        return count > 0;
    }

    /// Of the ways to write it only the usual ones; what follows another one is not plain.
    void declaration()
    {
        for (const std::string_view usual : {"<?xml version=\"1.0\"?>", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
                                             "<?xml version=\"1.0\" encoding=\"utf-8\"?>"}) {
            if (take(m_rest, usual)) {
                skipBlanks();
                return;
            }
        }
    }

    bool markup(std::uint64_t &steps)
    {
        if (!take(m_rest, "<"))
            return false;
        if (take(m_rest, "/"))
            return endTag();
        --steps;
        return startTag();
    }

    bool startTag()
    {
        const std::string_view name = takeName(m_rest);
        if (name.empty() || name.size() > longestName || m_open.size() == deepest)
            return false;
        m_open.push_back(name);
        m_hit = isHit();
        if (!attributes())
            return false;
        if (take(m_rest, "/>")) {
            m_open.pop_back();
            foundElement({});
            m_hit = false;
            return true;
        }
        return take(m_rest, ">");
    }

    bool attributes()
    {
        m_attributes.clear();
        for (;;) {
            const bool apart = skipBlanks();
            const std::string_view name = takeName(m_rest);
            if (name.empty())
                return true;
            if (!apart || name == "xmlns" || name.size() > longestName ||
                std::find(m_attributes.begin(), m_attributes.end(), name) != m_attributes.end())
                return false;
            m_attributes.push_back(name);
            skipBlanks();
            if (!take(m_rest, "="))
                return false;
            skipBlanks();
            if (!value(name))
                return false;
        }
    }

    bool value(std::string_view name)
    {
        const char quote = m_rest.empty() ? ' ' : m_rest[0];
        if (quote != '"' && quote != '\'')
            return false;
        std::size_t end = 1;
        while (end < m_rest.size() && m_rest[end] != quote && is(m_rest[end], InValue))
            ++end;
        if (end == m_rest.size() || m_rest[end] != quote)
            return false;
        if (m_hit && m_path.m_take == Take::Attribute && name == m_path.m_attribute)
            m_found.emplace_back(m_rest.substr(1, end - 1));
        m_rest.remove_prefix(end + 1);
        return true;
    }

    bool endTag()
    {
        if (m_open.empty() || takeName(m_rest) != m_open.back())
            return false;
        skipBlanks();
        m_open.pop_back();
        return take(m_rest, ">");
    }

    /// What stands between two tags; the first of an element decides what that element comes to.
    bool characterData()
    {
        std::size_t size = 0;
        while (size < m_rest.size() && is(m_rest[size], InText))
            ++size;
        const std::string_view text = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
        if (text.find("]]>") != std::string_view::npos)
            return false;
        if (m_hit)
            foundElement(text);
        m_hit = false;
        if (m_path.m_take == Take::Text && !text.empty() && isHit())
            m_found.emplace_back(text);
        return true;
    }

    void foundElement(std::string_view firstText)
    {
        static constexpr std::string_view noText = "undefined"; // as XPath has it
        if (m_path.m_take == Take::Element && m_hit)
            m_found.emplace_back(firstText.empty() ? noText : firstText);
    }

    /// Whether the path leads to the innermost open element.
    bool isHit() const
    {
        const std::vector<std::string> &names = m_path.m_names;
        if (m_path.m_anywhere ? m_open.size() < names.size() : m_open.size() != names.size())
            return false;
        return std::equal(names.rbegin(), names.rend(), m_open.rbegin());
    }

    const PlainXPath &m_path;
    std::string_view m_rest;
    std::vector<std::string_view> &m_open; ///< names of the elements around this place
    std::vector<std::string_view> m_attributes;
    std::vector<json::Value> m_found;
    bool m_hit = false; ///< the element that has just begun
};

std::optional<PlainXPath> PlainXPath::parse(std::string_view path)
{
    PlainXPath made;
    made.m_anywhere = take(path, "//");
    if (!made.m_anywhere)
        take(path, "/");
    for (;;) {
        if (path == "text()") {
            made.m_take = Take::Text;
            break;
        }
        if (take(path, "@")) {
            made.m_take = Take::Attribute;
            made.m_attribute = takeName(path);
            if (made.m_attribute.empty() || !path.empty())
                return std::nullopt;
            break;
        }
        const std::string_view name = takeName(path);
        if (name.empty())
            return std::nullopt;
        made.m_names.emplace_back(name);
        if (path.empty())
            break;
        if (!take(path, "/"))
            return std::nullopt;
    }
    if (made.m_names.empty() && !made.m_anywhere)
        return std::nullopt; // of the document itself
    return made;
}

std::optional<std::vector<json::Value>> PlainXPath::select(std::string_view text, std::uint64_t &steps) const
{
    if (text.size() > longestText)
        return std::nullopt;
    std::uint64_t left = steps;
    PlainXmlReader reader(*this, text);
    if (!reader.run(left) || left == 0)
        return std::nullopt;
    steps = left;
    return reader.takeFound();
}

} // namespace wardbench
