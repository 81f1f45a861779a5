#pragma once

#include "json/value.h"

namespace wardbench::json {

/// Finds members of a growing object by name: a plain scan while it is small, a hash table of positions beyond, so
/// that an object of 100,000 members takes linear time. Holds positions only, so the members may move in memory.
class MemberIndex
{
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    std::size_t find(const Members &members, std::string_view name) const;
    /// To be called after each member appended to `members`.
    void appended(const Members &members);

private:
    static constexpr std::size_t scanLimit = 16;
    void rebuild(const Members &members, std::size_t slotCount);
    void place(const Members &members, std::size_t position);

    std::vector<std::uint32_t> m_slots; ///< position + 1; 0 is free. Size is a power of two, at most half full
};

} // namespace wardbench::json
