#pragma once

#include "base/result.h"
#include "http/message.h"
#include "http/target.h"
#include "json/value.h"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wardbench {

/// The fields of a request that predicates name (reference/mountebank.md 2.2.1).
enum class Field { Method, Path, Query, Headers, Body, Form, Ip, RequestFrom, Data, Unknown };
inline constexpr std::size_t fieldCount = 9;

/// A request over tcp.
struct TcpRequest
{
    std::string data{};  ///< as it came
    bool binary = false; ///< the imposter's mode: predicates and scripts see it in base64
};

class FieldSelection;
class XmlDocument;
struct MatchContext;

/// What a predicate's caseSensitive and keyCaseSensitive come to.
enum class Casing {
    Ignored, ///< keys and values ignoring case
    Exact,
    KeysIgnored, ///< keys ignoring case, values exact; also `matches`, whose values are never folded
};
inline constexpr std::size_t casingCount = 3;

/// Whether values are compared in lower case.
inline bool foldsValues(Casing casing)
{
    return casing == Casing::Ignored;
}
inline bool foldsKeys(Casing casing)
{
    return casing != Casing::Exact;
}

/// "method", "requestFrom": the field's name in files.
std::string_view fieldName(Field field);
/// Field by its name as a predicate writes it, in any case when `casing` folds keys.
Field fieldByName(std::string_view name, Casing casing);

/// One request as predicates see it. Everything is worked out when first asked for, and once; the buffers are kept for
/// the next request. Not thread-safe: one per thread.
class RequestView
{
public:
    RequestView();
    ~RequestView();
    RequestView(const RequestView &) = delete;
    RequestView &operator=(const RequestView &) = delete;

    /// All must outlive the questions; `client` is address:port.
    void reset(const http::Request &request, std::string_view client, MatchContext *context = nullptr);
    void reset(const TcpRequest &request, std::string_view client, MatchContext *context = nullptr);

    /// A text field (not query, headers or form); null when missing, as a body that could not be decompressed.
    const std::string *text(Field field, bool folded);
    /// Values of a header, query key or form field, in order; empty when absent. `key` is folded already when keys are.
    /// The views hold until the next reset.
    void values(Field field, std::string_view key, Casing casing, std::vector<std::string_view> &into);
    /// Values in lower case of every spelling of `foldedKey`: more than `values` ever gives.
    void anySpelling(Field field, std::string_view foldedKey, std::vector<std::string_view> &into);
    /// Whether there are query, headers or form at all.
    bool hasPairs(Field field) { return pairs(field).present; }
    /// Query, headers or form as an object (repeated keys: arrays); null when there is no form.
    const json::Value *object(Field field, Casing casing);
    /// The body as JSON, or null when it is not.
    const json::Value *bodyJson(Casing casing);
    /// Canonical text (canonical.h) of that, or null.
    const std::string *bodyCanonical(Casing casing);
    /// The body, in lower case if `folded`, as XML, or null when it is not.
    const XmlDocument *bodyXml(bool folded);
    /// What a field comes to for a predicate with `except` or a selector; null when that is nothing. `selection` must
    /// outlive the questions.
    const json::Value *selected(Field field, const FieldSelection &selection);
    /// The same for the index: false instead of a failure of the match.
    bool trySelected(Field field, const FieldSelection &selection, const json::Value *&into);
    /// All of it, as scripts see it.
    const json::Value &whole();
    /// Whether an `inject` predicate says so; see `failure`.
    bool scriptHolds(const std::string &script);

    /// Why the match has to be given up; empty: it has not.
    const std::string &failure() const { return m_failure; }
    void fail(std::string why);
    /// What the selections of one request may still cost.
    std::uint64_t stepsLeft() const { return m_steps; }
    void spend(std::uint64_t steps) { m_steps -= std::min(m_steps, steps); }

private:
    /// Texts lie in the request as long as they are there as predicates see them, else in the buffers.
    struct Pair
    {
        std::string_view key, value;
        bool asciiKey = false;
        std::optional<std::string_view> foldedKey{}, foldedValue{}; // once they were asked for
        std::string keyBuffer{}, valueBuffer{}, foldedKeyBuffer{}, foldedValueBuffer{};
    };
    struct Text
    {
        bool known = false, present = false;
        const std::string *exact = nullptr, *folded = nullptr;
        std::string own, lower;
    };
    struct Pairs
    {
        bool known = false, present = false;
        std::size_t size = 0;  // the rest of `list` is kept for its buffers
        std::deque<Pair> list; // pairs stay where they are: there are views into them
    };
    struct Json
    {
        bool known = false, canonicalKnown = false, hasCanonical = false;
        std::optional<json::Value> value;
        std::string canonical;
    };

    struct SelectedKey
    {
        Field field;
        const FieldSelection *selection;
        bool operator==(const SelectedKey &other) const;
    };
    struct SelectedHash
    {
        std::size_t operator()(const SelectedKey &key) const;
    };

    void clear(std::string_view client, MatchContext *context);
    const Result<std::optional<json::Value>> &selection(Field field, const FieldSelection &selection);
    void fillText(Field field, Text &text);
    void fillBody(Text &text);
    Pairs &pairs(Field field);
    void fillHeaders(Pairs &pairs);
    void fillQuery(Pairs &pairs, std::string_view query);
    bool isForm() const;
    Pair &append(Pairs &pairs);
    static bool isKey(Pair &pair, std::string_view key, Casing casing);
    static std::string_view keyOf(Pair &pair, Casing casing);
    static std::string_view valueOf(Pair &pair, Casing casing);

    const http::Request *m_request = nullptr;
    const TcpRequest *m_tcp = nullptr; // either is null
    std::string_view m_client;
    MatchContext *m_context = nullptr;
    std::string m_failure;
    std::uint64_t m_steps = 0;
    std::array<Text, fieldCount + 1> m_texts; // the last, of Unknown, stays missing
    std::array<Pairs, 3> m_pairs;             // headers, query, form
    std::array<std::array<std::optional<json::Value>, casingCount>, 3> m_objects;
    std::array<Json, casingCount> m_bodies;
    std::array<std::optional<std::unique_ptr<const XmlDocument>>, 2> m_xml; // exact, folded
    std::unordered_map<SelectedKey, Result<std::optional<json::Value>>, SelectedHash> m_selected;
    std::optional<json::Value> m_whole;
};

/// The path as mountebank's URL parser leaves it: dot segments resolved, backslashes turned, blanks and the like
/// escaped, other escapes as sent.
std::string normalPath(std::string_view path);
/// Whether normalPath would change nothing.
bool isNormalPath(std::string_view path);

} // namespace wardbench
