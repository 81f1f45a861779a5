#include "match/xpath.h"

#include "match/plainxpath.h"

#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>

namespace wardbench {

namespace {

// A parser keeps every name it has seen; after so many bytes a new one begins.
constexpr std::size_t parserLife = 1u << 20;
// Shorter texts are not worth the numbering of their elements, which makes sorting hits fast.
constexpr std::size_t shortText = 4096;
// libxml2 joins the hits of several context nodes by comparing each with each, and does not count that. An expression
// that makes it do so is tried with few steps first, then with twice as many, as long as it is quick; and not at all
// on documents of more elements.
constexpr std::uint64_t firstSteps = 4000;
constexpr std::chrono::milliseconds quick{20};
constexpr long mostJoined = 5000;

template <auto free>
struct Free
{
    void operator()(auto *pointer) const { free(pointer); }
};
using Parser = std::unique_ptr<xmlParserCtxt, Free<xmlFreeParserCtxt>>;
using Document = std::unique_ptr<xmlDoc, Free<xmlFreeDoc>>;
using Expression = std::unique_ptr<xmlXPathCompExpr, Free<xmlXPathFreeCompExpr>>;
using Object = std::unique_ptr<xmlXPathObject, Free<xmlXPathFreeObject>>;

void initialize()
{
    static std::once_flag once;
    std::call_once(once, xmlInitParser);
}

const xmlChar *xml(const std::string &text)
{
    return reinterpret_cast<const xmlChar *>(text.c_str());
}

std::string_view view(const xmlChar *text)
{
    return text ? std::string_view(reinterpret_cast<const char *>(text)) : std::string_view();
}

/// Puts back what must be in capitals, or it is no markup.
void restoreMarkup(std::string &text)
{
    static constexpr std::pair<std::string_view, std::string_view> words[] = {{"<![cdata[", "<![CDATA["},
                                                                              {"<!doctype", "<!DOCTYPE"}};
    for (const auto &[lower, upper] : words) {
        for (std::size_t at = text.find(lower); at != std::string::npos; at = text.find(lower, at + 1))
            text.replace(at, upper.size(), upper);
    }
}

/// One for each thread. References to entities that a text declares itself stay what they are.
xmlParserCtxt *parserFor(std::size_t bytes)
{
    static thread_local Parser parser;
    static thread_local std::size_t left = 0;
    if (!parser || left < bytes) {
        parser.reset(xmlNewParserCtxt());
        parser->sax->entityDecl = nullptr;
        left = std::max(parserLife, bytes);
    }
    left -= bytes;
    return parser.get();
}

/// Keeps the last error of a context instead of printing it.
void keepError(void *code, xmlErrorPtr error)
{
    *static_cast<int *>(code) = error->code - static_cast<int>(XML_XPATH_EXPRESSION_OK); // an xmlXPathError
}

/// Some faults libxml2 prints, whoever asked it not to.
void ignoreError(void *, const char *, ...) {}

/// Where expressions are compiled and evaluated, one for each thread.
class Context
{
public:
    Context() : m_context(xmlXPathNewContext(nullptr))
    {
        xmlXPathContextSetCache(m_context.get(), 1, -1, 0);
        xmlSetGenericErrorFunc(nullptr, ignoreError); // of this thread
        m_context->error = keepError;
        m_context->userData = &m_error;
    }

    static Context &ofThread()
    {
        initialize();
        static thread_local Context context;
        return context;
    }

    Expression compile(const std::string &path)
    {
        m_error = 0;
        return Expression(xmlXPathCtxtCompile(m_context.get(), xml(path)));
    }

    /// `steps` is counted down.
    Object evaluate(xmlXPathCompExpr *expression, const XmlNamespaces &namespaces, xmlDoc *document,
                    std::uint64_t &steps)
    {
        m_error = 0;
        for (const auto &[prefix, uri] : namespaces)
            xmlXPathRegisterNs(m_context.get(), xml(prefix), xml(uri));
        m_context->doc = document;
        m_context->node = reinterpret_cast<xmlNode *>(document);
        m_context->opLimit = steps;
        m_context->opCount = 0;
        Object result(xmlXPathCompiledEval(expression, m_context.get()));
        steps -= std::min<std::uint64_t>(steps, m_context->opCount);
        if (m_error == XPATH_OP_LIMIT_EXCEEDED)
            steps = 0;
        if (!namespaces.empty())
            xmlXPathRegisteredNsCleanup(m_context.get());
        m_context->doc = nullptr;
        m_context->node = nullptr;
        return result;
    }

