#include "mock/mailmessage.h"

#include "http/message.h"
#include "mock/mailtext.h"
#include "mock/wiretext.h"

#include <algorithm>

namespace wardbench::mock {
namespace {

constexpr int deepest = 20;             ///< parts within parts
constexpr std::size_t mostParts = 1000; ///< of one mail

/// Header fields and what follows them: a mail, or a part of one.
struct Entity
{
    std::vector<std::pair<std::string, std::string>> fields; ///< names in lower case, values unfolded
    std::string_view content;

    std::string_view find(std::string_view name) const
    {
        const auto found =
            std::find_if(fields.begin(), fields.end(), [name](const auto &field) { return field.first == name; });
        return found == fields.end() ? std::string_view() : std::string_view(found->second);
    }
    std::string text(std::string_view name) const { return decodeEncodedWords(find(name)); }
};

/// Takes a line off the front, without its end.
std::string_view takeLine(std::string_view &text)
{
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t start = text.find_first_not_of(blanks);
    return start == std::string_view::npos ? std::string_view()
                                           : text.substr(start, text.find_last_not_of(blanks) - start + 1);
}

Entity parseEntity(std::string_view text)
{
    Entity entity;
    while (!text.empty()) {
        const std::string_view line = takeLine(text);
        if (line.empty())
            break;
        if ((line.front() == ' ' || line.front() == '\t') && !entity.fields.empty()) {
            entity.fields.back().second.append(1, ' ').append(trimmed(line));
            continue;
        }
        const std::size_t colon = line.find(':');
        if (colon != std::string_view::npos)
            entity.fields.emplace_back(http::toLower(trimmed(line.substr(0, colon))), trimmed(line.substr(colon + 1)));
    }
    entity.content = text;
    return entity;
}

/// The parts between the boundary lines of a multipart content (RFC 2046 section 5.1.1).
std::vector<std::string_view> splitParts(std::string_view content, const std::string &boundary)
{
    std::vector<std::string_view> parts;
    const std::string mark = "--" + boundary;
    const char *start = nullptr;
    std::string_view rest = content;
    while (!rest.empty() && parts.size() < mostParts) {
        const char *const lineStart = rest.data();
        const std::string_view line = takeLine(rest);
        if (!line.starts_with(mark))
            continue;
        const std::string_view tail = trimmed(line.substr(mark.size()));
        if (!tail.empty() && tail != "--")
            continue; // a longer boundary
        if (start)
            parts.emplace_back(start, static_cast<std::size_t>(lineStart - start));
        start = tail.empty() ? rest.data() : nullptr;
        if (!tail.empty())
            return parts;
    }
    if (start) // its end is missing
        parts.emplace_back(start, static_cast<std::size_t>(content.data() + content.size() - start));
    return parts;
}

std::string decodeContent(const Entity &entity)
{
    const std::string coding = http::toLower(entity.find("content-transfer-encoding"));
    if (coding == "base64")
        return decodeBase64(entity.content);
    return coding == "quoted-printable" ? decodeQuotedPrintable(entity.content) : std::string(entity.content);
}

std::string withPlainLineEnds(const std::string &text)
{
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\r' || i + 1 >= text.size() || text[i + 1] != '\n')
            plain += text[i];
    }
    return plain;
}

/// What a mail says, gathered from its parts.
class Reader
{
public:
    void read(const Entity &entity, int depth = 0)
    {
        const std::string_view typeField = entity.find("content-type");
        const MailParameters type = parseMailParameters(typeField.empty() ? "text/plain" : typeField);
        const MailParameters disposition = parseMailParameters(entity.find("content-disposition"));
        const std::string boundary = type.find("boundary");
        if (type.value.starts_with("multipart/") && !boundary.empty() && depth < deepest) {
            for (const std::string_view part : splitParts(entity.content, boundary)) {
                if (++m_parts <= mostParts)
                    read(parseEntity(withoutLastLineEnd(part)), depth + 1);
            }
            return;
        }
        const bool attached = disposition.value == "attachment" || !disposition.find("filename").empty();
        if (!attached && type.value == "text/plain")
            addText(m_text, entity, type);
        else if (!attached && type.value == "text/html")
            addText(m_html, entity, type);
        else
            attach(entity, type, disposition);
    }

