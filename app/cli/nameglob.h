#pragma once

#include <string_view>

namespace wardbench::cli {

/// True when the whole of `name` fits `pattern`, in which `*` stands for any text and everything else for itself.
bool fitsGlob(std::string_view pattern, std::string_view name);

} // namespace wardbench::cli