    int error() const { return m_error; }
    int errorPlace() const { return m_context->lastError.int1; }

private:
    std::unique_ptr<xmlXPathContext, Free<xmlXPathFreeContext>> m_context;
    int m_error = 0;
};

/// Whether libxml2 may have to join the hits of several context nodes: steps down or up that do not begin at the root,
/// and unions. Rather too often than too rarely.
bool joinsHits(std::string_view path)
{
    if (path.find('|') != std::string_view::npos || path.find("..") != std::string_view::npos ||
        path.find("::") != std::string_view::npos)
        return true;
    static constexpr std::string_view beginnings = "([,=<>+-";
    for (std::size_t at = path.find("//"); at != std::string_view::npos; at = path.find("//", at + 2)) {
        const std::size_t before = at == 0 ? at : path.find_last_not_of(" \t\r\n", at - 1);
        if (at > 0 && before != std::string_view::npos && beginnings.find(path[before]) == std::string_view::npos)
            return true;
    }
    return false;
}

std::string errorWords(int code)
{
    switch (code) {
    case XPATH_UNFINISHED_LITERAL_ERROR:
    case XPATH_START_LITERAL_ERROR:
        return "this text is never closed";
    case XPATH_VARIABLE_REF_ERROR:
    case XPATH_UNDEF_VARIABLE_ERROR:
        return "there are no variables here";
    case XPATH_INVALID_PREDICATE_ERROR:
    case XPATH_UNCLOSED_ERROR:
        return "a predicate or parenthesis is not closed";
    case XPATH_UNKNOWN_FUNC_ERROR:
        return "a function is unknown; expected one of XPath 1.0";
    case XPATH_INVALID_ARITY:
        return "a function has the wrong number of arguments";
    case XPATH_INVALID_TYPE:
    case XPATH_INVALID_OPERAND:
        return "a function or operator does not take this kind of value";
    case XPATH_RECURSION_LIMIT_EXCEEDED:
        return "it is nested too deep";
    default:
        return "expected an XPath 1.0 expression, such as //item/title";
    }
}

std::string_view textOf(const xmlNode *node)
{
    static constexpr std::string_view noText = "undefined"; // mountebank's word: the node is there
    switch (node->type) {
    case XML_TEXT_NODE:
    case XML_CDATA_SECTION_NODE:
    case XML_COMMENT_NODE:
    case XML_PI_NODE:
        return view(node->content);
    default:
        return noText;
    }
}

json::Value valueOf(xmlNode *node)
{
    if (node->type == XML_NAMESPACE_DECL)
        return json::Value(view(reinterpret_cast<const xmlNs *>(node)->href));
    if (node->type == XML_ATTRIBUTE_NODE) {
        const std::unique_ptr<xmlChar, Free<[](xmlChar *text) {
                                  xmlFree(text);
                              }>>
            text(xmlNodeGetContent(node));
        return json::Value(view(text.get()));
    }
    const bool parent = node->type == XML_ELEMENT_NODE || node->type == XML_DOCUMENT_NODE;
    return json::Value(textOf(parent && node->children ? node->children : node));
}

} // namespace

class XmlDocument::Private
{
public:
    explicit Private(xmlDoc *document) : document(document) {}
    const Document document;
    long elements = 0; ///< of a document that is not short
};

XmlDocument::XmlDocument(std::unique_ptr<Private> d) : d(std::move(d)) {}
XmlDocument::~XmlDocument() = default;

std::unique_ptr<const XmlDocument> XmlDocument::parse(std::string_view text, bool folded)
{
    const std::size_t begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (begin == std::string_view::npos || text[begin] != '<' || text.size() > INT32_MAX)
        return nullptr;
    text.remove_prefix(begin);
    initialize();
    std::string restored;
    if (folded && text.find("<!") != std::string_view::npos) {
        restored = text;
        restoreMarkup(restored);
        text = restored;
    }
    constexpr int options = XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                            XML_PARSE_IGNORE_ENC | XML_PARSE_COMPACT;
    auto made = std::make_unique<Private>(xmlCtxtReadMemory(parserFor(text.size()), text.data(),
                                                            static_cast<int>(text.size()), nullptr, nullptr, options));
    if (!made->document || !xmlDocGetRootElement(made->document.get()))
        return nullptr;
    if (text.size() > shortText)
        made->elements = xmlXPathOrderDocElems(made->document.get());
    return std::unique_ptr<const XmlDocument>(new XmlDocument(std::move(made)));
}

/// libxml2 notes in an expression what it found out while evaluating it, so only one thread at a time may have it:
/// `m_idle` goes to the thread that asks first, others compile their own, and the last one given back stays.
class XPath::Compiled
{
public:
    /// libxml2 has a second way for simple paths, whose work is not bounded; it does not take parentheses.
    Compiled(const std::string &path, XmlNamespaces namespaces)
        : path("(" + path + ")"), namespaces(std::move(namespaces)), joins(joinsHits(path)),
          plain(PlainXPath::parse(path))
    {
    }
    ~Compiled() { const Expression last(m_idle.load()); }
    Compiled(const Compiled &) = delete;
    Compiled &operator=(const Compiled &) = delete;

