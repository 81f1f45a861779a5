#include "json/memberindex.h"

#include <functional>

namespace wardbench::json {
namespace {

std::size_t hashOf(std::string_view name)
{
    return std::hash<std::string_view>()(name);
}

} // namespace

std::size_t MemberIndex::find(const Members &members, std::string_view name) const
{
    if (m_slots.empty()) {
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (members[i].first == name)
                return i;
        }
        return none;
    }
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t slot = hashOf(name) & mask; m_slots[slot] != 0; slot = (slot + 1) & mask) {
        const std::size_t position = m_slots[slot] - 1;
        if (members[position].first == name)
            return position;
    }
    return none;
}

void MemberIndex::appended(const Members &members)
{
    if (members.size() <= scanLimit)
        return;
    if (2 * members.size() > m_slots.size())
        rebuild(members, m_slots.empty() ? 8 * scanLimit : 2 * m_slots.size());
    else
        place(members, members.size() - 1);
}

void MemberIndex::rebuild(const Members &members, std::size_t slotCount)
{
    while (slotCount < 2 * members.size())
        slotCount *= 2;
    m_slots.assign(slotCount, 0);
    for (std::size_t i = 0; i < members.size(); ++i)
        place(members, i);
}

void MemberIndex::place(const Members &members, std::size_t position)
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t slot = hashOf(members[position].first) & mask;
    while (m_slots[slot] != 0)
        slot = (slot + 1) & mask;
    m_slots[slot] = static_cast<std::uint32_t>(position + 1);
}

} // namespace wardbench::json
