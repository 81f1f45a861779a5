#include "http/message.h"
#include "match/fieldselection.h"
#include "match/jsvalue.h"
#include "match/text.h"
#include "match/xpath.h"
#include "mock/recording.h"

namespace wardbench::mock {
namespace {

/// One element of predicateGenerators at work on one request.
class Generator
{
public:
    Generator(const json::Value &generator, const json::Value &request) : m_generator(generator), m_request(request)
    {
        const json::Value &name = generator["predicateOperator"];
        if (name.isString())
            m_operator = name.text();
    }

    Result<json::Array> predicates()
    {
        json::Array made;
        for (const auto &[field, wanted] : m_generator["matches"].members()) {
            if (!wanted.isTruthy() && !wanted.isObject())
                continue;
            json::Members recorded;
            if (const json::Value *value = find(m_request, field)) {
                if (auto taken = take(without(*value, m_generator["ignore"][field]), wanted))
                    recorded.emplace_back(field, std::move(*taken));
                else
                    return taken.error();
            } else if (m_operator == "exists") {
                recorded.emplace_back(field, wanted.isObject() ? exists(nullptr, wanted) : json::Value(false));
            }
            json::Members predicate = parameters();
            const char *standard = wanted.isObject() ? "equals" : "deepEquals";
            predicate.emplace_back(m_operator.empty() ? standard : m_operator, json::Value(std::move(recorded)));
            made.emplace_back(std::move(predicate));
        }
        return made;
    }

private:
    /// Everything that is not about generating is the predicate's own.
    json::Members parameters() const
    {
        json::Members members;
        for (const json::Member &member : m_generator.members()) {
            if (member.first != "matches" && member.first != "predicateOperator" && member.first != "ignore" &&
                member.first != "inject")
                members.push_back(member);
        }
        return members;
    }

    /// A member by its exact name, else ignoring case unless the predicate will not.
    const json::Value *find(const json::Value &object, const std::string &name) const
    {
        if (const json::Value *exact = object.find(name))
            return exact;
        if (m_generator["keyCaseSensitive"].isTruthy() || m_generator["caseSensitive"].isTruthy())
            return nullptr;
        for (const auto &[key, value] : object.members()) {
            if (http::equalsIgnoringCase(key, name))
                return &value;
        }
        return nullptr;
    }

    /// The value without the keys that `ignored` names: a key, several, or for a key what of it.
    json::Value without(const json::Value &value, const json::Value &ignored) const
    {
        if (!value.isObject() || ignored.isNull())
            return value;
        json::Value left = value;
        const auto remove = [&](const json::Value &key) {
            if (const std::string name = nameIn(left, key.text()); !name.empty())
                left = left.withoutMember(name);
        };
        if (ignored.isString())
            remove(ignored);
        for (const json::Value &key : ignored.items())
            remove(key);
        for (const auto &[key, inner] : ignored.members()) {
            const std::string name = nameIn(left, key);
            if (name.empty())
                continue;
            if (inner.isObject() || inner.isArray() || inner.isString())
                left = left.withMember(name, without(left[name], inner));
            else if (inner.isTruthy())
                left = left.withoutMember(name);
        }
        return left;
    }

    /// The spelling of a key in `object`; empty when it is not there.
    std::string nameIn(const json::Value &object, const std::string &key) const
    {
        const json::Value *found = find(object, key);
        for (const auto &[name, value] : object.members()) {
            if (&value == found)
                return name;
        }
        return {};
    }

    /// What of a value the predicate holds: `wanted` is true, or an object that names its parts.
    Result<json::Value> take(const json::Value &value, const json::Value &wanted) const
    {
        if (m_operator == "exists")
            return wanted.isObject() ? exists(&value, wanted) : json::Value(true);
        if (!wanted.isObject())
            return selected(value);
        json::Members parts;
        for (const auto &[key, inner] : wanted.members()) {
            const json::Value *part = find(value, key);
            if (!part)
                continue; // missing stays out, as JSON leaves out what is undefined
            auto taken = take(*part, inner);
            if (!taken)
                return taken;
            parts.emplace_back(key, std::move(*taken));
        }
        return json::Value(std::move(parts));
    }

    json::Value exists(const json::Value *value, const json::Value &wanted) const
    {
        json::Members parts;
        for (const auto &[key, inner] : wanted.members()) {
            const json::Value *part = value ? find(*value, key) : nullptr;
            parts.emplace_back(key, inner.isObject() ? exists(part, inner) : json::Value(part != nullptr));
        }
        return json::Value(std::move(parts));
    }

    /// The selection of xpath or jsonpath: the one hit, an array of several, "" for none.
    Result<json::Value> selected(const json::Value &value) const
    {
        const json::Value &jsonPath = m_generator["jsonpath"];
        const json::Value &xpath = m_generator["xpath"];
        if (!jsonPath.isObject() && !xpath.isObject())
            return value;
        const auto hits = jsonPath.isObject() ? jsonHits(value, jsonPath) : xmlHits(value, xpath);
        if (!hits)
            return hits.error();
        if (hits->empty())
            return json::Value("");
        return hits->size() == 1 ? hits->front() : json::Value(*hits);
    }

    static Result<json::Array> jsonHits(const json::Value &value, const json::Value &parameter)
    {
        const auto path = compileJsonPath(parameter["selector"].text(), false);
        if (!path)
            return fail("jsonpath selector: " + path.error().message, Error::Code::BadInput);
        const auto document = parseFolded(value.text(), Casing::Exact);
        if (!document)
            return json::Array{};
        auto hits = path->select(*document);
        if (!hits)
            return fail("jsonpath selector: " + hits.error().message, Error::Code::BadInput);
        return std::move(*hits);
    }

    static Result<json::Array> xmlHits(const json::Value &value, const json::Value &parameter)
    {
        XmlNamespaces namespaces;
        for (const auto &[alias, uri] : parameter["ns"].members())
            namespaces.emplace_back(alias, uri.text());
        const auto path = XPath::compile(parameter["selector"].text(), namespaces);
        if (!path)
            return fail("xpath selector: " + path.error().message, Error::Code::BadInput);
        const auto document = XmlDocument::parse(toValidUtf8(value.text()), false);
        if (!document)
            return json::Array{};
        std::uint64_t steps = XPath::stepLimit;
        auto hits = path->select(*document, steps);
        if (!hits)
            return fail("xpath selector: " + hits.error().message, Error::Code::BadInput);
        return std::move(*hits);
    }

    const json::Value &m_generator;
    const json::Value &m_request;
    std::string m_operator;
};

} // namespace

Result<json::Value> generatePredicates(const json::Value &generators, const json::Value &request,
                                       const GeneratorScript &script)
{
    json::Array predicates;
    for (const json::Value &generator : generators.items()) {
        json::Array made;
        if (const json::Value &inject = generator["inject"]; inject.isTruthy()) {
            if (!script)
                return fail("a predicateGenerators inject needs scripts to be allowed", Error::Code::Denied);
            auto answer = script(inject.text(), request);
            if (!answer)
                return answer;
            made = answer->items();
        } else {
            auto own = Generator(generator, request).predicates();
            if (!own)
                return own.error();
            made = std::move(*own);
        }
        predicates.insert(predicates.end(), made.begin(), made.end());
    }
    return json::Value(std::move(predicates));
}

} // namespace wardbench::mock
