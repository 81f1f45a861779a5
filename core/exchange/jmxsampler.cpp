#include "exchange/jmxsampler.h"

#include "exchange/jmxelement.h"
#include "http/target.h"

#include <algorithm>

namespace wardbench::exchange {
namespace {

using Elements = std::vector<const XmlElement *>;

class SamplerReader
{
public:
    SamplerReader(const XmlElement &sampler, const Elements &defaults, JmxText &text, std::vector<std::string> &losses)
        : m_sampler(sampler), m_defaults(defaults), m_text(text), m_losses(losses),
          m_place("line " + std::to_string(sampler.line) + ", HTTPSamplerProxy \"" + jmx::nameOf(sampler) + "\"")
    {
    }

    json::Value request(const Elements &headers);

private:
    /// The sampler's own, else that of the nearest defaults.
    std::string setting(std::string_view name) const;
    void readAddress();
    void readArguments();
    void addArgument(const XmlElement &argument, std::string &form);
    void readHeaders(const Elements &managers);
    void setHeader(const std::string &name, std::string value);
    void tellLosses();
    void lose(const std::string &why) { m_losses.push_back(m_place + ": " + why); }

    const XmlElement &m_sampler;
    const Elements &m_defaults;
    JmxText &m_text;
    std::vector<std::string> &m_losses;
    const std::string m_place;
    std::string m_method, m_target, m_path, m_body;
    bool m_hasBody = false;
    std::vector<std::pair<std::string, std::string>> m_headers;
};

std::string SamplerReader::setting(std::string_view name) const
{
    std::string value = jmx::property(m_sampler, name);
    for (auto each = m_defaults.rbegin(); each != m_defaults.rend() && value.empty(); ++each)
        value = jmx::property(**each, name);
    return value;
}

void SamplerReader::readAddress()
{
    std::string scheme = m_text.plain(setting("HTTPSampler.protocol"), m_place);
    std::string host = m_text.plain(setting("HTTPSampler.domain"), m_place);
    const std::string port = m_text.plain(setting("HTTPSampler.port"), m_place);
    m_path = m_text.converted(setting("HTTPSampler.path"), m_place);
    if (m_path.starts_with("http://") || m_path.starts_with("https://")) { // a whole address in place of a path
        const std::size_t slash = m_path.find('/', m_path.find("://") + 3);
        m_target = m_path.substr(0, slash);
        m_path = slash == std::string::npos ? "/" : m_path.substr(slash);
        return;
    }
    if (m_path.empty() || m_path.front() != '/')
        m_path.insert(0, "/");
    if (host.empty()) {
        lose("names no server; 127.0.0.1 is written");
        host = "127.0.0.1";
    }
    if (host.find(':') != std::string::npos && host.front() != '[')
        host = '[' + host + ']';
    m_target = (scheme.empty() ? "http" : scheme) + "://" + host + (port.empty() || port == "0" ? "" : ':' + port);
}

void SamplerReader::addArgument(const XmlElement &argument, std::string &form)
{
    const bool encode = jmx::flag(argument, "HTTPArgument.always_encode");
    const auto part = [&](std::string_view property) {
        const std::string text = m_text.converted(jmx::property(argument, property), m_place);
        // A text with variables is encoded when they have their values.
        return encode && text.find("${") == std::string::npos ? http::percentEncode(text) : text;
    };
    form += (form.empty() ? "" : "&") + part("Argument.name") + '=' + part("Argument.value");
}

void SamplerReader::readArguments()
{
    const XmlElement *arguments = jmx::part(m_sampler, "HTTPsampler.Arguments");
    const std::vector<XmlElement> &given =
        jmx::childrenOf(arguments ? jmx::part(*arguments, "Arguments.arguments") : nullptr);
    const bool raw = jmx::flag(m_sampler, "HTTPSampler.postBodyRaw") ||
                     (!given.empty() && std::all_of(given.begin(), given.end(), [](const XmlElement &one) {
                         return jmx::property(one, "Argument.name").empty();
                     }));
    std::string form;
    for (const XmlElement &argument : given) {
        if (raw)
            m_body += m_text.converted(jmx::property(argument, "Argument.value"), m_place);
        else
            addArgument(argument, form);
    }
    const bool inBody = m_method == "POST" || m_method == "PUT" || m_method == "PATCH";
    if (raw) {
        m_hasBody = !m_body.empty();
    } else if (!form.empty() && inBody) {
        m_body = form;
        m_hasBody = true;
        setHeader("Content-Type", "application/x-www-form-urlencoded");
    } else if (!form.empty()) {
        m_path += (m_path.find('?') == std::string::npos ? '?' : '&') + form;
    }
}

void SamplerReader::setHeader(const std::string &name, std::string value)
{
    const auto same = [&name](const auto &header) {
        return std::equal(header.first.begin(), header.first.end(), name.begin(), name.end(), [](char a, char b) {
            return (a >= 'A' && a <= 'Z' ? a + 32 : a) == (b >= 'A' && b <= 'Z' ? b + 32 : b);
        });
    };
    const auto known = std::find_if(m_headers.begin(), m_headers.end(), same);
    if (known == m_headers.end())
        m_headers.emplace_back(name, std::move(value));
    else
        *known = {name, std::move(value)};
}

void SamplerReader::readHeaders(const Elements &managers)
{
    for (const XmlElement *manager : managers) { // the nearest comes last and wins
        for (const XmlElement &header : jmx::childrenOf(jmx::part(*manager, "HeaderManager.headers"))) {
            const std::string name = m_text.plain(jmx::property(header, "Header.name"), m_place);
            if (!name.empty())
                setHeader(name, m_text.converted(jmx::property(header, "Header.value"), m_place));
        }
    }
}

void SamplerReader::tellLosses()
{
    if (!setting("HTTPSampler.connect_timeout").empty() || !setting("HTTPSampler.response_timeout").empty())
        lose("its timeouts are left out; give the contestant a policy with timeouts");
    if (jmx::flag(m_sampler, "HTTPSampler.DO_MULTIPART_POST") || jmx::part(m_sampler, "HTTPsampler.Files"))
        lose("files and multipart bodies are not supported; they are left out");
    if (jmx::flag(m_sampler, "HTTPSampler.image_parser"))
        lose("embedded resources are not fetched");
    if (jmx::given(m_sampler, "HTTPSampler.use_keepalive") && !jmx::flag(m_sampler, "HTTPSampler.use_keepalive"))
        lose("opens a connection for each request there; here connections are kept");
}

json::Value SamplerReader::request(const Elements &headers)
{
    m_method = m_text.plain(setting("HTTPSampler.method"), m_place);
    if (m_method.empty())
        m_method = "GET";
    readAddress();
    readArguments();
    readHeaders(headers);
    tellLosses();
    json::Members members{{"method", m_method}, {"target", m_target}, {"path", m_path}};
    if (!m_headers.empty()) {
        json::Members list;
        for (auto &[name, value] : m_headers)
            list.emplace_back(name, std::move(value));
        members.emplace_back("headers", std::move(list));
    }
    if (m_hasBody)
        members.emplace_back("body", m_body);
    return members;
}

} // namespace

json::Value requestOf(const XmlElement &sampler, const std::vector<const XmlElement *> &defaults,
                      const std::vector<const XmlElement *> &headers, JmxText &text, std::vector<std::string> &losses)
{
    return SamplerReader(sampler, defaults, text, losses).request(headers);
}

} // namespace wardbench::exchange
