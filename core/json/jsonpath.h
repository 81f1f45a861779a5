#pragma once

#include "base/result.h"
#include "json/value.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench::json {

/// A compiled JSONPath, in the dialect of mountebank (JSONPath-Plus): `$` (may be left out), `.name`, `['name']`, `*`,
/// `..`, `[n]`, `[a:b:c]`, unions `[a,b]`, filters `[?(@.x == 1)]`, script indices `[(@.length-1)]`, `^` (parent), `~`
/// (own name). What RFC 9535 adds is understood where it does not contradict: `[?@.x]`, negative indices and steps,
/// `length()`. Filters are a small safe language, not JavaScript: see JsonFilter. Any thread may ask.
class JsonPath
{
public:
    using RegexTest = std::function<bool(std::string_view)>;
    /// Makes the regular expressions of filters: `/pattern/flags`.
    using RegexFactory = std::function<Result<RegexTest>(std::string_view pattern, std::string_view flags)>;

    static constexpr std::uint64_t stepLimit = 1'000'000;

    /// Errors say where and what was expected: `character 5: expected a name after "."`. Without `regex` a filter
    /// cannot have regular expressions.
    static Result<JsonPath> compile(std::string_view text, const RegexFactory &regex = {});

    /// What the path selects, in document order (unions in their own). `steps`, the values and operations that may
    /// still be looked at, is counted down; an error when it is used up. No recursion.
    Result<std::vector<Value>> select(const Value &root, std::uint64_t &steps) const;
    Result<std::vector<Value>> select(const Value &root) const;

    const std::string &text() const { return m_text; }

private:
    friend class JsonPathParser;
    struct Segments;

    std::string m_text;
    std::shared_ptr<const Segments> m_segments;
};

} // namespace wardbench::json
