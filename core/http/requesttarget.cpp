#include "http/requesttarget.h"

#include "http/authority.h"
#include "http/characters.h"
#include "http/message.h"

#include <algorithm>

namespace wardbench::http {

namespace {

ParseError checkCharacters(std::string_view target, Leniencies allowed, Leniencies &used)
{
    for (std::size_t i = firstNot(target, TargetChar); i < target.size(); ++i) {
        const auto c = static_cast<unsigned char>(target[i]);
        if (isChar(target[i], TargetChar))
            continue;
        if (c == '#') {
            if (!allowed.use(Leniency::FragmentInTarget, used))
                return {400, "fragment in the request target", i};
        } else if (c >= 0x80) {
            if (!allowed.use(Leniency::NonAsciiTarget, used))
                return {400, "octet outside ASCII in the request target", i};
        } else {
            return {400, "control character in the request target", i};
        }
    }
    return {};
}

void splitPath(std::string_view text, RequestTarget &parts)
{
    const std::size_t mark = text.find('?');
    parts.path = text.substr(0, mark);
    parts.query = mark == std::string_view::npos ? std::string_view() : text.substr(mark + 1);
}

RequestTarget refuse(int status, std::string_view reason, std::size_t offset = 0)
{
    RequestTarget parts;
    parts.error = {status, reason, offset};
    return parts;
}

RequestTarget parseAbsolute(std::string_view target, std::size_t colon, Leniencies allowed, Leniencies &used)
{
    const std::string_view scheme = target.substr(0, colon);
    if (!equalsIgnoringCase(scheme, "http") && !equalsIgnoringCase(scheme, "https"))
        return refuse(400, "request target with a scheme other than http and https");
    const std::size_t start = colon + 3;
    const std::size_t end = std::min(target.find_first_of("/?#", start), target.size());
    RequestTarget parts;
    parts.authority = target.substr(start, end - start);
    Authority authority;
    if (!splitAuthority(parts.authority, authority) || authority.host.empty())
        return refuse(400, "malformed host in the request target", start);
    if (authority.hasUserInfo) {
        if (!allowed.use(Leniency::UserInfoInTarget, used))
            return refuse(400, "user name in the request target", start);
        parts.authority.remove_prefix(authority.userInfo.size() + 1);
    }
    splitPath(target.substr(end), parts);
    if (parts.path.empty())
        parts.path = "/";
    return parts;
}

RequestTarget parseConnect(std::string_view target)
{
    Authority authority;
    if (!splitAuthority(target, authority) || authority.host.empty() || !authority.hasPort || authority.hasUserInfo)
        return refuse(400, "CONNECT needs host:port");
    RequestTarget parts;
    parts.authority = target;
    return parts;
}

} // namespace

RequestTarget parseRequestTarget(std::string_view method, std::string_view target, Leniencies allowed, Leniencies &used)
{
    if (target.empty())
        return refuse(400, "request target is empty");
    if (const ParseError error = checkCharacters(target, allowed, used))
        return refuse(error.status, error.reason, static_cast<std::size_t>(error.offset));
    if (method == "CONNECT")
        return parseConnect(target);
    if (target.front() == '/') {
        RequestTarget parts;
        splitPath(target, parts);
        return parts;
    }
    if (target == "*") {
        if (method != "OPTIONS")
            return refuse(400, "request target * is for OPTIONS only");
        RequestTarget parts;
        parts.path = target;
        return parts;
    }
    const std::size_t colon = target.find("://");
    if (colon == std::string_view::npos)
        return refuse(400, "request target does not begin with /");
    return parseAbsolute(target, colon, allowed, used);
}

} // namespace wardbench::http
