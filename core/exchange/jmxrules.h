#pragma once

#include "exchange/jmxtext.h"
#include "exchange/xmltree.h"
#include "json/value.h"

#include <string>
#include <vector>

// What timers and assertions of a plan mean in a scenario, and back.
namespace wardbench::exchange {

/// The timers that act on a sampler, added up, as a `thinkTime`; null when there are none. One random timer at most
/// keeps its distribution; losses are told.
json::Value thinkTimeOf(const std::vector<const XmlElement *> &timers, JmxText &text, std::vector<std::string> &losses);

/// The assertions that act on a sampler as a `success` rule; null when they ask for nothing. What a rule cannot say
/// goes to `unsupported`.
json::Value successOf(const std::vector<const XmlElement *> &assertions, JmxText &text,
                      std::vector<const XmlElement *> &unsupported);

/// `statuses`: "any", or a list of codes and classes, as in a file.
XmlElement statusAssertion(const json::Value &statuses);
XmlElement bodyAssertion(std::string_view contained);

} // namespace wardbench::exchange
