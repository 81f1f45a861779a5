#pragma once

#include "exchange/jmxtext.h"
#include "exchange/xmltree.h"
#include "json/value.h"

#include <string>
#include <vector>

namespace wardbench::exchange {

/// A sampler with the defaults and header managers that act on it (nearest last) as a scenario's request.
json::Value requestOf(const XmlElement &sampler, const std::vector<const XmlElement *> &defaults,
                      const std::vector<const XmlElement *> &headers, JmxText &text, std::vector<std::string> &losses);

} // namespace wardbench::exchange
