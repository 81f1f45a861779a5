#include "match/canonical.h"

#include "match/jsvalue.h"
#include "json/plainreader.h"
#include "json/writer.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wardbench {

namespace {

void appendCanonicalText(std::string &out, std::string_view text)
{
    // With its length in front no text can pass for two
    std::array<char, 24> size{};
    char *end = std::to_chars(size.data(), size.data() + size.size() - 1, text.size()).ptr;
    *end++ = ':';
    out.append(size.data(), end).append(text);
}

void appendCanonical(std::string &out, const json::Value &value);

/// Each as it comes, put in order afterwards where they are not.
void appendSorted(std::string &out, const json::Array &items)
{
    const std::size_t begin = out.size();
    std::vector<std::size_t> starts;
    starts.reserve(items.size());
    for (const json::Value &item : items) {
        starts.push_back(out.size());
        appendCanonical(out, item);
    }
    const std::string_view all = out;
    std::vector<std::string_view> pieces;
    pieces.reserve(items.size());
    for (std::size_t i = 0; i < starts.size(); ++i)
        pieces.push_back(all.substr(starts[i], (i + 1 < starts.size() ? starts[i + 1] : all.size()) - starts[i]));
    if (std::is_sorted(pieces.begin(), pieces.end()))
        return;
    std::sort(pieces.begin(), pieces.end());
    std::string sorted;
    sorted.reserve(all.size() - begin);
    for (const std::string_view piece : pieces)
        sorted += piece;
    out.replace(begin, sorted.size(), sorted);
}

void appendSorted(std::string &out, const json::Members &members)
{
    const auto append = [&out](const json::Member &member) {
        appendCanonicalText(out, member.first);
        appendCanonical(out, member.second);
    };
    const auto before = [](const json::Member &a, const json::Member &b) {
        return a.first < b.first;
    };
    if (std::is_sorted(members.begin(), members.end(), before)) {
        std::for_each(members.begin(), members.end(), append);
        return;
    }
    std::vector<const json::Member *> ordered;
    ordered.reserve(members.size());
    for (const json::Member &member : members)
        ordered.push_back(&member);
    std::sort(ordered.begin(), ordered.end(),
              [before](const json::Member *a, const json::Member *b) { return before(*a, *b); });
    for (const json::Member *member : ordered)
        append(*member);
}

void appendCanonical(std::string &out, const json::Value &value)
{
    if (value.isArray()) {
        out += '[';
        if (value.size() == 1)
            appendCanonical(out, value.at(0));
        else
            appendSorted(out, value.items());
        out += ']';
    } else if (value.isObject()) {
        out += '{';
        appendSorted(out, value.members());
        out += '}';
    } else if (value.isString()) {
        appendCanonicalText(out, value.text());
    } else {
        appendCanonicalText(out, javascriptText(value));
    }
}

/// Writes the canonical text of what is read, without a tree in between. Each array and object is put in order when it
/// ends, unless it came in order. The lists are the thread's.
class CanonicalWriter
{
public:
    explicit CanonicalWriter(std::string &out) : m_out(out), m_lists(listsOfThread())
    {
        m_lists.pieces.clear();
        m_lists.open.clear();
    }

    bool open(bool isArray)
    {
        begin();
        m_out += isArray ? '[' : '{';
        m_lists.open.push_back({isArray, m_lists.pieces.size()});
        return true;
    }

    bool name(std::string_view text)
    {
        const std::size_t start = m_out.size();
        appendCanonicalText(m_out, text);
        m_lists.pieces.push_back({start, m_out.size() - text.size(), text.size()});
        return true;
    }

    bool close(bool isArray)
    {
        const std::size_t first = m_lists.open.back().firstPiece;
        m_lists.open.pop_back();
        const bool good = m_lists.pieces.size() - first < 2 || sort(first, isArray);
        m_lists.pieces.resize(first);
        m_out += isArray ? ']' : '}';
        return good;
    }

    bool string(std::string_view text)
    {
        begin();
        appendCanonicalText(m_out, text);
        return true;
    }
    bool number(std::string_view text) { return string(json::javascriptNumber(text)); }
    bool word(std::string_view word) { return string(word); }

private:
    /// An item, or a member with its key, by places in `m_out`.
    struct Piece
    {
        std::size_t start;
        std::size_t key = 0, keySize = 0;
    };
    struct Open
    {
        bool isArray;
        std::size_t firstPiece;
    };
    struct Part
    {
        std::string_view by, whole;
    };
    struct Lists
    {
        std::vector<Piece> pieces{};
        std::vector<Open> open{};
        std::vector<Part> parts{}; // while sorting
        std::string sorted{};
    };

    static Lists &listsOfThread()
    {
        static thread_local Lists lists;
        return lists;
    }

    void begin()
    {
        if (!m_lists.open.empty() && m_lists.open.back().isArray)
            m_lists.pieces.push_back({m_out.size()});
    }

    /// False when a key is there twice.
    bool sort(std::size_t first, bool isArray)
    {
        const std::vector<Piece> &pieces = m_lists.pieces;
        const std::string_view all = m_out;
        const auto part = [&](std::size_t i) {
            const std::size_t end = i + 1 < pieces.size() ? pieces[i + 1].start : all.size();
            const std::string_view whole = all.substr(pieces[i].start, end - pieces[i].start);
            return Part{isArray ? whole : all.substr(pieces[i].key, pieces[i].keySize), whole};
        };
        bool inOrder = true;
        for (std::size_t i = first; inOrder && i + 1 < pieces.size(); ++i)
            inOrder = isArray ? part(i).by <= part(i + 1).by : part(i).by < part(i + 1).by;
        if (inOrder)
            return true;
        std::vector<Part> &parts = m_lists.parts;
        parts.clear();
        for (std::size_t i = first; i < pieces.size(); ++i)
            parts.push_back(part(i));
        std::sort(parts.begin(), parts.end(), [](const Part &a, const Part &b) { return a.by < b.by; });
        std::string &sorted = m_lists.sorted;
        sorted.clear();
        for (const Part &one : parts)
            sorted += one.whole;
        const bool unique = std::adjacent_find(parts.begin(), parts.end(), [](const Part &a, const Part &b) {
                                return a.by == b.by;
                            }) == parts.end();
        m_out.replace(pieces[first].start, sorted.size(), sorted);
        return isArray || unique;
    }

    std::string &m_out;
    Lists &m_lists;
};

} // namespace

std::string canonicalJson(const json::Value &value)
{
    std::string out;
    appendCanonical(out, value);
    return out;
}

std::string canonicalText(std::string_view text)
{
    std::string out;
    appendCanonicalText(out, text);
    return out;
}

bool canonicalPlain(std::string_view text, Casing casing, std::string &out)
{
    const json::Limits limits;
    if (text.size() > limits.maxBytes || needsFolding(text, casing))
        return false;
    out.clear();
    CanonicalWriter writer(out);
    return json::PlainReader(text, limits, writer).run();
}

} // namespace wardbench
