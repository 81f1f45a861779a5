#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wardbench {

/// A set of stub positions.
class BitSet
{
public:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    BitSet() = default;
    explicit BitSet(std::size_t size) : m_words((size + 63) / 64, 0) {}

    void set(std::size_t bit) { m_words[bit / 64] |= std::uint64_t(1) << (bit % 64); }
    void clear(std::size_t bit) { m_words[bit / 64] &= ~(std::uint64_t(1) << (bit % 64)); }
    bool test(std::size_t bit) const { return (m_words[bit / 64] >> (bit % 64)) & 1; }
    std::size_t words() const { return m_words.size(); }
    std::uint64_t &word(std::size_t i) { return m_words[i]; }
    std::uint64_t word(std::size_t i) const { return m_words[i]; }

    /// First member at or above `from`, or none.
    std::size_t next(std::size_t from) const
    {
        std::size_t i = from / 64;
        if (i >= m_words.size())
            return none;
        std::uint64_t word = m_words[i] & (~std::uint64_t(0) << (from % 64));
        while (word == 0) {
            if (++i == m_words.size())
                return none;
            word = m_words[i];
        }
        return i * 64 + static_cast<std::size_t>(std::countr_zero(word));
    }

    /// Whether there are no more than `limit` members; stops counting as soon as there are.
    bool atMost(std::size_t limit) const
    {
        std::size_t count = 0;
        for (std::uint64_t word : m_words) {
            for (; word != 0; word &= word - 1) {
                if (++count > limit)
                    return false;
            }
        }
        return true;
    }

private:
    std::vector<std::uint64_t> m_words;
};

} // namespace wardbench
