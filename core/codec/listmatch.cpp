#include "codec/listmatch.h"

#include "json/writer.h"

#include <string>
#include <unordered_map>

namespace wardbench::codec {
namespace {

class Matcher
{
public:
    Matcher(const json::Array &before, const json::Array &after)
        : m_before(before), m_after(after), m_taken(before.size(), false)
    {
        m_match.items.resize(after.size());
    }

    ListMatch run()
    {
        bySameNode();
        if (m_open > 1) // of one changed item the neighbours tell, without writing out what may be a whole imposter
            byContent();
        if (m_open > 0)
            byNeighbour();
        if (m_open == 1)
            byName();
        return std::move(m_match);
    }

private:
    bool isFree(std::size_t old) const { return old < m_before.size() && !m_taken[old]; }
    bool isOpen(std::size_t i) const { return m_match.items[i].old == ListMatch::none; }

    void join(std::size_t i, std::size_t old, bool same)
    {
        m_match.items[i] = {old, same};
        m_taken[old] = true;
        --m_open;
    }

    // The same position first: a stub that was duplicated is the same node twice.
    void bySameNode()
    {
        m_open = m_after.size();
        for (std::size_t i = 0; i < m_after.size(); ++i) {
            if (i < m_before.size() && m_after[i].node() && m_after[i].node() == m_before[i].node())
                join(i, i, true);
        }
        if (m_open == 0)
            return;
        std::unordered_map<const void *, std::vector<std::size_t>> nodes;
        for (std::size_t old = m_before.size(); old-- > 0;) {
            if (isFree(old) && m_before[old].node())
                nodes[m_before[old].node()].push_back(old);
        }
        for (std::size_t i = 0; i < m_after.size(); ++i) {
            const auto found = isOpen(i) ? nodes.find(m_after[i].node()) : nodes.end();
            if (found != nodes.end() && !found->second.empty()) {
                join(i, found->second.back(), true);
                found->second.pop_back();
            }
        }
    }

    void byContent()
    {
        std::unordered_map<std::string, std::vector<std::size_t>> texts;
        for (std::size_t old = m_before.size(); old-- > 0;) {
            if (isFree(old))
                texts[json::writeDocument(m_before[old])].push_back(old);
        }
        for (std::size_t i = 0; i < m_after.size() && !texts.empty(); ++i) {
            const auto found = isOpen(i) ? texts.find(json::writeDocument(m_after[i])) : texts.end();
            if (found != texts.end() && !found->second.empty()) {
                join(i, found->second.back(), true);
                found->second.pop_back();
            }
        }
    }

    void byNeighbour()
    {
        for (std::size_t i = 0; i < m_after.size(); ++i) {
            const std::size_t expected = i == 0 ? 0 : m_match.items[i - 1].old + 1;
            if (isOpen(i) && (i == 0 || !isOpen(i - 1)) && isFree(expected))
                join(i, expected, false);
        }
        for (std::size_t i = m_after.size(); i-- > 0;) {
            const std::size_t next = i + 1 < m_after.size() ? m_match.items[i + 1].old : m_before.size();
            if (isOpen(i) && next != ListMatch::none && next > 0 && isFree(next - 1))
                join(i, next - 1, false);
        }
        for (std::size_t i = 0; i < m_after.size(); ++i) {
            if (isOpen(i) && isFree(i))
                join(i, i, false);
        }
    }

    // Moved and changed in one step: the name tells.
    void byName()
    {
        for (std::size_t i = 0; i < m_after.size(); ++i) {
            const std::string &name = m_after[i]["name"].text();
            for (std::size_t old = 0; isOpen(i) && !name.empty() && old < m_before.size(); ++old) {
                if (isFree(old) && m_before[old]["name"].text() == name)
                    join(i, old, false);
            }
        }
    }

    const json::Array &m_before;
    const json::Array &m_after;
    std::vector<bool> m_taken;
    ListMatch m_match;
    std::size_t m_open = 0;
};

} // namespace

ListMatch matchLists(const json::Array &before, const json::Array &after)
{
    return Matcher(before, after).run();
}

} // namespace wardbench::codec
