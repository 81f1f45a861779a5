#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace wardbench::http {

/// Rules that may be relaxed, each for one purpose. What can hide a second request is never relaxed: NUL, CR or LF in
/// a value, differing lengths, signs or hexadecimal in lengths, chunk overflow, missing CRLF after chunk data, a
/// transfer coding that does not end in chunked.
enum class Leniency : std::uint32_t {
    BareLf = 1u << 0,  ///< LF alone ends a line of the head
    ObsFold = 1u << 1, ///< continuation lines, joined with a blank
    SpaceBeforeColon = 1u << 2,
    TeWithCl = 1u << 3, ///< Transfer-Encoding wins; the connection closes after the answer
    EqualDuplicateCl = 1u << 4,
    MissingHost = 1u << 5,
    Http09 = 1u << 6,         ///< `GET /path` alone; answered by the body only, then close
    NonAsciiTarget = 1u << 7, ///< octets 0x80 and above, kept
    SpaceAfterChunkSize = 1u << 8,
    CtlInValue = 1u << 9, ///< control characters other than NUL, CR, LF
    MultiSpaceRequestLine = 1u << 10,
    FragmentInTarget = 1u << 11, ///< '#', kept
    UserInfoInTarget = 1u << 12, ///< `http://user:password@host/`, dropped from the host
};

class Leniencies
{
public:
    constexpr Leniencies() = default;
    constexpr Leniencies(Leniency one) : m_bits(static_cast<std::uint32_t>(one)) {}

    constexpr bool has(Leniency one) const { return (m_bits & static_cast<std::uint32_t>(one)) != 0; }
    constexpr void add(Leniency one) { m_bits |= static_cast<std::uint32_t>(one); }
    constexpr bool empty() const { return m_bits == 0; }
    constexpr Leniencies operator|(Leniencies other) const
    {
        other.m_bits |= m_bits;
        return other;
    }
    constexpr void clear() { m_bits = 0; }

    /// True when `one` is allowed, and then remembers in `used` that it was needed.
    bool use(Leniency one, Leniencies &used) const
    {
        if (!has(one))
            return false;
        used.add(one);
        return true;
    }

private:
    std::uint32_t m_bits = 0;
};

inline constexpr Leniency allLeniencies[] = {
    Leniency::BareLf,
    Leniency::ObsFold,
    Leniency::SpaceBeforeColon,
    Leniency::TeWithCl,
    Leniency::EqualDuplicateCl,
    Leniency::MissingHost,
    Leniency::Http09,
    Leniency::NonAsciiTarget,
    Leniency::SpaceAfterChunkSize,
    Leniency::CtlInValue,
    Leniency::MultiSpaceRequestLine,
    Leniency::FragmentInTarget,
    Leniency::UserInfoInTarget,
};

/// "bareLf", "obsFold", ...
std::string_view leniencyName(Leniency leniency);
std::optional<Leniency> leniencyNamed(std::string_view name);

} // namespace wardbench::http
