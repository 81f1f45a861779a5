#include "transport/transport.h"

namespace wardbench {

std::string_view errorName(TransportError error)
{
    switch (error) {
    case TransportError::None:
        return "none";
    case TransportError::ConnectionRefused:
        return "connection refused";
    case TransportError::ConnectionReset:
        return "connection reset";
    case TransportError::ConnectionClosed:
        return "connection closed";
    case TransportError::Timeout:
        return "timeout";
    case TransportError::HostNotFound:
        return "host not found";
    case TransportError::Unreachable:
        return "unreachable";
    case TransportError::BrokenPipe:
        return "broken pipe";
    case TransportError::Protocol:
        return "protocol error";
    case TransportError::Tls:
        return "TLS error";
    case TransportError::Cancelled:
        return "cancelled";
    case TransportError::BreakerOpen:
        return "breaker open";
    case TransportError::RateLimited:
        return "rate limited";
    case TransportError::BulkheadFull:
        return "bulkhead full";
    case TransportError::Other:
        return "other error";
    }
    return "other error";
}

bool isConnectionError(TransportError error)
{
    switch (error) {
    case TransportError::ConnectionRefused:
    case TransportError::ConnectionReset:
    case TransportError::ConnectionClosed:
    case TransportError::Timeout:
    case TransportError::HostNotFound:
    case TransportError::Unreachable:
    case TransportError::BrokenPipe:
        return true;
    case TransportError::None:
    case TransportError::Protocol:
    case TransportError::Tls:
    case TransportError::Cancelled:
    case TransportError::BreakerOpen:
    case TransportError::RateLimited:
    case TransportError::BulkheadFull:
    case TransportError::Other:
        return false;
    }
    return false;
}

} // namespace wardbench
