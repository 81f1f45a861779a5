#pragma once

#include "json/jsonfilter.h"

#include <optional>

namespace wardbench::json {

/// One of the things between brackets, separated by commas.
struct PathSelector
{
    enum class Kind { Name, Slice, Any, Filter, Script };

    Kind kind = Kind::Any;
    std::string name;                           ///< Name: of a member, or an index
    std::optional<std::int64_t> begin{}, end{}; ///< Slice
    std::int64_t step = 1;                      ///< Slice
    JsonFilter expression{};                    ///< Filter, Script
};

struct PathSegment
{
    enum class Kind {
        Children,    ///< what `selectors` say
        Descendants, ///< the value itself and every array and object below
        Parent,
        OwnName,
    };

    Kind kind = Kind::Children;
    std::vector<PathSelector> selectors{};
};

struct JsonPath::Segments
{
    std::vector<PathSegment> list;
};

} // namespace wardbench::json
