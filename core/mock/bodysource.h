#pragma once

#include "base/result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace wardbench::mock {

/// The bytes of an answer's body, without transfer coding: in memory, or in a file that is read piece by piece.
class BodySource
{
public:
    BodySource() = default;
    static BodySource memory(std::shared_ptr<const std::string> storage, std::size_t offset, std::size_t size);
    /// A regular file below `folder`; no path may leave it, by ".." or by a link. Errors name the path.
    static Result<BodySource> file(const std::string &folder, const std::string &path);

    std::uint64_t size() const { return m_size; }
    /// Appends `count` bytes from `offset` on to `out`; false when the file has become shorter or unreadable.
    bool read(std::uint64_t offset, std::size_t count, std::string &out) const;

private:
    std::shared_ptr<const std::string> m_storage;
    std::size_t m_storageOffset = 0;
    std::shared_ptr<const int> m_descriptor; ///< closed with the last copy
    std::uint64_t m_size = 0;
};

} // namespace wardbench::mock
