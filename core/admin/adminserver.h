#pragma once

#include "admin/gatekeeper.h"
#include "admin/imposterroutes.h"
#include "admin/liveimposters.h"
#include "admin/serverlog.h"
#include "admin/systemroutes.h"
#include "server/accessrule.h"

#include <memory>
#include <string>

namespace wardbench::admin {

/// The version whose contract this is: what its clients ask for.
inline constexpr const char *mountebankVersion = "2.9.1";

struct AdminOptions
{
    std::string host{}; ///< empty: loopback, IPv4 and IPv6; "::" all addresses
    std::uint16_t port = 0;
    GateRules gate{};
    ImposterRules imposters{};
    std::shared_ptr<const server::AccessRule> access{}; ///< null: everybody may connect
    ServerFacts facts{};
    ServerLog *log = nullptr; ///< must outlive the server
};

/// mountebank's REST API on a port of its own, over running imposters. Requests are answered one at a time, on a
/// thread of its own. Needs a QCoreApplication.
class AdminServer
{
public:
    AdminServer(LiveImposters &live, AdminOptions options);
    ~AdminServer(); ///< closes the port
    AdminServer(const AdminServer &) = delete;
    AdminServer &operator=(const AdminServer &) = delete;

    /// Opens the port. Errors: InUse, Denied, BadInput, in words that name host and port.
    Result<std::uint16_t> start();
    void stop();
    /// A call as if it had come over HTTP from somebody who may. Blocks until done; not from the server's own threads.
    Reply ask(const std::string &method, const std::string &target, const json::Value &body = {});
    std::string url() const; ///< "http://127.0.0.1:2525", once started

private:
    class Private;
    std::shared_ptr<Private> d;
};

} // namespace wardbench::admin