    Expression take() const
    {
        Expression idle(m_idle.exchange(nullptr, std::memory_order_acquire));
        return idle ? std::move(idle) : Context::ofThread().compile(path);
    }
    /// With few steps first; `steps` is 0 when it takes too long.
    Object tried(xmlXPathCompExpr *expression, const XmlDocument::Private &document, std::uint64_t &steps) const
    {
        using Clock = std::chrono::steady_clock;
        for (std::uint64_t allowed = firstSteps; document.elements <= mostJoined; allowed *= 2) {
            std::uint64_t left = std::min(allowed, steps);
            const std::uint64_t before = left;
            const auto begun = Clock::now();
            Object result = Context::ofThread().evaluate(expression, namespaces, document.document.get(), left);
            if (left > 0) {
                steps -= before - left;
                return result;
            }
            if (before == steps || Clock::now() - begun > quick)
                break;
        }
        steps = 0;
        return nullptr;
    }
    void giveBack(Expression expression) const
    {
        const Expression other(m_idle.exchange(expression.release(), std::memory_order_acq_rel));
    }

    const std::string path;
    const XmlNamespaces namespaces;
    const bool joins;
    const std::optional<PlainXPath> plain;

private:
    mutable std::atomic<xmlXPathCompExpr *> m_idle{nullptr};
};

Result<XPath> XPath::compile(const std::string &path, const XmlNamespaces &namespaces)
{
    Context &context = Context::ofThread();
    Expression expression = path.find('\0') == std::string::npos ? context.compile(path) : nullptr;
    if (!expression)
        return fail("character " + std::to_string(context.errorPlace() + 1) + ": " + errorWords(context.error()),
                    Error::Code::BadInput);
    // Functions are looked up when they are called.
    static const std::string empty = "<a/>";
    const auto document = XmlDocument::parse(empty, false);
    std::uint64_t steps = stepLimit;
    const Object result = context.evaluate(expression.get(), namespaces, document->d->document.get(), steps);
    if (!result && context.error() != XPATH_UNDEF_PREFIX_ERROR && context.error() != XPATH_EXPRESSION_OK)
        return fail(errorWords(context.error()), Error::Code::BadInput);
    return XPath(std::make_shared<const Compiled>(path, namespaces));
}

std::optional<std::vector<json::Value>> XPath::selectPlain(std::string_view text, std::uint64_t &steps) const
{
    return d->plain ? d->plain->select(text, steps) : std::nullopt;
}

Result<std::vector<json::Value>> XPath::select(const XmlDocument &document, std::uint64_t &steps) const
{
    std::vector<json::Value> found;
    Expression expression = d->take();
    if (!expression)
        return found;
    const Object result =
        d->joins ? d->tried(expression.get(), *document.d, steps)
                 : Context::ofThread().evaluate(expression.get(), d->namespaces, document.d->document.get(), steps);
    d->giveBack(std::move(expression));
    if (steps == 0)
        return fail("the selection was given up: too many steps", Error::Code::TooLarge);
    if (!result)
        return found;
    switch (result->type) {
    case XPATH_NODESET:
        for (int i = 0; result->nodesetval && i < result->nodesetval->nodeNr; ++i)
            found.push_back(valueOf(result->nodesetval->nodeTab[i]));
        break;
    case XPATH_BOOLEAN:
        found.emplace_back(result->boolval != 0);
        break;
    case XPATH_NUMBER:
        found.emplace_back(result->floatval);
        break;
    case XPATH_STRING:
        found.emplace_back(view(result->stringval));
        break;
    default:
        break;
    }
    return found;
}

} // namespace wardbench
