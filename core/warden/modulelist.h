#pragma once

#include "model/policy.h"
#include "transport/transport.h"
#include "warden/module.h"
#include "warden/surroundings.h"

#include <memory>
#include <vector>

namespace wardbench::warden {

/// The modules that a policy has on, in the order of a pipeline, from the caller to the network.
std::vector<std::unique_ptr<Module>> modulesOf(const Policy &policy, Transport &network, Surroundings &surroundings);

} // namespace wardbench::warden
