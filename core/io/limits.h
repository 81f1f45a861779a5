#pragma once

#include <cstdint>

namespace wardbench::io {

/// Raises this process's soft limit of open descriptors to its hard limit; call once, early. Returns the limit now in
/// force. Failing to raise it is no error: the old limit stays.
std::uint64_t raiseDescriptorLimit();

} // namespace wardbench::io
