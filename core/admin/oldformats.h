#pragma once

#include "json/value.h"

#include <string_view>

namespace wardbench::admin {

/// Old ways of writing a stub, turned into the present one (mountebank.md 2.10). What is not old stays the same node.
json::Value modernStub(const json::Value &stub, std::string_view protocol);
/// All stubs of an imposter.
json::Value modernImposter(const json::Value &imposter);

} // namespace wardbench::admin
