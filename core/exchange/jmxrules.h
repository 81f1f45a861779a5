#pragma once

#include "exchange/jmxtext.h"
#include "exchange/xmltree.h"
#include "model/scenario.h"
#include "json/value.h"

#include <optional>
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

/// An assertion as a check of a request, with its name; null when it is none of those.
json::Member checkOf(const XmlElement &assertion, JmxText &text);
/// The variables that an extractor fills, each with where from; empty when that cannot be said. Declares them.
json::Members extractionsOf(const XmlElement &extractor, JmxText &text);

XmlElement statusAssertion(const StatusSet &statuses);
XmlElement bodyAssertion(std::string_view contained);
/// A check as assertions, which do make a request fail there; one for each thing it asks for that JMeter can say.
std::vector<XmlElement> assertionsOf(const Check &check, std::vector<std::string> &losses);
/// An extraction as an extractor; nothing when JMeter has none for it.
std::optional<XmlElement> extractorOf(const StepExtraction &extraction);

} // namespace wardbench::exchange
