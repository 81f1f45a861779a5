#pragma once

#include "admin/call.h"

#include <functional>
#include <string>
#include <vector>

namespace wardbench::admin {

/// Routes by method and path. A segment that begins with ':' takes any text.
class Router
{
public:
    using Handler = std::function<Reply(const Call &)>;
    enum class Shown { AsJson, AsJsonOrPage };

    void add(const std::string &method, const std::string &path, Handler handler, Shown shown = Shown::AsJson);
    /// HEAD is answered as GET, OPTIONS with the methods there are, what is not there with a page that says so.
    Reply answer(Call &call) const;

private:
    struct Route
    {
        std::string method;
        std::vector<std::string> segments;
        Handler handler;
        Shown shown;
    };

    static bool fits(const Route &route, const std::vector<std::string> &path);

    std::vector<Route> m_routes;
};

/// A path's segments, decoded; one slash at the end does not count.
std::vector<std::string> segmentsOf(std::string_view path);

} // namespace wardbench::admin
