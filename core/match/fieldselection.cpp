#include "match/fieldselection.h"

#include "match/jsvalue.h"
#include "match/text.h"
#include "json/writer.h"

namespace wardbench {

namespace {

const std::optional<json::Value> nothing;

std::string keyOf(const Predicate &predicate, Casing casing)
{
    const Selector &selector = predicate.selector;
    std::string key = std::to_string(static_cast<int>(casing)) + (predicate.caseSensitive ? "e" : "i") +
                      std::to_string(static_cast<int>(selector.kind)) + json::quoted(predicate.except) +
                      json::quoted(selector.path);
    for (const auto &[prefix, uri] : selector.namespaces)
        key += json::quoted(prefix) + json::quoted(uri);
    return key;
}

std::string shownText(const Predicate &predicate)
{
    std::string shown = predicate.selector.path;
    if (!predicate.except.empty())
        shown += (shown.empty() ? "except " : ", except ") + predicate.except;
    return shown;
}

std::string quotedShort(std::string_view text)
{
    return "\"" + shortened(text, 60) + "\"";
}

} // namespace

Result<json::JsonPath> compileJsonPath(std::string_view text, bool ignoreCase)
{
    return json::JsonPath::compile(
        text, [ignoreCase](std::string_view pattern, std::string_view flags) -> Result<json::JsonPath::RegexTest> {
            const auto made = JsPattern::parse(pattern, std::string(flags) + (ignoreCase ? "i" : ""));
            if (!made)
                return made.error();
            return json::JsonPath::RegexTest(
                [made = *made](std::string_view subject) { return made.matches(subject); });
        });
}

std::shared_ptr<const FieldSelection> FieldSelection::compile(const Predicate &predicate, Casing casing,
                                                              std::string &problem)
{
    if (predicate.except.empty() && predicate.selector.kind == Selector::Kind::None)
        return nullptr;
    const std::shared_ptr<FieldSelection> made(new FieldSelection);
    made->m_casing = casing;
    made->m_key = keyOf(predicate, casing);
    made->m_shown = shownText(predicate);
    made->prepare(predicate, problem);
    return made;
}

std::shared_ptr<const FieldSelection> FieldSelection::ofMember(const std::string &member, const Predicate &predicate,
                                                               Casing casing, std::string &problem)
{
    const std::shared_ptr<FieldSelection> made(new FieldSelection);
    made->m_casing = casing;
    made->m_member = foldsKeys(casing) ? lowerCase(member) : member;
    made->m_key = keyOf(predicate, casing) + json::quoted(*made->m_member);
    const std::string shown = shownText(predicate);
    made->m_shown = member + (shown.empty() ? "" : ", " + shown);
    made->prepare(predicate, problem);
    return made;
}

void FieldSelection::prepare(const Predicate &predicate, std::string &problem)
{
    const Selector &selector = predicate.selector;
    m_hash = std::hash<std::string>()(m_key);
    const auto keep = [&problem](auto &into, auto compiled, std::string_view text, std::string_view kind) {
        if (compiled)
            into = std::move(*compiled);
        else if (problem.empty())
            problem = quotedShort(text) + " is " + std::string(kind) + ": " + compiled.error().message;
    };
    if (!predicate.except.empty())
        keep(m_except, JsPattern::parse(predicate.except, predicate.caseSensitive ? "" : "i"), predicate.except,
             "not a regular expression");
    if (selector.kind == Selector::Kind::JsonPath) {
        const std::string path = foldsKeys(m_casing) ? lowerCase(selector.path) : selector.path;
        keep(m_jsonPath, compileJsonPath(path, foldsKeys(m_casing)), selector.path, "not a JSONPath");
    } else if (selector.kind == Selector::Kind::XPath) {
        XmlNamespaces namespaces = selector.namespaces;
        if (foldsValues(m_casing)) {
            for (auto &[prefix, uri] : namespaces) {
                prefix = lowerCase(prefix);
                uri = lowerCase(uri);
            }
        }
        const std::string path = foldsValues(m_casing) ? lowerCase(selector.path) : selector.path;
        keep(m_xpath, XPath::compile(path, namespaces), selector.path, "not an XPath");
    }
}

std::string FieldSelection::rest(std::string_view text) const
{
    return m_except ? m_except->without(text) : std::string(text);
}

json::Value FieldSelection::restOf(const json::Value &value) const
{
    if (!m_except)
        return value;
    if (value.isString())
        return json::Value(rest(value.text()));
    if (value.isArray()) {
        json::Array items;
        for (const json::Value &item : value.items())
            items.push_back(restOf(item));
        return json::Value(std::move(items));
    }
    if (!value.isObject())
        return value;
    json::Members members;
    for (const auto &[name, member] : value.members())
        members.emplace_back(name, restOf(member));
    return json::Value(std::move(members));
}

FieldSelection::Selected FieldSelection::select(RequestView &request, Field field) const
{
    if (m_member)
        return selectMember(request);
    const std::string *text = request.text(field, foldsValues(m_casing));
    if (text == nullptr)
        return nothing;
    // The body's documents are shared by all selections of a request.
    if (field == Field::Body && !m_except) {
        if (m_jsonPath)
            return jsonHits(request, request.bodyJson(m_casing));
        if (m_xpath)
            return xmlHits(request, *text, [&] { return request.bodyXml(foldsValues(m_casing)); });
    }
    return selectFrom(request, rest(*text));
}

FieldSelection::Selected FieldSelection::selectMember(RequestView &request) const
{
    const json::Value *whole = request.bodyJson(m_casing);
    const json::Value *value = whole ? whole->find(*m_member) : nullptr;
    if (value == nullptr)
        return nothing;
    if (value->isString())
        return selectFrom(request, rest(value->text()));
    return selects() ? nothing : std::optional(restOf(*value)); // selectors are for documents in texts
}

FieldSelection::Selected FieldSelection::selectMembers(RequestView &request, Field field) const
{
    const json::Value *object = request.object(field, m_casing);
    if (object == nullptr)
        return nothing;
    json::Members members;
    for (const auto &[name, value] : object->members()) {
        json::Array found;
        for (const json::Value &item : value.isArray() ? value.items() : json::Array{value}) {
            Selected selected = selectFrom(request, rest(item.text()));
            if (!selected)
                return selected;
            if (*selected)
                found.push_back(std::move(**selected));
        }
        if (value.isArray() && !found.empty())
            members.emplace_back(name, json::Value(std::move(found)));
        else if (!found.empty())
            members.emplace_back(name, std::move(found.front()));
    }
    return std::optional(json::Value(std::move(members)));
}

/// `text` is what `except` left.
FieldSelection::Selected FieldSelection::selectFrom(RequestView &request, const std::string &text) const
{
    if (m_jsonPath) {
        auto document = parseFolded(text, m_casing);
        if (document)
            document = restOf(*document);
        return jsonHits(request, document ? &*document : nullptr);
    }
    std::unique_ptr<const XmlDocument> document;
    if (m_xpath) {
        return xmlHits(request, text, [&] {
            document = XmlDocument::parse(text, foldsValues(m_casing));
            return document.get();
        });
    }
    return std::optional(json::Value(text));
}

FieldSelection::Selected FieldSelection::jsonHits(RequestView &request, const json::Value *document) const
{
    if (document == nullptr)
        return nothing;
    std::uint64_t steps = std::min(request.stepsLeft(), json::JsonPath::stepLimit);
    const std::uint64_t before = steps;
    auto found = m_jsonPath->select(*document, steps);
    request.spend(before - steps);
    return hits(std::move(found));
}

/// `parse` gives the text's document, where one is needed.
FieldSelection::Selected FieldSelection::xmlHits(RequestView &request, std::string_view text,
                                                 const std::function<const XmlDocument *()> &parse) const
{
    std::uint64_t steps = std::min(request.stepsLeft(), XPath::stepLimit);
    const std::uint64_t before = steps;
    if (auto found = m_xpath->selectPlain(text, steps)) {
        request.spend(before - steps);
        return hits(std::move(*found));
    }
    const XmlDocument *document = parse();
    if (document == nullptr)
        return nothing;
    auto found = m_xpath->select(*document, steps);
    request.spend(before - steps);
    return hits(std::move(found));
}

FieldSelection::Selected FieldSelection::hits(Result<std::vector<json::Value>> found) const
{
    if (!found)
        return fail("the selection " + quotedShort(m_shown) + " was given up: it takes too many steps");
    if (found->empty())
        return nothing;
    if (found->size() == 1)
        return std::optional(std::move(found->front()));
    return std::optional(json::Value(json::Array(std::move(*found))));
}

} // namespace wardbench
