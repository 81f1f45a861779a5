#pragma once

#include "model/workspace.h"

namespace wardbench::lint {

/// What decoding cannot see: unreachable, duplicate and shadowed stubs, port clashes, unknown names,
/// a scenario's target that closes connections, `${` in an identifier. Without positions; codec's issues not repeated.
Issues check(const Workspace &workspace);

} // namespace wardbench::lint
