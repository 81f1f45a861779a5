#pragma once

#include "json/pointer.h"
#include "json/value.h"

#include <QString>

#include <optional>

namespace wardbench {

/// A duration of the file as a person reads it: the number 80 is "80 ms", the text "1m30s" stays.
QString durationText(const json::Value &value);
/// What a person typed as the file keeps it: "80" and "80 ms" are the number 80, "2s" and "1m 30s" stay text.
/// No value when it is not a duration; nothing typed is Null.
std::optional<json::Value> durationValue(const QString &text);

/// A scalar as its field shows it; objects and arrays as compact JSON.
QString scalarText(const json::Value &value);
/// Keeps the kind of `before` where it can: a typed "200" stays a number when a number was there.
json::Value scalarValue(const QString &text, const json::Value &before);

/// A `wait` or `thinkTime` in a few words: "fixed 80 ms", "lognormal 40 ms", "20 to 60 ms"; empty for none.
QString delayText(const json::Value &value);
/// A `wait` that is JavaScript: text that is no duration.
bool isScriptDelay(const json::Value &value);

/// First line of a value, cut to `length` characters.
QString shortened(const QString &text, int length);

/// `object` with `part` set at `path` below it, making the objects on the way; Null removes. An empty path: `part`.
json::Value withPart(const json::Value &object, const json::Path &path, const json::Value &part);

/// The path of `child` below `parent`.
json::Path operator/(json::Path parent, const std::string &child);
json::Path operator/(json::Path parent, std::size_t index);

} // namespace wardbench
