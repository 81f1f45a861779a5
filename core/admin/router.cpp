#include "admin/router.h"

#include "admin/page.h"

namespace wardbench::admin {

std::vector<std::string> segmentsOf(std::string_view path)
{
    std::vector<std::string> segments;
    while (!path.empty() && path.front() == '/') {
        path.remove_prefix(1);
        const std::size_t end = std::min(path.find('/'), path.size());
        if (path.empty())
            break;
        segments.push_back(http::percentDecode(path.substr(0, end)));
        path.remove_prefix(end);
    }
    return segments;
}

void Router::add(const std::string &method, const std::string &path, Handler handler, Shown shown)
{
    m_routes.push_back({method, segmentsOf(path), std::move(handler), shown});
}

bool Router::fits(const Route &route, const std::vector<std::string> &path)
{
    if (route.segments.size() != path.size())
        return false;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (!route.segments[i].starts_with(':') && !http::equalsIgnoringCase(route.segments[i], path[i]))
            return false;
    }
    return true;
}

Reply Router::answer(Call &call) const
{
    const std::string method = call.request.method == "HEAD" ? "GET" : call.request.method;
    std::string allowed;
    for (const Route &route : m_routes) {
        if (!fits(route, call.path))
            continue;
        if (route.method == method) {
            const bool negotiated = route.shown == Shown::AsJsonOrPage;
            const auto form = negotiated ? preferredForm(call.request) : std::optional(Form::Json);
            if (!form) {
                Reply reply = Reply::page("Not Acceptable", 406);
                reply.type = "text/plain; charset=utf-8";
                reply.negotiated = true;
                return reply;
            }
            call.html = *form == Form::Html;
            Reply reply = route.handler(call);
            reply.negotiated = negotiated;
            return reply;
        }
        allowed += (allowed.empty() ? "" : ",") + route.method + (route.method == "GET" ? ",HEAD" : "");
    }
    if (method == "OPTIONS" && !allowed.empty()) {
        Reply reply = Reply::page(allowed);
        reply.headers.add("Allow", allowed);
        return reply;
    }
    return Reply::page(notFoundPage(call.request.method, call.request.path), 404);
}

} // namespace wardbench::admin
