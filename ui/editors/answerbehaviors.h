#pragma once

#include "json/value.h"

#include <QString>

#include <utility>
#include <vector>

namespace wardbench {

/// The behaviors of an answer as a list, and changes of it: pure functions on the answer, tested without a window. An
/// answer in the form of before mountebank 2.4 (`_behaviors`) is shown in today's order and written in today's form
/// once it is edited.
namespace behaviors {

/// The kinds as (word, label): wait, copy, lookup, decorate, shellTransform.
const std::vector<std::pair<QString, QString>> &kinds();

bool isOldForm(const json::Value &answer);
/// The steps in the order they are applied; an empty array for none.
json::Value listOf(const json::Value &answer);
/// The answer with these steps; an old form goes, but for members nobody knows, and its `repeat` moves to the answer.
json::Value withList(const json::Value &answer, const json::Value &list);
/// How often the answer comes before the next one, wherever the file says it.
int repeatOf(const json::Value &answer);

/// "wait", "copy", ...; the first member's name when it is none of them.
QString kindOf(const json::Value &behavior);
/// What it does, in a line: "path into ${id}".
QString summary(const json::Value &behavior);
/// One to start from.
json::Value fresh(const QString &kind);

} // namespace behaviors
} // namespace wardbench
