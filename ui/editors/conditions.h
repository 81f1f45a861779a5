#pragma once

#include "json/pointer.h"
#include "json/value.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace wardbench {

/// One condition of a stub as a row of its form: `path matches ^/products/\d+$`. A predicate of several fields makes
/// several rows; a script is a row of its own; what has no row form (nested and/or) is one row that shows its JSON.
struct Condition
{
    enum class Form { Field, Script, Json };

    std::size_t predicate = 0; ///< index in the list of predicates
    Form form = Form::Field;
    json::Path field;     ///< below the operator: {"path"}, {"query", "q"}; Field only
    QString word;         ///< "equals", "not contains", "exists", "absent"; what the choice of operators holds
    json::Value expected; ///< Script: the JavaScript; Json: the predicate
    bool caseSensitive = false;
    /// The predicate's members besides these: except, jsonpath, xpath, keyCaseSensitive, and what nobody knows.
    json::Value parameters = json::Value::object();
    json::Value outer = json::Value::object(); ///< the same of a "not" around it
};

/// A stub's predicates as rows, and changes of them. Pure functions on the list of predicates, tested without a window.
namespace conditions {

/// The operators of a row, as (word, label).
const std::vector<std::pair<QString, QString>> &operators();

std::vector<Condition> fromPredicates(const json::Value &predicates);

/// The list with one row changed, in its place. A row whose predicate holds others is taken out of it and put after it.
json::Value replaced(const json::Value &predicates, const Condition &row, const Condition &by);
/// For a row that shows JSON or a script: the whole predicate.
json::Value replacedPredicate(const json::Value &predicates, std::size_t index, const json::Value &predicate);
json::Value removed(const json::Value &predicates, const Condition &row);
json::Value added(const json::Value &predicates, const Condition &row);

} // namespace conditions
} // namespace wardbench
