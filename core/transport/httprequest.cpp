#include "transport/httprequest.h"

namespace wardbench {

std::string HttpOrigin::key() const
{
    // Contexts are compared by identity: two clients with equal settings are still two clients.
    std::string text = std::to_string(reinterpret_cast<std::uintptr_t>(tls.get()));
    text.append(linkLocal ? " any" : "")
        .append(loopback ? " " : " far ")
        .append(std::to_string(port))
        .append(1, ' ')
        .append(host);
    return text;
}

std::string_view faultName(HttpFault fault)
{
    switch (fault) {
    case HttpFault::None:
        return "ok";
    case HttpFault::HostNotFound:
        return "host-not-found";
    case HttpFault::AddressDenied:
        return "address-denied";
    case HttpFault::ConnectRefused:
        return "connect-refused";
    case HttpFault::Unreachable:
        return "unreachable";
    case HttpFault::TlsHandshake:
        return "tls-handshake";
    case HttpFault::TlsVerify:
        return "tls-verify";
    case HttpFault::EmptyReply:
        return "empty-reply";
    case HttpFault::Reset:
        return "reset";
    case HttpFault::ResetMidBody:
        return "reset-mid-body";
    case HttpFault::Truncated:
        return "truncated";
    case HttpFault::BadStatusLine:
        return "bad-status-line";
    case HttpFault::BadHeader:
        return "bad-header";
    case HttpFault::BadFraming:
        return "bad-framing";
    case HttpFault::BadChunk:
        return "bad-chunk";
    case HttpFault::TooLarge:
        return "too-large";
    case HttpFault::Timeout:
        return "timeout";
    case HttpFault::BadRequestBody:
        return "bad-request-body";
    case HttpFault::Cancelled:
        return "cancelled";
    case HttpFault::Other:
        return "other";
    }
    return "other";
}

} // namespace wardbench
