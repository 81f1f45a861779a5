#include "exchange/xmltree.h"

#include "base/markup.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>

#include <algorithm>
#include <memory>
#include <mutex>

namespace wardbench::exchange {
namespace {

constexpr std::size_t pieceSize = 64u << 10;

struct FreeParser
{
    void operator()(xmlParserCtxt *parser) const { xmlFreeParserCtxt(parser); }
};
using Parser = std::unique_ptr<xmlParserCtxt, FreeParser>;

std::string_view view(const xmlChar *text)
{
    return text ? std::string_view(reinterpret_cast<const char *>(text)) : std::string_view();
}

std::string joined(std::string_view prefix, std::string_view name)
{
    return prefix.empty() ? std::string(name) : std::string(prefix) + ':' + std::string(name);
}

std::string joined(std::string_view prefix, const xmlChar *name)
{
    return joined(prefix, view(name));
}

std::string joined(const xmlChar *prefix, const xmlChar *name)
{
    return joined(view(prefix), view(name));
}

/// Builds the tree as the parser reports it, and stops the parser at what is refused.
class Builder
{
public:
    explicit Builder(const XmlLimits &limits) : m_limits(limits), m_end(std::chrono::steady_clock::now() + limits.time)
    {
    }

    Result<XmlElement> build(std::string_view text);

private:
    static Builder &of(void *self) { return *static_cast<Builder *>(self); }
    static xmlSAXHandler handler();

    void start(std::string name);
    void attribute(std::string name, std::string_view value);
    void end()
    {
        if (m_refused.empty())
            m_open.pop_back();
    }
    void characters(std::string_view text)
    {
        if (m_refused.empty())
            m_open.back()->text += text;
    }
    void refuse(std::string message);
    std::string place() const;
    Error parserError() const;
    bool fits(std::string_view name);

    const XmlLimits &m_limits;
    const std::chrono::steady_clock::time_point m_end;
    Parser m_parser;
    XmlElement m_root;
    std::vector<XmlElement *> m_open; ///< an open element's siblings after it do not exist yet: pointers stay good
    std::size_t m_elements = 0;
    std::string m_refused;
};

xmlSAXHandler Builder::handler()
{
    xmlSAXHandler sax{};
    sax.initialized = XML_SAX2_MAGIC;
    sax.startElementNs = [](void *self, const xmlChar *name, const xmlChar *prefix, const xmlChar *, int namespaces,
                            const xmlChar **declared, int attributes, int, const xmlChar **values) {
        of(self).start(joined(prefix, name));
        for (int i = 0; i < namespaces; ++i)
            of(self).attribute(declared[2 * i] ? joined("xmlns", declared[2 * i]) : "xmlns", view(declared[2 * i + 1]));
        for (int i = 0; i < attributes; ++i, values += 5) // name, prefix, URI, value, its end
            of(self).attribute(joined(values[1], values[0]), {reinterpret_cast<const char *>(values[3]),
                                                              static_cast<std::size_t>(values[4] - values[3])});
    };
    sax.endElementNs = [](void *self, const xmlChar *, const xmlChar *, const xmlChar *) {
        of(self).end();
    };
    sax.characters = [](void *self, const xmlChar *text, int length) {
        of(self).characters({reinterpret_cast<const char *>(text), static_cast<std::size_t>(length)});
    };
    sax.cdataBlock = sax.characters;
    sax.internalSubset = [](void *self, const xmlChar *, const xmlChar *, const xmlChar *) {
        of(self).refuse("a document type is declared; expected a file without <!DOCTYPE and entities");
    };
    return sax;
}

Result<XmlElement> Builder::build(std::string_view text)
{
    static std::once_flag once;
    std::call_once(once, xmlInitParser);
    xmlSAXHandler sax = handler();
    m_parser.reset(xmlCreatePushParserCtxt(&sax, this, nullptr, 0, nullptr));
    // There are no entities but XML's own five (see internalSubset): without NOENT `&amp;` would stay in attributes.
    xmlCtxtUseOptions(m_parser.get(), XML_PARSE_NONET | XML_PARSE_NOENT);
    for (std::size_t at = 0; at < text.size() && m_refused.empty(); at += pieceSize) {
        const std::string_view piece = text.substr(at, pieceSize);
        if (xmlParseChunk(m_parser.get(), piece.data(), static_cast<int>(piece.size()), 0) != 0)
            break;
        if (std::chrono::steady_clock::now() > m_end)
            refuse("reading takes more than " + std::to_string(m_limits.time.count()) + " ms; expected a smaller file");
    }
    if (m_refused.empty())
        xmlParseChunk(m_parser.get(), nullptr, 0, 1);
    if (!m_refused.empty())
        return fail(m_refused, Error::Code::BadInput);
    if (!m_parser->wellFormed)
        return parserError();
    return std::move(m_root);
}

std::string Builder::place() const
{
    return "line " + std::to_string(xmlSAX2GetLineNumber(m_parser.get())) + ", column " +
           std::to_string(xmlSAX2GetColumnNumber(m_parser.get())) + ": ";
}

void Builder::refuse(std::string message)
{
    if (m_refused.empty())
        m_refused = place() + std::move(message);
    xmlStopParser(m_parser.get());
}

Error Builder::parserError() const
{
    const xmlError *error = xmlCtxtGetLastError(m_parser.get());
    std::string message = error && error->message ? error->message : "no element";
    while (!message.empty() && (message.back() == '\n' || message.back() == ' '))
        message.pop_back();
    // The message may quote the bytes it complains about: only what a terminal can show.
    std::replace_if(
        message.begin(), message.end(), [](char c) { return c < ' ' || c > '~'; }, ' ');
    const int line = error ? error->line : 0, column = error ? error->int2 : 0;
    return fail("line " + std::to_string(std::max(line, 1)) + ", column " + std::to_string(std::max(column, 1)) +
                    ": not well-formed XML: " + message,
                Error::Code::BadInput);
}

bool Builder::fits(std::string_view name)
{
    if (name.size() <= m_limits.name)
        return true;
    refuse("a name of " + std::to_string(name.size()) + " bytes; expected at most " + std::to_string(m_limits.name));
    return false;
}

void Builder::start(std::string name)
{
    if (!m_refused.empty())
        return;
    if (++m_elements > m_limits.elements)
        return refuse("more than " + std::to_string(m_limits.elements) + " elements; expected fewer");
    if (m_open.size() >= static_cast<std::size_t>(m_limits.depth))
        return refuse("elements are nested deeper than " + std::to_string(m_limits.depth) + "; expected fewer levels");
    XmlElement *element = m_open.empty() ? &m_root : &m_open.back()->children.emplace_back();
    m_open.push_back(element);
    element->line = xmlSAX2GetLineNumber(m_parser.get());
    if (fits(name))
        element->name = std::move(name);
}

void Builder::attribute(std::string name, std::string_view value)
{
    if (m_refused.empty() && fits(name))
        m_open.back()->attributes.emplace_back(std::move(name), value);
}

std::string escaped(std::string_view text, bool attribute)
{
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '&':
        case '<':
        case '>':
            out += entityOf(c);
            break;
        case '"':
            out += attribute ? entityOf(c) : "\"";
            break;
        case '\r':
            out += "&#xd;"; // a bare one would be read as a line feed
            break;
        case '\n':
        case '\t':
            out += attribute ? "&#" + std::to_string(static_cast<int>(c)) + ";" : std::string(1, c);
            break;
        default:
            if (static_cast<unsigned char>(c) >= ' ') // XML has no place for other control characters
                out += c;
        }
    }
    return out;
}

