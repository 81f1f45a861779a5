#pragma once

#include "model/selection.h"
#include "json/value.h"

#include <string>
#include <vector>

namespace wardbench {

/// One mountebank predicate: an operator and its parameters (reference/mountebank.md 2.6).
struct Predicate
{
    enum class Operator {
        Equals,
        DeepEquals,
        Contains,
        StartsWith,
        EndsWith,
        Matches,
        Exists,
        Not,
        Or,
        And,
        Inject,
        Unknown
    };

    Operator op = Operator::Unknown;
    json::Value expected;            ///< the operator's operand for the leaf operators, as written
    std::vector<Predicate> children; ///< Not: one; Or, And: any number
    bool caseSensitive = false;
    bool keyCaseSensitive = false; ///< resolved: equals caseSensitive when absent
    std::string except;            ///< regular expression whose finds are taken out of the values; empty is none
    Selector selector;
    std::string script;       ///< Inject: JavaScript; runs only where scripts are allowed
    std::string operatorName; ///< as written, for Unknown and messages

    /// Whether it, or one inside it, is JavaScript.
    bool hasScript() const;
};

} // namespace wardbench
