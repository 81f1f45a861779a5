#pragma once

#include "mock/requestscope.h"

namespace wardbench::mock {

/// The value of a helper; nothing when there is none of this name.
std::optional<json::Value> callTemplateHelper(const std::string &name, RequestScope &scope,
                                              const TemplateScope::Arguments &arguments);
/// host, port, scheme or baseUrl of the request, by its Host.
json::Value urlPart(RequestScope &scope, std::string_view part);

} // namespace wardbench::mock
