#include "match/requestjson.h"

#include <QByteArray>

namespace wardbench {

json::Value requestJson(const http::Request &request, std::string_view client)
{
    RequestView view;
    view.reset(request, client);
    json::Members members;
    const auto addText = [&](Field field) {
        if (const std::string *text = view.text(field, false))
            members.emplace_back(fieldName(field), *text);
    };
    const auto addObject = [&](Field field) {
        if (const json::Value *object = view.object(field, Casing::Exact))
            members.emplace_back(fieldName(field), *object);
    };
    addText(Field::RequestFrom);
    addText(Field::Method);
    addText(Field::Path);
    addObject(Field::Query);
    addObject(Field::Headers);
    addText(Field::Body);
    addText(Field::Ip);
    addObject(Field::Form);
    return json::Value(std::move(members));
}

json::Value requestJson(const TcpRequest &request, std::string_view client)
{
    RequestView view;
    view.reset(request, client);
    std::string data = *view.text(Field::Data, false);
    if (request.binary)
        data = QByteArray::fromStdString(data).toBase64().toStdString();
    json::Members members;
    members.emplace_back("requestFrom", *view.text(Field::RequestFrom, false));
    members.emplace_back("data", std::move(data));
    members.emplace_back("ip", *view.text(Field::Ip, false));
    return json::Value(std::move(members));
}

} // namespace wardbench
