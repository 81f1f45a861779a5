#pragma once

#include "json/value.h"

#include <optional>
#include <string>
#include <variant>

namespace wardbench {

/// Why a script gave no result, in mountebank's terms (mountebank.md 1.2).
struct ScriptFailure
{
    std::string message; ///< "invalid response injection", ...
    std::string source;  ///< what was run
    std::string data;    ///< the script's own error

    /// `{"code":"invalid injection","message":...,"source":...,"data":...}`: an element of `errors`.
    json::Value toJson() const;
};

/// What a script gave, or why it gave nothing.
template <typename T>
using ScriptOutcome = std::variant<T, ScriptFailure>;

/// The bytes of a Buffer that a script answered with (`{"type":"Buffer","data":[...]}`, its JSON form); nothing when
/// `value` is something else.
std::optional<std::string> bufferBytes(const json::Value &value);

} // namespace wardbench
