#include "json/pointer.h"

#include "json/parser.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>

namespace wardbench::json {
namespace {

std::string escaped(std::string_view token)
{
    std::string result;
    for (const char c : token) {
        if (c == '~')
            result += "~0";
        else if (c == '/')
            result += "~1";
        else
            result += c;
    }
    return result;
}

/// Array index of a reference token (RFC 6901 section 4: no leading zeros).
std::optional<std::size_t> arrayIndex(std::string_view token)
{
    std::size_t index = 0;
    const auto [end, failure] = std::from_chars(token.data(), token.data() + token.size(), index);
    if (token.empty() || failure != std::errc() || end != token.data() + token.size())
        return std::nullopt;
    if (token.size() > 1 && token.front() == '0')
        return std::nullopt;
    return index;
}

bool isContinuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Moves `position` forward to `offset`.
void advanceTo(Position &position, std::string_view text, std::size_t offset)
{
    offset = std::min(offset, text.size());
    for (; position.offset < offset; ++position.offset) {
        const char c = text[position.offset];
        if (c == '\n') {
            ++position.line;
            position.column = 1;
        } else if (!isContinuation(c)) {
            ++position.column;
        }
    }
}

/// The pointers that are looked for, as a tree, so that one walk over the text finds them all.
struct Wanted
{
    std::map<std::string, std::unique_ptr<Wanted>, std::less<>> children;
    std::vector<std::size_t> results; ///< which pointers end here
};

/// Walks a valid JSON text, going down only where a wanted pointer leads.
class Locator
{
public:
    Locator(std::string_view text, std::size_t count) : m_text(text), m_offsets(count, 0) {}

    void run(const Wanted &wanted)
    {
        if (m_text.substr(0, 3) == "\xEF\xBB\xBF")
            m_at = 3;
        visit(wanted);
    }
    const std::vector<std::size_t> &offsets() const { return m_offsets; }

private:
    void visit(const Wanted &wanted)
    {
        skipBlanks();
        assign(wanted, m_at);
        if (wanted.children.empty() || m_at >= m_text.size())
            skipValue();
        else if (m_text[m_at] == '{')
            visitObject(wanted);
        else if (m_text[m_at] == '[')
            visitArray(wanted);
        else
            skipValue();
    }

    // Children that are absent keep the offset of the nearest parent: it is written to the whole subtree first.
    void assign(const Wanted &wanted, std::size_t offset)
    {
        for (const std::size_t result : wanted.results)
            m_offsets[result] = offset;
        for (const auto &[name, child] : wanted.children)
            assign(*child, offset);
    }

    void visitObject(const Wanted &wanted)
    {
        ++m_at;
        for (skipBlanks(); m_at < m_text.size() && m_text[m_at] == '"'; skipBlanks()) {
            const std::string name = memberName();
            skipBlanks();
            ++m_at; // the colon
            visitChild(wanted, name);
            if (!skipComma())
                break;
        }
        ++m_at;
    }

    void visitArray(const Wanted &wanted)
    {
        ++m_at;
        skipBlanks();
        for (std::size_t i = 0; m_at < m_text.size() && m_text[m_at] != ']'; ++i) {
            visitChild(wanted, std::to_string(i));
            if (!skipComma())
                break;
        }
        ++m_at;
    }

    void visitChild(const Wanted &wanted, std::string_view name)
    {
        const auto child = wanted.children.find(name);
        if (child != wanted.children.end())
            visit(*child->second);
        else
            skipValue();
    }

    std::string memberName()
    {
        const std::size_t start = m_at;
        skipString();
        const std::string_view raw = m_text.substr(start, m_at - start);
        if (raw.find('\\') == std::string_view::npos)
            return std::string(raw.substr(1, raw.size() < 2 ? 0 : raw.size() - 2));
        const ParseResult parsed = parse(raw);
        return std::holds_alternative<Value>(parsed) ? std::get<Value>(parsed).text() : std::string(raw);
    }

