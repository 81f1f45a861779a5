#include "editors/jsonfields.h"

#include "base/duration.h"
#include "json/parser.h"
#include "json/writer.h"
#include "widgets/text.h"

namespace wardbench {

using namespace Qt::StringLiterals;

QString durationText(const json::Value &value)
{
    if (value.isNumber())
        return qtext(value.text()) + u" ms"_s;
    return qtext(value.text());
}

std::optional<json::Value> durationValue(const QString &text)
{
    QString compact = text;
    compact.remove(u' ');
    if (compact.isEmpty())
        return json::Value();
    QString digits = compact;
    if (digits.endsWith(u"ms"_s))
        digits.chop(2);
    bool isNumber = false;
    digits.toDouble(&isNumber);
    if (isNumber && parseDuration(utf8(digits)) && json::parse(utf8(digits)).index() == 0)
        return json::Value::number(utf8(digits));
    if (parseDuration(utf8(compact)))
        return json::Value(utf8(compact));
    return std::nullopt;
}

QString scalarText(const json::Value &value)
{
    switch (value.kind()) {
    case json::Value::Kind::Null:
        return {};
    case json::Value::Kind::Bool:
        return value.toBool() ? u"true"_s : u"false"_s;
    case json::Value::Kind::Number:
    case json::Value::Kind::String:
        return qtext(value.text());
    default:
        return qtext(json::writeCompact(value));
    }
}

json::Value scalarValue(const QString &text, const json::Value &before)
{
    const std::string raw = utf8(text);
    if (before.isNumber() || before.isBool()) {
        auto parsed = json::parse(raw);
        if (auto *value = std::get_if<json::Value>(&parsed); value && value->kind() == before.kind())
            return *value;
    }
    if (before.isObject() || before.isArray()) {
        auto parsed = json::parse(raw);
        if (auto *value = std::get_if<json::Value>(&parsed); value && (value->isObject() || value->isArray()))
            return *value;
    }
    return json::Value(raw);
}

QString delayText(const json::Value &value)
{
    if (isScriptDelay(value))
        return u"script"_s;
    if (!value.isObject())
        return value.isNull() ? QString() : durationText(value);
    const std::string &type = value["type"].text();
    const auto ms = [&](const char *name) { return scalarText(value[name]); };
    if (type == "uniform")
        return u"%1 to %2 ms"_s.arg(ms("lower"), ms("upper"));
    if (type == "normal")
        return u"normal %1 ms"_s.arg(ms("mean"));
    if (type == "lognormal")
        return u"lognormal %1 ms"_s.arg(ms("median"));
    return u"%1 ms"_s.arg(ms("milliseconds"));
}

bool isScriptDelay(const json::Value &value)
{
    return value.isString() && !parseDuration(value.text());
}

QString shortened(const QString &text, int length)
{
    QString line = text.section(u'\n', 0, 0);
    if (line.size() < text.size() || line.size() > length)
        line = line.left(length - 1).trimmed() + u"…"_s;
    return line;
}

json::Value withPart(const json::Value &object, const json::Path &path, const json::Value &part)
{
    if (path.empty())
        return part;
    const json::Path rest(path.begin() + 1, path.end());
    if (object.isArray()) {
        const std::size_t index = std::stoul(path.front());
        if (rest.empty() && part.isNull())
            return object.withoutItem(index);
        return object.withItem(index, withPart(object.at(index), rest, part));
    }
    const json::Value *present = object.find(path.front());
    if (part.isNull() && !present)
        return object;
    if (part.isNull() && rest.empty())
        return object.withoutMember(path.front());
    const json::Value whole = object.isObject() ? object : json::Value::object();
    return whole.withMember(path.front(), withPart(present ? *present : json::Value(), rest, part));
}

json::Path operator/(json::Path parent, const std::string &child)
{
    parent.push_back(child);
    return parent;
}

json::Path operator/(json::Path parent, std::size_t index)
{
    parent.push_back(std::to_string(index));
    return parent;
}

} // namespace wardbench
