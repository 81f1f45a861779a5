#include "base/nearestname.h"
#include "codec/decoders.h"

#include <array>

namespace wardbench::codec {
namespace {

void decodeKind(Response &response, const SchemaReader &reader)
{
    static constexpr std::array<std::string_view, 4> kinds{"is", "proxy", "inject", "fault"};
    std::vector<std::string> found;
    for (const std::string_view kind : kinds) {
        if (reader[kind].present())
            found.emplace_back(kind);
    }
    if (found.empty()) {
        const std::string first = reader.value().size() ? reader.value().members().front().first : std::string();
        reader.error("has no kind of response; expected one of is, proxy, inject, fault" +
                     suggestion(first, {kinds.begin(), kinds.end()}));
        return;
    }
    // An object is a fault of our own, which may spoil an `is`.
    if (found.size() == 2 && found.front() == "is" && reader["fault"].value().isObject()) {
        response.fault = decodeFault(reader["fault"]);
    } else if (found.size() > 1) {
        reader.error("has " + found[0] + " and " + found[1] + "; expected one kind in each response");
    }
    if (found.front() == "is") {
        response.is = decodeIsResponse(reader["is"]);
        return;
    }
    if (found.front() == "proxy") {
        response.kind = Response::Kind::Proxy;
        response.proxy = decodeProxy(reader["proxy"]);
    } else if (found.front() == "inject") {
        response.kind = Response::Kind::Inject;
        response.script = reader["inject"].requiredText("a JavaScript function");
    } else {
        response.kind = Response::Kind::Fault;
        response.fault = decodeFault(reader["fault"]);
    }
}

void checkStatus(const SchemaReader &reader)
{
    const json::Value &value = reader.value();
    if (!reader.present() || !value.isTruthy()) // 0 and "" fall back to the default response
        return;
    const auto code = wholeNumber(value);
    if (!value.isNumber() && !value.isString())
        reader.expected("a status code");
    else if (!code || *code < 100 || *code > 999)
        reader.warning(shown(value) + " is no status code from 100 to 999; such a response is answered with 500");
}

} // namespace

IsResponse decodeIsResponse(const SchemaReader &reader)
{
    IsResponse is;
    if (!reader.isObject())
        return is;
    is.source = reader.value();
    if (reader["statusCode"].present())
        is.statusCode = reader["statusCode"].value();
    checkStatus(reader["statusCode"]);
    const SchemaReader headers = reader["headers"];
    is.hasHeaders = headers.present() && headers.value().isTruthy();
    const auto checkHeader = [](const SchemaReader &header) {
        if (header.value().isObject() || header.value().isNull())
            header.expected("text, a number, or an array of them");
    };
    if (is.hasHeaders) {
        headers.eachMember([&](const std::string &name, const SchemaReader &header) {
            if (header.value().isArray())
                header.eachItem(checkHeader);
            else
                checkHeader(header);
            is.headers.emplace_back(name, header.value());
        });
    }
    if (reader["body"].present())
        is.body = reader["body"].value();
    is.bodyFile = reader["bodyFile"].text();
    if (reader["data"].present())
        is.data = reader["data"].value();
    if (reader["_mode"].value().isTruthy())
        is.mode = reader["_mode"].choice({"text", "binary"}, "text");
    return is;
}

Response decodeResponse(const SchemaReader &reader)
{
    Response response;
    if (!reader.isObject())
        return response;
    decodeKind(response, reader);
    decodeBehaviors(response, reader);
    response.weight = reader["weight"].number(1, 0);
    response.templated = reader["template"].boolean(false);
    return response;
}

} // namespace wardbench::codec
