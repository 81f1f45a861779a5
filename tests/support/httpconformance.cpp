#include "support/httpconformance.h"

#include "support/readfile.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <stdexcept>

namespace wardbench::test {

namespace {

std::string octets(const QJsonValue &value)
{
    if (!value.isString())
        throw std::runtime_error("conformance.json: a text is missing");
    return value.toString().toLatin1().toStdString();
}

std::string inputOf(const QJsonValue &value)
{
    if (value.isString())
        return octets(value);
    std::string input;
    for (const auto &part : value.toArray()) {
        if (part.isString()) {
            input += octets(part);
            continue;
        }
        const QJsonObject repeated = part.toObject();
        const std::string text = octets(repeated.value(QStringLiteral("repeat")));
        for (int i = repeated.value(QStringLiteral("times")).toInt(); i > 0; --i)
            input += text;
    }
    return input;
}

std::optional<std::string> optionalText(const QJsonObject &object, const char *name)
{
    const QJsonValue value = object.value(QLatin1String(name));
    return value.isUndefined() ? std::nullopt : std::optional(octets(value));
}

std::optional<ConformanceRow::Fields> optionalFields(const QJsonObject &object, const char *name)
{
    const QJsonValue value = object.value(QLatin1String(name));
    if (value.isUndefined())
        return std::nullopt;
    ConformanceRow::Fields fields;
    for (const auto &field : value.toArray())
        fields.emplace_back(octets(field.toArray().at(0)), octets(field.toArray().at(1)));
    return fields;
}

void fill(ConformanceRow &row, const QJsonObject &object)
{
    for (const auto &one : object.value(QStringLiteral("out")).toArray())
        row.out.push_back(one.isString() ? octets(one) : std::to_string(one.toInt()));
    if (row.out.empty())
        throw std::runtime_error("conformance.json: row " + row.id + " has no reaction");
    row.method = optionalText(object, "method");
    row.target = optionalText(object, "target");
    row.path = optionalText(object, "path");
    row.query = optionalText(object, "query");
    row.host = optionalText(object, "host");
    row.body = optionalText(object, "body");
    row.headers = optionalFields(object, "headers");
    row.trailers = optionalFields(object, "trailers");
}

} // namespace

std::vector<ConformanceRow> conformanceRows()
{
    const std::string text = readFile(WARDBENCH_TEST_DATA "/http/conformance.json");
    QJsonParseError error;
    const auto document = QJsonDocument::fromJson(QByteArray::fromStdString(text), &error);
    if (error.error != QJsonParseError::NoError)
        throw std::runtime_error("conformance.json: " + error.errorString().toStdString());
    std::vector<ConformanceRow> rows;
    for (const auto &value : document.object().value(QStringLiteral("rows")).toArray()) {
        const QJsonObject object = value.toObject();
        ConformanceRow row;
        row.id = octets(object.value(QStringLiteral("id")));
        row.input = inputOf(object.value(QStringLiteral("in")));
        const std::string input = row.input;
        const std::string id = row.id;
        fill(row, object);
        rows.push_back(std::move(row));
        for (const auto &variant : object.value(QStringLiteral("lenient")).toArray()) {
            ConformanceRow relaxed;
            relaxed.id = id;
            relaxed.input = input;
            for (const auto &name : variant.toObject().value(QStringLiteral("allow")).toArray()) {
                relaxed.allow.push_back(octets(name));
                relaxed.id += '+' + relaxed.allow.back();
            }
            fill(relaxed, variant.toObject());
            rows.push_back(std::move(relaxed));
        }
    }
    return rows;
}

} // namespace wardbench::test
