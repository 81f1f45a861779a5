#include "load/requestsample.h"

#include "http/target.h"

#include <algorithm>

namespace wardbench {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

std::uint64_t sizeOf(const http::Headers &headers)
{
    std::uint64_t bytes = 2; // the empty line
    for (const auto &header : headers)
        bytes += header.name.size() + header.value.size() + 4;
    return bytes;
}

bool isText(const http::Headers &headers)
{
    const std::string *type = headers.find("content-type");
    return !type || type->starts_with("text/") || type->find("json") != std::string::npos ||
           type->find("xml") != std::string::npos;
}

} // namespace

Sample sampleOf(const ClientRequest &request, const Reply &reply, const std::string &errorKind, Nanoseconds elapsed)
{
    Sample sample;
    sample.elapsed_ms = duration_cast<milliseconds>(elapsed).count();
    const Timings &times = reply.timings;
    const auto since = [&times, &sample](TimePoint moment, std::int64_t otherwise) {
        const auto passed = duration_cast<milliseconds>(moment - times.called).count();
        return moment == TimePoint() ? otherwise : std::clamp<std::int64_t>(passed, 0, sample.elapsed_ms);
    };
    sample.latency_ms = since(times.firstByte, sample.elapsed_ms); // a transport that cannot tell: the whole answer
    if (times.connected > times.sent)                              // waited for a connection of its own
        sample.connect_ms = since(std::max(times.connected, times.secured), 0);
    sample.success = errorKind.empty();
    const http::Url url{request.scheme, request.host, request.port, {}};
    sample.url = request.scheme + "://" + url.hostHeader() + request.path;
    // Request line, Host, Content-Length: what the transport adds.
    sample.sentBytes = request.method.size() + request.path.size() + 12 + url.hostHeader().size() + 8 +
                       sizeOf(request.headers) + request.body.size();
    if (reply.failed()) {
        sample.code = "Non HTTP response code: " + std::string(errorName(reply.error));
        sample.message = "Non HTTP response message: " + reply.errorText;
        sample.dataType.clear();
        return sample;
    }
    const http::Response &response = *reply.response;
    sample.code = std::to_string(response.status);
    sample.message = response.reason;
    sample.dataType = isText(response.headers) ? "text" : "bin";
    sample.bytes = 13 + response.reason.size() + 2 + sizeOf(response.headers) + response.body.size();
    // A status that is none is said by the code itself.
    if (!sample.success && errorKind != "status " + sample.code)
        sample.failure = errorKind;
    return sample;
}

SampleTeller::SampleTeller(SampleTarget target, std::size_t users)
    : m_target(std::move(target)), m_working(wanted() ? users : 0), m_seen(wanted() ? users : 0)
{
}

void SampleTeller::working(std::size_t user)
{
    if (!wanted() || m_working[user])
        return;
    m_working[user] = true;
    ++m_users.active;
    if (!m_seen[user])
        ++m_users.started;
    else
        --m_users.finished;
    m_seen[user] = true;
}

void SampleTeller::left(std::size_t user)
{
    if (!wanted() || !m_working[user])
        return;
    m_working[user] = false;
    --m_users.active;
    ++m_users.finished;
}

void SampleTeller::tell(std::size_t user, const std::string &step, const ClientRequest &request, const Reply &reply,
                        const std::string &errorKind, TimePoint called, TimePoint now)
{
    Sample sample = sampleOf(request, reply, errorKind, now - called);
    const auto end = std::chrono::system_clock::now().time_since_epoch();
    sample.start_ms = duration_cast<milliseconds>(end).count() - sample.elapsed_ms;
    sample.label = step.empty() ? m_target.label : m_target.label.empty() ? step : m_target.label + " / " + step;
    sample.thread = m_target.group + " 1-" + std::to_string(user + 1);
    sample.groupThreads = sample.allThreads = static_cast<std::uint32_t>(m_users.active);
    m_target.sink->add(std::move(sample), m_users);
}

} // namespace wardbench
