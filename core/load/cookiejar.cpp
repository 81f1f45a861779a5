#include "load/cookiejar.h"

#include <algorithm>

namespace wardbench {
namespace {

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// The next part of `text` up to a semicolon, which is taken off.
std::string_view takePart(std::string_view &text)
{
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view part = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

std::pair<std::string_view, std::string_view> split(std::string_view part)
{
    const std::size_t equals = std::min(part.find('='), part.size());
    return {trimmed(part.substr(0, equals)), trimmed(part.substr(std::min(equals + 1, part.size())))};
}

std::string_view withoutQuery(std::string_view path)
{
    return path.substr(0, path.find('?'));
}

std::string_view defaultPath(std::string_view requestPath)
{
    const std::string_view path = withoutQuery(requestPath);
    const std::size_t last = path.rfind('/');
    return last == 0 || last == std::string_view::npos ? std::string_view("/") : path.substr(0, last);
}

bool pathFits(std::string_view cookie, std::string_view request)
{
    if (!request.starts_with(cookie))
        return false;
    return request.size() == cookie.size() || cookie.back() == '/' || request[cookie.size()] == '/';
}

} // namespace

void CookieJar::take(std::string_view host, std::string_view requestPath, const http::Headers &answer)
{
    for (const http::Header &field : answer) {
        if (!http::equalsIgnoringCase(field.name, "set-cookie"))
            continue;
        std::string_view rest = field.value;
        const auto [name, value] = split(takePart(rest));
        if (name.empty())
            continue;
        Cookie cookie{std::string(host), std::string(defaultPath(requestPath)), std::string(name), std::string(value)};
        bool over = false;
        while (!rest.empty()) {
            const auto [attribute, content] = split(takePart(rest));
            if (http::equalsIgnoringCase(attribute, "path") && content.starts_with('/'))
                cookie.path = std::string(content);
            else if (http::equalsIgnoringCase(attribute, "secure"))
                cookie.secure = true;
            else if (http::equalsIgnoringCase(attribute, "max-age"))
                over = content.starts_with('-') || content == "0";
            else if (http::equalsIgnoringCase(attribute, "expires"))
                over = over || content.find("1970") != std::string_view::npos;
        }
        set(std::move(cookie), over);
    }
}

void CookieJar::set(Cookie cookie, bool over)
{
    const auto same = std::find_if(m_cookies.begin(), m_cookies.end(), [&cookie](const Cookie &known) {
        return known.name == cookie.name && known.path == cookie.path && known.host == cookie.host;
    });
    if (same == m_cookies.end()) {
        if (!over)
            m_cookies.push_back(std::move(cookie));
    } else if (over) {
        m_cookies.erase(same);
    } else {
        *same = std::move(cookie);
    }
}

std::string CookieJar::header(std::string_view host, std::string_view requestPath, bool secure) const
{
    std::vector<const Cookie *> fitting;
    for (const Cookie &cookie : m_cookies) {
        if (cookie.host == host && (secure || !cookie.secure) && pathFits(cookie.path, withoutQuery(requestPath)))
            fitting.push_back(&cookie);
    }
    // Longer paths first, else in the order in which they were set.
    std::stable_sort(fitting.begin(), fitting.end(),
                     [](const Cookie *a, const Cookie *b) { return a->path.size() > b->path.size(); });
    std::string text;
    for (const Cookie *cookie : fitting)
        text += (text.empty() ? "" : "; ") + cookie->name + "=" + cookie->value;
    return text;
}

} // namespace wardbench
