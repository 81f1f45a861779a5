#include "editors/answerbehaviors.h"

#include "editors/jsonfields.h"
#include "widgets/text.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace wardbench::behaviors {

using namespace Qt::StringLiterals;
using json::Value;

namespace {

/// The fixed order of the old form.
constexpr std::array<const char *, 5> oldOrder{"wait", "lookup", "copy", "shellTransform", "decorate"};

bool isKind(std::string_view name)
{
    return std::find(oldOrder.begin(), oldOrder.end(), name) != oldOrder.end();
}

QString fieldText(const Value &from)
{
    if (from.isObject() && from.size() == 1)
        return qtext(from.members()[0].first) + u' ' + scalarText(from.members()[0].second);
    return scalarText(from);
}

Value parsed(const char *text)
{
    return std::get<Value>(json::parse(text));
}

} // namespace

const std::vector<std::pair<QString, QString>> &kinds()
{
    const auto label = [](const char *text) {
        return QCoreApplication::translate("behaviors", text);
    };
    static const std::vector<std::pair<QString, QString>> list{
        {u"wait"_s, label("Wait")},
        {u"copy"_s, label("Copy from the request")},
        {u"lookup"_s, label("Look up in a CSV file")},
        {u"decorate"_s, label("Decorate with a script")},
        {u"shellTransform"_s, label("Transform with a command")},
    };
    return list;
}

bool isOldForm(const Value &answer)
{
    return answer["_behaviors"].isObject() && !answer.find("behaviors") && !answer.find("repeat");
}

Value listOf(const Value &answer)
{
    if (!isOldForm(answer))
        return answer["behaviors"].isArray() ? answer["behaviors"] : Value::array();
    json::Array list;
    for (const char *name : oldOrder) {
        const Value &value = answer["_behaviors"][name];
        if (value.isArray()) {
            for (const Value &item : value.items())
                list.push_back(Value(json::Members{{name, item}}));
        } else if (!value.isNull()) {
            list.push_back(Value(json::Members{{name, value}}));
        }
    }
    return Value(std::move(list));
}

Value withList(const Value &answer, const Value &list)
{
    Value result = answer;
    if (isOldForm(answer)) {
        Value rest = Value::object();
        for (const auto &[name, value] : answer["_behaviors"].members()) {
            if (name == "repeat")
                result = result.withMember("repeat", value);
            else if (!isKind(name))
                rest = rest.withMember(name, value);
        }
        result = rest.size() ? result.withMember("_behaviors", rest) : result.withoutMember("_behaviors");
    }
    return list.size() ? result.withMember("behaviors", list) : result.withoutMember("behaviors");
}

int repeatOf(const Value &answer)
{
    const Value &repeat = isOldForm(answer) ? answer["_behaviors"]["repeat"] : answer["repeat"];
    return repeat.isNull() ? 1 : qMax(1, scalarText(repeat).toInt());
}

QString kindOf(const Value &behavior)
{
    for (const auto &[name, value] : behavior.members()) {
        if (isKind(name))
            return qtext(name);
    }
    return behavior.size() ? qtext(behavior.members()[0].first) : QString();
}

QString summary(const Value &behavior)
{
    const QString kind = kindOf(behavior);
    const Value &value = behavior[utf8(kind)];
    const auto label = [](const char *text) {
        return QCoreApplication::translate("behaviors", text);
    };
    if (kind == u"wait")
        return delayText(value);
    if (kind == u"copy")
        return label("%1 into %2").arg(fieldText(value["from"]), scalarText(value["into"]));
    if (kind == u"lookup")
        return label("%1 in %2 into %3")
            .arg(fieldText(value["key"]["from"]), scalarText(value["fromDataSource"]["csv"]["path"]),
                 scalarText(value["into"]));
    return shortened(scalarText(value), 60);
}

Value fresh(const QString &kind)
{
    if (kind == u"wait")
        return parsed("{\"wait\": 50}");
    if (kind == u"copy")
        return parsed("{\"copy\": {\"from\": \"path\", \"into\": \"${id}\", "
                      "\"using\": {\"method\": \"regex\", \"selector\": \"\\\\d+\"}}}");
    if (kind == u"lookup")
        return parsed("{\"lookup\": {\"key\": {\"from\": \"path\", \"using\": {\"method\": \"regex\", "
                      "\"selector\": \"\\\\d+\"}}, \"fromDataSource\": {\"csv\": {\"path\": \"data.csv\", "
                      "\"keyColumn\": \"id\"}}, \"into\": \"${row}\"}}");
    if (kind == u"decorate")
        return parsed("{\"decorate\": \"(config) => { config.response.headers['X-Decorated'] = 'yes'; }\"}");
    return parsed("{\"shellTransform\": \"node transform.js\"}");
}

} // namespace wardbench::behaviors
