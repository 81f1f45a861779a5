#pragma once

#include "match/compiledpredicate.h"

#include <compare>
#include <functional>
#include <string>
#include <vector>

namespace wardbench {

/// A selection; the same as any that selects the same.
struct SelectionRef
{
    std::shared_ptr<const FieldSelection> of;

    const std::string &key() const
    {
        static const std::string none;
        return of ? of->key() : none;
    }
    friend auto operator<=>(const SelectionRef &a, const SelectionRef &b) { return a.key() <=> b.key(); }
    friend bool operator==(const SelectionRef &a, const SelectionRef &b) { return a.key() == b.key(); }
};

/// Something of a request that the index can look at, cheapest first.
struct IndexKey
{
    enum class Kind {
        Method,           ///< in lower case
        Path,             ///< in lower case
        Header,           ///< any value of header `name`, in lower case
        Query,            ///< any value of query key `name`, in lower case
        PathPattern,      ///< expressions on the path
        BodyText,         ///< the whole body, in lower case
        BodyDocument,     ///< the whole body as JSON, canonical
        BodyField,        ///< what stands at `fieldPath` of the JSON body
        Selected,         ///< what stands at `fieldPath` of what `selection` makes of `field`
        SelectedDocument, ///< all of that as JSON, canonical
        BodyPattern,      ///< expressions on the body
    };

    Kind kind = Kind::Method;
    Casing casing = Casing::Ignored;    ///< BodyDocument, BodyField
    std::string name;                   ///< Header, Query: in lower case
    std::vector<std::string> fieldPath; ///< BodyField, Selected
    Field field = Field::Unknown;       ///< Selected, SelectedDocument
    SelectionRef selection{};           ///< Selected, SelectedDocument

    bool isPattern() const { return kind == Kind::PathPattern || kind == Kind::BodyPattern; }
    friend auto operator<=>(const IndexKey &, const IndexKey &) = default;
};

/// What a stub cannot match without: the attribute has one of these values, or one of these RE2 expressions finds
/// something in it.
struct IndexConstraint
{
    IndexKey key;
    std::vector<std::string> values;
};

/// Constraints that follow from all of `predicates` together, each key once. Never says more than the predicates do.
std::vector<IndexConstraint> constraintsOf(const std::vector<CompiledPredicate> &predicates);

/// Calls `visit` with each of the request's values for a key that is not a pattern: a stub that constrains the key and
/// lists none of them cannot match. False when the request's values cannot be told.
bool visitIndexValues(const IndexKey &key, RequestView &request, const std::function<void(std::string_view)> &visit);

} // namespace wardbench
