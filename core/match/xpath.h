#pragma once

#include "base/result.h"
#include "model/selection.h"
#include "json/value.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wardbench {

/// An XML text as XPath sees it: broken XML as far as it goes, no entities of its own, no DTD, nothing from outside.
class XmlDocument
{
public:
    /// Null when there is no element in it. `text` is valid UTF-8, whatever encoding it claims. `folded`: it is in
    /// lower case, its `<![cdata[` as well.
    static std::unique_ptr<const XmlDocument> parse(std::string_view text, bool folded);
    ~XmlDocument();

private:
    friend class XPath;
    class Private;
    explicit XmlDocument(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

/// A compiled XPath 1.0 expression (libxml2). Prefixes are those of `namespaces` alone. Any thread may ask.
class XPath
{
public:
    static constexpr std::uint64_t stepLimit = 1'000'000;

    /// Errors say where: `character 5: ...`.
    static Result<XPath> compile(const std::string &path, const XmlNamespaces &namespaces);

    /// What is selected, in document order (mountebank.md 2.6.5): a text node's or attribute's text; of an element the
    /// text of its first child, or "undefined" when that is none; or the one number, boolean or text that the
    /// expression comes to. `steps`, the operations left, is counted down; an error when they, or 100 ms, are used up.
    Result<std::vector<json::Value>> select(const XmlDocument &document, std::uint64_t &steps) const;
    /// The same from the text, where that needs no document; else nothing.
    std::optional<std::vector<json::Value>> selectPlain(std::string_view text, std::uint64_t &steps) const;

private:
    class Compiled;
    explicit XPath(std::shared_ptr<const Compiled> d) : d(std::move(d)) {}
    std::shared_ptr<const Compiled> d;
};

} // namespace wardbench
