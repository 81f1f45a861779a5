#pragma once

#include "http/message.h"
#include "http/target.h"
#include "json/value.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

/// The fields of a request that predicates name (reference/mountebank.md 2.2.1).
enum class Field { Method, Path, Query, Headers, Body, Form, Ip, RequestFrom, Unknown };
inline constexpr std::size_t fieldCount = 8;

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
    RequestView() = default;
    RequestView(const RequestView &) = delete;
    RequestView &operator=(const RequestView &) = delete;

    /// `request` and `client` (address:port) must outlive the questions.
    void reset(const http::Request &request, std::string_view client);

    /// A text field (not query, headers or form); null when missing, as a body that could not be decompressed.
    const std::string *text(Field field, bool folded);
    /// Values of a header, query key or form field, in order; empty when absent. `key` is folded already when keys are.
    /// The views hold until the next reset.
    void values(Field field, std::string_view key, Casing casing, std::vector<std::string_view> &into);
    /// Values in lower case of every spelling of `foldedKey`: more than `values` ever gives.
    void anySpelling(Field field, std::string_view foldedKey, std::vector<std::string_view> &into);
    /// Query, headers or form as an object (repeated keys: arrays); null when there is no form.
    const json::Value *object(Field field, Casing casing);
    /// The body as JSON, or null when it is not.
    const json::Value *bodyJson(Casing casing);
    /// Canonical text (canonicalJson) of that, or null.
    const std::string *bodyCanonical(Casing casing);

private:
    struct Pair
    {
        std::string key, value; // as sent
        std::string foldedKey, foldedValue;
        bool valueFolded = false;
    };
    struct Text
    {
        bool known = false, present = false, folded = false;
        const std::string *exact = nullptr;
        std::string own, lower;
    };
    struct Pairs
    {
        bool known = false, present = false;
        std::size_t size = 0; // the rest of `list` is kept for its buffers
        std::vector<Pair> list;
    };
    struct Json
    {
        bool known = false, canonicalKnown = false;
        std::optional<json::Value> value;
        std::string canonical;
    };

    const Text &exactText(Field field);
    void fillText(Field field, Text &text);
    void fillBody(Text &text);
    Pairs &pairs(Field field);
    void fillHeaders(Pairs &pairs);
    void fillQuery(Pairs &pairs, std::string_view query);
    bool isForm() const;
    Pair &append(Pairs &pairs);
    static std::string_view valueOf(Pair &pair, Casing casing);

    const http::Request *m_request = nullptr;
    std::string_view m_client;
    std::array<Text, fieldCount + 1> m_texts; // the last, of Unknown, stays missing
    std::array<Pairs, 3> m_pairs;             // headers, query, form
    std::array<std::array<std::optional<json::Value>, casingCount>, 3> m_objects;
    std::array<Json, casingCount> m_bodies;
};

/// The path as mountebank's URL parser leaves it: dot segments resolved, backslashes turned, blanks and the like
/// escaped, other escapes as sent.
std::string normalPath(std::string_view path);
/// Whether normalPath would change nothing.
bool isNormalPath(std::string_view path);

} // namespace wardbench
