#include "match/requestview.h"

#include "http/contentcoding.h"
#include "match/canonical.h"
#include "match/fieldselection.h"
#include "match/jsvalue.h"
#include "match/requestjson.h"
#include "match/scripthost.h"
#include "match/text.h"

#include <algorithm>
#include <map>

namespace wardbench {

namespace {

// A small compressed body can stand for gigabytes; beyond this it counts as not decodable.
constexpr std::size_t decodedLimit = 64u << 20;
// For all selections of a request together, about a second's work. One alone has its own, lower limit.
constexpr std::uint64_t mostSteps = 16'000'000;

constexpr std::array<std::string_view, fieldCount> fieldNames{"method", "path", "query",       "headers", "body",
                                                              "form",   "ip",   "requestFrom", "data"};

std::size_t pairsIndex(Field field)
{
    return field == Field::Headers ? 0 : field == Field::Query ? 1 : 2;
}

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// A header value is bytes: UTF-8 where it is valid, else Latin-1. As it is, or in `into`.
std::string_view headerText(std::string_view bytes, std::string &into)
{
    if (isAscii(bytes) || toValidUtf8(bytes) == bytes)
        return bytes;
    into.clear();
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            into += c;
        } else {
            into += static_cast<char>(0xC0 | (byte >> 6));
            into += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return into;
}

} // namespace

std::string_view fieldName(Field field)
{
    return field == Field::Unknown ? std::string_view("unknown") : fieldNames[static_cast<std::size_t>(field)];
}

Field fieldByName(std::string_view name, Casing casing)
{
    for (std::size_t i = 0; i < fieldCount; ++i) {
        if (foldsKeys(casing) ? lowerCase(name) == lowerCase(fieldNames[i]) : name == fieldNames[i])
            return static_cast<Field>(i);
    }
    return Field::Unknown;
}

RequestView::RequestView() = default;
RequestView::~RequestView() = default;

void RequestView::reset(const http::Request &request, std::string_view client, MatchContext *context)
{
    m_request = &request;
    m_tcp = nullptr;
    clear(client, context);
}

void RequestView::reset(const TcpRequest &request, std::string_view client, MatchContext *context)
{
    m_request = nullptr;
    m_tcp = &request;
    clear(client, context);
}

void RequestView::clear(std::string_view client, MatchContext *context)
{
    m_client = client;
    m_context = context;
    m_failure.clear();
    m_steps = mostSteps;
    m_whole.reset();
    for (auto &document : m_xml)
        document.reset();
    if (!m_selected.empty())
        m_selected.clear();
    for (Text &text : m_texts)
        text.known = text.present = false;
    for (Pairs &pairs : m_pairs)
        pairs.known = pairs.present = false;
    for (auto &perCasing : m_objects) {
        for (auto &object : perCasing)
            object.reset();
    }
    for (Json &body : m_bodies) {
        body.known = body.canonicalKnown = false;
        body.value.reset();
    }
}

const std::string *RequestView::text(Field field, bool folded)
{
    Text &text = m_texts[static_cast<std::size_t>(field)];
    if (!text.known) {
        text.known = true;
        fillText(field, text);
        text.present = text.exact != nullptr;
        text.folded = nullptr;
    }
    if (!text.present)
        return nullptr;
    if (!folded)
        return text.exact;
    if (!text.folded) {
        text.folded = &text.lower;
        if (isLowerAscii(*text.exact))
            text.folded = text.exact;
        else if (field == Field::Data && m_tcp->binary)
            lowerAscii(*text.exact, text.lower);
        else
            lowerCase(*text.exact, text.lower);
    }
    return text.folded;
}

void RequestView::fillText(Field field, Text &text)
{
    text.exact = &text.own;
    const bool ofHttp = field == Field::Method || field == Field::Path || field == Field::Body;
    if (ofHttp ? m_request == nullptr : field == Field::Data && m_tcp == nullptr) {
        text.exact = nullptr;
        return;
    }
    switch (field) {
    case Field::Method:
        text.exact = &m_request->method;
        break;
    case Field::Path:
        if (isNormalPath(m_request->path))
            text.exact = &m_request->path;
        else
            text.own = normalPath(m_request->path);
        break;
    case Field::Body:
        fillBody(text);
        break;
    case Field::Data:
        if (m_tcp->binary || isAscii(m_tcp->data))
            text.exact = &m_tcp->data;
        else
            text.own = toValidUtf8(m_tcp->data);
        break;
    case Field::Ip:
    case Field::RequestFrom: {
        text.own.clear();
        std::copy_if(m_client.begin(), m_client.end(), std::back_inserter(text.own),
                     [](char c) { return c != '[' && c != ']'; });
        const std::size_t colon = text.own.rfind(':');
        if (field == Field::Ip && colon != std::string::npos)
            text.own.resize(colon);
        break;
    }
    default:
        text.exact = nullptr;
        break;
    }
}

void RequestView::fillBody(Text &text)
{
    const std::string *coding = m_request->headers.find("content-encoding");
    if (coding != nullptr && *coding == "br") {
        text.exact = nullptr; // no Brotli decoder: as when decompression fails
        return;
    }
    const std::string *bytes = &m_request->body;
    if (coding != nullptr && *coding == "gzip") {
        auto decoded = http::decodeContent(*coding, m_request->body, decodedLimit);
        if (!decoded) {
            text.exact = nullptr;
            return;
        }
        text.own = std::move(*decoded);
        bytes = &text.own;
    }
    if (!isAscii(*bytes)) {
        text.own = toValidUtf8(*bytes);
        bytes = &text.own;
    }
    text.exact = bytes;
}

RequestView::Pair &RequestView::append(Pairs &pairs)
{
    if (pairs.size == pairs.list.size())
        pairs.list.emplace_back();
    Pair &pair = pairs.list[pairs.size++];
    pair.foldedKey.reset();
    pair.foldedValue.reset();
    return pair;
}

RequestView::Pairs &RequestView::pairs(Field field)
{
    Pairs &pairs = m_pairs[pairsIndex(field)];
    if (pairs.known)
        return pairs;
    pairs.known = pairs.present = true;
    pairs.size = 0;
    if (m_request == nullptr) {
        pairs.present = false;
    } else if (field == Field::Headers) {
        fillHeaders(pairs);
    } else if (field == Field::Query) {
        fillQuery(pairs, m_request->query);
    } else {
        const std::string *body = isForm() ? text(Field::Body, false) : nullptr;
        pairs.present = body != nullptr && !body->empty();
        if (pairs.present)
            fillQuery(pairs, *body);
    }
    return pairs;
}

void RequestView::fillHeaders(Pairs &pairs)
{
    for (const http::Header &header : m_request->headers) {
        Pair &pair = append(pairs);
        pair.key = header.name;
        pair.asciiKey = isAscii(header.name);
        pair.value = headerText(header.value, pair.valueBuffer);
    }
}

void RequestView::fillQuery(Pairs &pairs, std::string_view query)
{
    http::forEachQueryPair(query, [&](std::string_view key, std::string_view value) {
        Pair &pair = append(pairs);
        pair.key = http::decodeQueryText(key, pair.keyBuffer);
        pair.asciiKey = isAscii(pair.key);
        pair.value = http::decodeQueryText(value, pair.valueBuffer);
    });
}

bool RequestView::isForm() const
{
    const std::string *type = m_request->headers.find("content-type");
    if (type == nullptr)
        return false;
    return trimmed(std::string_view(*type).substr(0, type->find(';'))) == "application/x-www-form-urlencoded";
}

bool RequestView::isKey(Pair &pair, std::string_view key, Casing casing)
{
    // Lower case has another size only beyond ASCII
    if (pair.key.size() != key.size() && (!foldsKeys(casing) || pair.asciiKey))
        return false;
    return keyOf(pair, casing) == key;
}

std::string_view RequestView::keyOf(Pair &pair, Casing casing)
{
    if (!foldsKeys(casing))
        return pair.key;
    if (!pair.foldedKey)
        pair.foldedKey = lowered(pair.key, pair.foldedKeyBuffer);
    return *pair.foldedKey;
}

std::string_view RequestView::valueOf(Pair &pair, Casing casing)
{
    if (!foldsValues(casing))
        return pair.value;
    if (!pair.foldedValue)
        pair.foldedValue = lowered(pair.value, pair.foldedValueBuffer);
    return *pair.foldedValue;
}

void RequestView::values(Field field, std::string_view key, Casing casing, std::vector<std::string_view> &into)
{
    into.clear();
    Pairs &all = pairs(field);
    if (!all.present)
        return;
    // An empty header gives way to the next of its name, as mountebank has it
    const auto add = [&](Pair &pair) {
        if (field == Field::Headers && into.size() == 1 && into[0].empty())
            into.clear();
        into.push_back(valueOf(pair, casing));
    };
    // mountebank keeps one property for each spelling. When keys are folded, the spelling that came up last wins.
    const Pair *winner = nullptr;
    bool severalSpellings = false;
    for (std::size_t i = 0; i < all.size; ++i) {
        Pair &pair = all.list[i];
        if (!isKey(pair, key, casing))
            continue;
        add(pair);
        if (winner == nullptr) {
            winner = &pair;
        } else if (pair.key != winner->key) {
            severalSpellings = true;
            const auto seenBefore = std::any_of(all.list.begin(), all.list.begin() + static_cast<std::ptrdiff_t>(i),
                                                [&pair](const Pair &other) { return other.key == pair.key; });
            if (!seenBefore)
                winner = &pair;
        }
    }
    if (!severalSpellings)
        return;
    into.clear();
    for (std::size_t i = 0; i < all.size; ++i) {
        if (all.list[i].key == winner->key)
            add(all.list[i]);
    }
}

void RequestView::anySpelling(Field field, std::string_view foldedKey, std::vector<std::string_view> &into)
{
    into.clear();
    Pairs &all = pairs(field);
    for (std::size_t i = 0; i < all.size; ++i) {
        if (isKey(all.list[i], foldedKey, Casing::Ignored))
            into.push_back(valueOf(all.list[i], Casing::Ignored));
    }
}

const json::Value *RequestView::object(Field field, Casing casing)
{
    Pairs &all = pairs(field);
    if (!all.present)
        return nullptr;
    std::optional<json::Value> &object = m_objects[pairsIndex(field)][static_cast<std::size_t>(casing)];
    if (object)
        return &*object;
    json::Members members;
    std::map<std::string_view, bool> done;
    std::vector<std::string_view> found;
    for (std::size_t i = 0; i < all.size; ++i) {
        const std::string_view key = keyOf(all.list[i], casing);
        if (!done.emplace(key, true).second)
            continue;
        values(field, key, casing, found);
        if (found.size() == 1) {
            members.emplace_back(key, json::Value(found[0]));
            continue;
        }
        json::Array items;
        for (const std::string_view value : found)
            items.emplace_back(value);
        members.emplace_back(key, json::Value(std::move(items)));
    }
    object = json::Value(std::move(members));
    return &*object;
}

const json::Value *RequestView::bodyJson(Casing casing)
{
    Json &body = m_bodies[static_cast<std::size_t>(casing)];
    if (!body.known) {
        body.known = true;
        if (const std::string *source = text(Field::Body, foldsValues(casing)))
            body.value = parseFolded(*source, casing);
    }
    return body.value ? &*body.value : nullptr;
}

const std::string *RequestView::bodyCanonical(Casing casing)
{
    Json &body = m_bodies[static_cast<std::size_t>(casing)];
    if (!body.canonicalKnown) {
        body.canonicalKnown = true;
        const std::string *source = text(Field::Body, foldsValues(casing));
        body.hasCanonical = source != nullptr && canonicalPlain(*source, casing, body.canonical);
        if (!body.hasCanonical) {
            const json::Value *value = bodyJson(casing);
            body.hasCanonical = value != nullptr;
            if (value != nullptr)
                body.canonical = canonicalJson(*value);
        }
    }
    return body.hasCanonical ? &body.canonical : nullptr;
}

const XmlDocument *RequestView::bodyXml(bool folded)
{
    auto &document = m_xml[folded ? 1 : 0];
    if (!document) {
        const std::string *source = text(Field::Body, folded);
        document = source ? XmlDocument::parse(*source, folded) : nullptr;
    }
    return document->get();
}

const Result<std::optional<json::Value>> &RequestView::selection(Field field, const FieldSelection &selection)
{
    const auto found = m_selected.find({field, &selection});
    if (found != m_selected.end())
        return found->second;
    const bool members = field == Field::Headers || field == Field::Query || field == Field::Form;
    return m_selected
        .emplace(SelectedKey{field, &selection},
                 members ? selection.selectMembers(*this, field) : selection.select(*this, field))
        .first->second;
}

const json::Value *RequestView::selected(Field field, const FieldSelection &selection)
{
    const auto &selected = this->selection(field, selection);
    if (!selected)
        fail(selected.error().message);
    return selected && *selected ? &**selected : nullptr;
}

bool RequestView::trySelected(Field field, const FieldSelection &selection, const json::Value *&into)
{
    const auto &selected = this->selection(field, selection);
    into = selected && *selected ? &**selected : nullptr;
    return static_cast<bool>(selected);
}

bool RequestView::SelectedKey::operator==(const SelectedKey &other) const
{
    return field == other.field && (selection == other.selection || selection->key() == other.selection->key());
}

std::size_t RequestView::SelectedHash::operator()(const SelectedKey &key) const
{
    return key.selection->hash() ^ static_cast<std::size_t>(key.field);
}

const json::Value &RequestView::whole()
{
    if (m_context && m_context->whole)
        return *m_context->whole;
    if (!m_whole)
        m_whole = m_tcp ? requestJson(*m_tcp, m_client) : requestJson(*m_request, m_client);
    return *m_whole;
}

bool RequestView::scriptHolds(const std::string &script)
{
    if (!m_failure.empty())
        return false;
    if (m_context == nullptr || m_context->scripts == nullptr) {
        fail("an inject predicate cannot be asked here: no scripts run");
        return false;
    }
    const Result<bool> answer = m_context->scripts->holds(script, whole());
    if (answer)
        return *answer;
    m_context->scriptFailed = true;
    fail(answer.error().message);
    return false;
}

void RequestView::fail(std::string why)
{
    if (!m_failure.empty())
        return;
    m_failure = why.empty() ? "unknown failure" : std::move(why);
    if (m_context)
        m_context->failure = m_failure;
}

} // namespace wardbench
