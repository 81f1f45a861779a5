#include "support/predicates.h"

#include "codec/decoders.h"

#include <QByteArray>

namespace wardbench::test {

Predicate predicateFromJson(const json::Value &value)
{
    Issues issues;
    return codec::decodePredicate(codec::SchemaReader(value, {}, issues));
}

http::Request requestFromJson(const json::Value &value)
{
    http::Headers headers;
    for (const json::Value &header : value["headers"].items()) {
        // blanks around a value are not part of it (RFC 9110 section 5.5)
        const QByteArray text = QByteArray::fromStdString(header.at(1).text()).trimmed();
        headers.add(header.at(0).text(), text.toStdString());
    }
    const QByteArray body = QByteArray::fromBase64(QByteArray::fromStdString(value["body"].text()));
    return requestFor(value["method"].text(), value["target"].text(), std::move(headers), body.toStdString());
}

http::Request requestFor(std::string method, std::string target, http::Headers headers, std::string body)
{
    http::Request request;
    request.method = std::move(method);
    request.target = target;
    if (target.starts_with("http://")) {
        const std::size_t slash = target.find('/', 7);
        target = slash == std::string::npos ? "/" : target.substr(slash);
    }
    const std::size_t question = target.find('?');
    request.path = target.substr(0, question);
    request.query = question == std::string::npos ? std::string() : target.substr(question + 1);
    request.headers = std::move(headers);
    request.body = std::move(body);
    return request;
}

StubPtr stubWith(StubId id, std::vector<Predicate> predicates)
{
    auto stub = std::make_shared<Stub>();
    stub->id = id;
    stub->predicates = std::move(predicates);
    return stub;
}

} // namespace wardbench::test
