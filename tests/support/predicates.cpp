#include "support/predicates.h"

#include <QByteArray>

#include <array>

namespace wardbench::test {

Predicate predicateFromJson(const json::Value &value)
{
    using Operator = Predicate::Operator;
    static const std::array<std::pair<const char *, Operator>, 10> operators{{{"equals", Operator::Equals},
                                                                              {"deepEquals", Operator::DeepEquals},
                                                                              {"contains", Operator::Contains},
                                                                              {"startsWith", Operator::StartsWith},
                                                                              {"endsWith", Operator::EndsWith},
                                                                              {"matches", Operator::Matches},
                                                                              {"exists", Operator::Exists},
                                                                              {"not", Operator::Not},
                                                                              {"or", Operator::Or},
                                                                              {"and", Operator::And}}};
    Predicate predicate;
    for (const auto &[name, member] : value.members()) {
        if (predicate.op != Operator::Unknown)
            break;
        for (const auto &[known, op] : operators) {
            if (name == known) {
                predicate.op = op;
                predicate.operatorName = name;
                predicate.expected = member;
            }
        }
    }
    if (predicate.op == Operator::Not)
        predicate.children.push_back(predicateFromJson(predicate.expected));
    if (predicate.op == Operator::Or || predicate.op == Operator::And) {
        for (const json::Value &child : predicate.expected.items())
            predicate.children.push_back(predicateFromJson(child));
    }
    predicate.caseSensitive = value["caseSensitive"].toBool();
    predicate.keyCaseSensitive = value["keyCaseSensitive"].toBool(predicate.caseSensitive);
    return predicate;
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
