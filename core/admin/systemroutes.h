#pragma once

#include "admin/call.h"
#include "admin/serverlog.h"

#include <chrono>

namespace wardbench::admin {

/// What `GET /config` tells.
struct ServerFacts
{
    std::string version;
    json::Value options =
        json::Value::object(); ///< as on the command line; a key in clear is masked before it comes here
};

/// The routes that tell of the server itself: /, /config, /logs, /metrics.
class SystemRoutes
{
public:
    /// `log` may be null: there is no log file.
    SystemRoutes(ServerFacts facts, const ServerLog *log);

    Reply home(const Call &call) const;
    Reply config(const Call &call) const;
    Reply logs(const Call &call) const;

private:
    const ServerFacts m_facts;
    const ServerLog *m_log;
    const std::chrono::steady_clock::time_point m_started = std::chrono::steady_clock::now();
};

} // namespace wardbench::admin