void write(const XmlElement &element, int indent, std::string &out)
{
    const std::string margin(static_cast<std::size_t>(indent) * 2, ' ');
    out += margin + '<' + element.name;
    for (const auto &[name, value] : element.attributes)
        out += ' ' + name + "=\"" + escaped(value, true) + '"';
    const bool blank = element.text.find_first_not_of(" \t\r\n") == std::string::npos;
    if (element.children.empty()) {
        out += element.text.empty() ? "/>\n" : '>' + escaped(element.text, false) + "</" + element.name + ">\n";
        return;
    }
    out += '>' + (blank ? std::string() : escaped(element.text, false)) + '\n';
    for (const XmlElement &child : element.children)
        write(child, indent + 1, out);
    out += margin + "</" + element.name + ">\n";
}

} // namespace

std::string_view XmlElement::attribute(std::string_view wanted) const
{
    for (const auto &[name, value] : attributes) {
        if (name == wanted)
            return value;
    }
    return {};
}

const XmlElement *XmlElement::child(std::string_view wanted) const
{
    const auto found = std::find_if(children.begin(), children.end(),
                                    [wanted](const XmlElement &element) { return element.name == wanted; });
    return found == children.end() ? nullptr : &*found;
}

bool XmlElement::operator==(const XmlElement &other) const
{
    return name == other.name && attributes == other.attributes && text == other.text && children == other.children;
}

Result<XmlElement> parseXml(std::string_view text, const XmlLimits &limits)
{
    if (text.size() > limits.bytes)
        return fail("line 1, column 1: the file has " + std::to_string(text.size()) + " bytes; expected at most " +
                        std::to_string(limits.bytes),
                    Error::Code::TooLarge);
    return Builder(limits).build(text);
}

std::string writeXml(const XmlElement &element, int indent)
{
    std::string out;
    write(element, indent, out);
    return out;
}

} // namespace wardbench::exchange
