#pragma once

#include "match/jspattern.h"
#include "match/requestview.h"
#include "match/xpath.h"
#include "model/predicate.h"
#include "json/jsonpath.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace wardbench {

/// What a predicate does to a text of the request before it compares: takes out what `except` finds, then selects with
/// `xpath` or `jsonpath` (mountebank.md 2.6.2). The text is in lower case already when `casing` folds values.
/// Immutable, any thread may ask.
class FieldSelection
{
public:
    /// Null when the predicate compares its fields as they are. `problem` gets what is wrong with a pattern or
    /// selector.
    static std::shared_ptr<const FieldSelection> compile(const Predicate &predicate, Casing casing,
                                                         std::string &problem);
    /// The same of one member of a request that is JSON, as which it stands in the body; never null.
    static std::shared_ptr<const FieldSelection> ofMember(const std::string &member, const Predicate &predicate,
                                                          Casing casing, std::string &problem);

    /// The same for selections that select the same.
    const std::string &key() const { return m_key; }
    std::size_t hash() const { return m_hash; }
    Casing casing() const { return m_casing; }
    bool selects() const { return m_jsonPath || m_xpath; }

    using Selected = Result<std::optional<json::Value>>;
    /// What a text field comes to: the rest of its text, or what is selected: one hit as it is, several as an array,
    /// none as nothing. An error when it takes too many steps.
    Selected select(RequestView &request, Field field) const;
    /// Query, headers or form: an object of what its values come to.
    Selected selectMembers(RequestView &request, Field field) const;

    /// The text without what `except` finds; all the texts within a value.
    std::string rest(std::string_view text) const;
    json::Value restOf(const json::Value &value) const;

    /// How a person sees it: "$.order.id", "//title, except \d+".
    const std::string &shown() const { return m_shown; }

private:
    FieldSelection() = default;
    void prepare(const Predicate &predicate, std::string &problem);
    Selected selectMember(RequestView &request) const;
    Selected selectFrom(RequestView &request, const std::string &text) const;
    Selected jsonHits(RequestView &request, const json::Value *document) const;
    Selected xmlHits(RequestView &request, std::string_view text,
                     const std::function<const XmlDocument *()> &parse) const;
    Selected hits(Result<std::vector<json::Value>> found) const;

    std::string m_key, m_shown;
    std::size_t m_hash = 0;
    Casing m_casing = Casing::Ignored;
    std::optional<JsPattern> m_except;
    std::optional<json::JsonPath> m_jsonPath;
    std::optional<XPath> m_xpath;
    std::optional<std::string> m_member; ///< folded when keys are
};

/// Compiles a JSONPath whose filters have JavaScript's regular expressions.
Result<json::JsonPath> compileJsonPath(std::string_view text, bool ignoreCase);

} // namespace wardbench