    void skipValue()
    {
        int depth = 0;
        skipBlanks();
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '"') {
                skipString();
            } else if (c == '{' || c == '[') {
                ++depth;
                ++m_at;
            } else if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
                return;
            } else {
                depth -= c == '}' || c == ']';
                ++m_at;
            }
            if (depth == 0 && (c == '"' || c == '}' || c == ']'))
                return;
        }
    }

    void skipString()
    {
        for (++m_at; m_at < m_text.size() && m_text[m_at] != '"'; ++m_at)
            m_at += m_text[m_at] == '\\';
        ++m_at;
    }

    void skipBlanks()
    {
        while (m_at < m_text.size() && std::string_view(" \t\r\n").find(m_text[m_at]) != std::string_view::npos)
            ++m_at;
    }

    bool skipComma()
    {
        skipBlanks();
        const bool comma = m_at < m_text.size() && m_text[m_at] == ',';
        m_at += comma;
        return comma;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::vector<std::size_t> m_offsets;
};

} // namespace

std::string toPointer(const Path &path)
{
    std::string pointer;
    for (const std::string &token : path)
        pointer += "/" + escaped(token);
    return pointer;
}

Result<Path> parsePointer(std::string_view pointer)
{
    Path path;
    if (pointer.empty())
        return path;
    if (pointer.front() != '/')
        return fail("\"" + std::string(pointer) +
                        "\" is not a JSON pointer; expected an empty text or one that begins with /",
                    Error::Code::BadInput);
    for (std::size_t i = 0; i < pointer.size(); ++i) {
        const char c = pointer[i];
        if (c == '/') {
            path.emplace_back();
        } else if (c == '~') {
            const char next = i + 1 < pointer.size() ? pointer[++i] : '\0';
            if (next != '0' && next != '1')
                return fail("\"" + std::string(pointer) + "\" is not a JSON pointer; ~ must be written as ~0",
                            Error::Code::BadInput);
            path.back() += next == '0' ? '~' : '/';
        } else {
            path.back() += c;
        }
    }
    return path;
}

std::string childPointer(std::string_view parent, std::string_view name)
{
    return std::string(parent) + "/" + escaped(name);
}

std::string childPointer(std::string_view parent, std::size_t index)
{
    return std::string(parent) + "/" + std::to_string(index);
}

const Value *resolve(const Value &root, const Path &path)
{
    const Value *value = &root;
    for (const std::string &token : path) {
        if (value->isObject()) {
            value = value->find(token);
        } else {
            const auto index = arrayIndex(token);
            value = index && *index < value->items().size() ? &value->items()[*index] : nullptr;
        }
        if (!value)
            return nullptr;
    }
    return value;
}

Position positionAt(std::string_view text, std::size_t offset)
{
    Position position;
    advanceTo(position, text, offset);
    return position;
}

Position locate(std::string_view text, std::string_view pointer)
{
    return locateAll(text, {std::string(pointer)}).front();
}

std::vector<Position> locateAll(std::string_view text, const std::vector<std::string> &pointers)
{
    Wanted root;
    for (std::size_t i = 0; i < pointers.size(); ++i) {
        const Result<Path> path = parsePointer(pointers[i]);
        Wanted *node = &root;
        for (const std::string &token : path ? *path : Path{}) {
            auto &child = node->children[token];
            if (!child)
                child = std::make_unique<Wanted>();
            node = child.get();
        }
        node->results.push_back(i);
    }
    Locator locator(text, pointers.size());
    locator.run(root);

    std::vector<std::size_t> order(pointers.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const std::vector<std::size_t> &offsets = locator.offsets();
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return offsets[a] < offsets[b]; });
    std::vector<Position> positions(pointers.size());
    Position position;
    for (const std::size_t i : order) {
        advanceTo(position, text, offsets[i]);
        positions[i] = position;
    }
    return positions;
}

} // namespace wardbench::json