    std::string text() const { return std::string(trimmed(m_text)); }
    std::string html() const { return std::string(trimmed(m_html)); }
    json::Array attachments() { return std::move(m_attachments); }

private:
    /// The line end before a boundary belongs to the boundary.
    static std::string_view withoutLastLineEnd(std::string_view part)
    {
        if (part.ends_with('\n'))
            part.remove_suffix(1);
        if (part.ends_with('\r'))
            part.remove_suffix(1);
        return part;
    }

    static void addText(std::string &into, const Entity &entity, const MailParameters &type)
    {
        if (!into.empty())
            into += '\n';
        into += withPlainLineEnds(toUtf8(decodeContent(entity), type.find("charset")));
    }

    void attach(const Entity &entity, const MailParameters &type, const MailParameters &disposition)
    {
        const std::string content = decodeContent(entity);
        std::string name = disposition.find("filename");
        if (name.empty())
            name = type.find("name");
        json::Members members;
        if (!name.empty())
            members.emplace_back("filename", name);
        members.emplace_back("contentType", type.value);
        members.emplace_back("contentDisposition", disposition.value.empty() ? "attachment" : disposition.value);
        if (const std::string_view id = entity.find("content-id"); !id.empty())
            members.emplace_back("contentId", std::string(id));
        members.emplace_back("size", static_cast<std::int64_t>(content.size()));
        members.emplace_back("content", encodeBase64(content));
        m_attachments.emplace_back(std::move(members));
    }

    std::string m_text, m_html;
    json::Array m_attachments;
    std::size_t m_parts = 0;
};

json::Value addressJson(const MailAddress &address)
{
    return json::Value(json::Members{{"address", address.address}, {"name", address.name}});
}

json::Array addressesJson(const Entity &mail, std::string_view field)
{
    json::Array list;
    for (const MailAddress &address : parseMailAddresses(mail.find(field)))
        list.push_back(addressJson(address));
    return list;
}

/// "<a@b> <c@d>": message ids.
json::Array idsJson(std::string_view text)
{
    json::Array list;
    while (!(text = trimmed(text)).empty()) {
        const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
        list.emplace_back(std::string(text.substr(0, end)));
        text.remove_prefix(end);
    }
    return list;
}

std::string priorityOf(const Entity &mail)
{
    for (const char *field : {"x-priority", "x-msmail-priority", "importance", "priority"}) {
        const std::string value = http::toLower(mail.find(field));
        if (value.empty())
            continue;
        if (value.starts_with('1') || value.starts_with('2') || value == "high" || value == "urgent")
            return "high";
        if (value.starts_with('4') || value.starts_with('5') || value == "low" || value == "non-urgent")
            return "low";
    }
    return "normal";
}

} // namespace

json::Value mailJson(const MailEnvelope &envelope, std::string_view text)
{
    const Entity mail = parseEntity(text);
    Reader reader;
    reader.read(mail);
    json::Array recipients;
    for (const std::string &one : envelope.to)
        recipients.emplace_back(one);
    const auto senders = parseMailAddresses(mail.find("from"));
    return json::Value(json::Members{
        {"requestFrom", envelope.client},
        {"ip", envelope.client.substr(0, envelope.client.rfind(':'))},
        {"envelopeFrom", envelope.from},
        {"envelopeTo", std::move(recipients)},
        {"from", addressJson(senders.empty() ? MailAddress{} : senders.front())},
        {"to", addressesJson(mail, "to")},
        {"cc", addressesJson(mail, "cc")},
        {"bcc", addressesJson(mail, "bcc")},
        {"subject", mail.text("subject")},
        {"priority", priorityOf(mail)},
        {"references", idsJson(mail.find("references"))},
        {"inReplyTo", idsJson(mail.find("in-reply-to"))},
        {"text", reader.text()},
        {"html", reader.html()},
        {"attachments", reader.attachments()},
    });
}

} // namespace wardbench::mock
