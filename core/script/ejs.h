#pragma once

#include "base/result.h"

#include <string>

namespace wardbench {

/// A config file rendered as mountebank does (mountebank.md 3.3): EJS 2.7 with `include`, `stringify`, `inject`, `data`
/// and `filename`. Templates are JavaScript of the user's own, run for at most 10 s; blocks until then. Errors name the
/// file and the line.
Result<std::string> renderEjs(const std::string &path);

} // namespace wardbench
