#pragma once

#include "base/result.h"
#include "http/message.h"
#include "mock/proxyrules.h"
#include "model/response.h"
#include "transport/httpclient.h"

#include <asio/io_context.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wardbench::mock {

/// Why a proxy has no answer: mountebank's error for the client's 500 (2.8.4).
struct ProxyFailure
{
    std::string code; ///< "invalid proxy", or the kind of fault
    std::string message;
};

/// How an upstream's answer ended.
struct ProxyEnd
{
    std::optional<ProxyFailure> failure; ///< before the head, or in the middle of the body
    std::chrono::milliseconds time{0};   ///< from the request to the last byte: `_proxyResponseTime`
};

/// Hears an upstream's answer as it comes: its own bytes and header lines, transfer coding undone. On the thread of the
/// loop, never inside `forward`.
class ProxyReceiver
{
public:
    virtual ~ProxyReceiver() = default;
    virtual void head(http::Response &&head) = 0;
    virtual void body(std::string &&piece) = 0;
    virtual void ended(const ProxyEnd &end) = 0; ///< once, last
};

/// The upstream of an http or https proxy response. Made once for its stub; any thread.
class ProxyUpstream : public std::enable_shared_from_this<ProxyUpstream>
{
public:
    using Ptr = std::shared_ptr<const ProxyUpstream>;
    static constexpr int mostHops = 5;
    static constexpr std::size_t mostHeld = 64u << 20; ///< of a body that is fetched whole

    /// Errors (BadInput) name the member of the proxy.
    static Result<Ptr> make(const Proxy &proxy, const ProxyRules &rules = {});

    /// The request as it goes to the upstream (2.8.4): same target, header lines with their spelling, Host replaced,
    /// `injectHeaders` added; what concerns one connection only is left out. Fails with what cannot be sent.
    Result<HttpRequest> translate(const http::Request &request) const;

    /// Sends it. The call pauses, resumes and cancels the answer; null when the failure was clear at once (the receiver
    /// hears it all the same).
    HttpCallPtr forward(const http::Request &request, asio::io_context &loop,
                        std::shared_ptr<ProxyReceiver> receiver) const;

    using Whole = std::function<void(http::Response &&response, const ProxyEnd &end)>;
    /// The same, with the whole answer in memory; after a failure `response` is empty.
    HttpCallPtr fetch(const http::Request &request, asio::io_context &loop, Whole done) const;

    const std::string &to() const { return m_to; }

private:
    ProxyUpstream() = default;
    http::Headers translateHeaders(const http::Request &request) const;
    ProxyFailure failureOf(HttpFault fault, const std::string &text) const;
    class Listener;

    std::string m_to;
    std::string m_hostHeader;
    std::string m_authorization; ///< of a user name in `to`
    http::Headers m_inject;
    HttpOriginPtr m_origin;
    HttpOriginPtr m_farOrigin; ///< without this machine's loopback addresses
    ProxyRules m_rules;
};

/// The request with a proxy's `injectHeaders`, which the predicates of recorded stubs see (2.8.6). A header of that
/// name is replaced.
http::Headers withInjected(http::Headers headers, const http::Headers &injected);
/// `injectHeaders` as header lines: an array value is several. Fails with the name of what cannot be a header.
Result<http::Headers> injectedHeaders(const Proxy &proxy);

} // namespace wardbench::mock
