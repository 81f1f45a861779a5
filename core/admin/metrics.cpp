#include "admin/metrics.h"

#include "json/writer.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

namespace wardbench::admin {
namespace {

struct Family
{
    const char *name;
    const char *type;
    const char *help;
};

void writeFamily(std::string &out, const Family &family)
{
    out.append("# HELP ").append(family.name).append(" ").append(family.help);
    out.append("\n# TYPE ").append(family.name).append(" ").append(family.type).append("\n");
}

void writeSample(std::string &out, const std::string &name, const std::string &labels, const std::string &value)
{
    out += name + (labels.empty() ? "" : '{' + labels + '}') + ' ' + value + '\n';
}

/// A label's value, as Prometheus quotes it.
std::string quoted(const std::string &text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '\\' || c == '"')
            out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out + '"';
}

/// A number of /proc/self/status in bytes, as "VmRSS:"; 0 when it is not there.
double memoryBytes(const std::string &name)
{
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with(name))
            return std::strtod(line.c_str() + name.size(), nullptr) * 1024;
    }
    return 0;
}

std::size_t openDescriptors()
{
    std::error_code ignored;
    std::size_t count = 0;
    for (auto entry = std::filesystem::directory_iterator("/proc/self/fd", ignored);
         entry != std::filesystem::directory_iterator(); entry.increment(ignored))
        ++count;
    return count;
}

void writeOne(std::string &out, const Family &family, double value)
{
    writeFamily(out, family);
    writeSample(out, family.name, "", json::javascriptNumber(value));
}

void writeProcess(std::string &out, double started)
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    const double user = seconds(used.ru_utime), system = seconds(used.ru_stime);
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    writeOne(out, {"mb_process_cpu_user_seconds_total", "counter", "Total user CPU time spent in seconds."}, user);
    writeOne(out, {"mb_process_cpu_system_seconds_total", "counter", "Total system CPU time spent in seconds."},
             system);
    writeOne(out, {"mb_process_cpu_seconds_total", "counter", "Total user and system CPU time spent in seconds."},
             user + system);
    writeOne(out, {"mb_process_start_time_seconds", "gauge", "Start time of the process since unix epoch in seconds."},
             started);
    writeOne(out, {"mb_process_resident_memory_bytes", "gauge", "Resident memory size in bytes."},
             memoryBytes("VmRSS:"));
    writeOne(out, {"mb_process_virtual_memory_bytes", "gauge", "Virtual memory size in bytes."},
             memoryBytes("VmSize:"));
    writeOne(out, {"mb_process_heap_bytes", "gauge", "Process heap size in bytes."}, memoryBytes("VmData:"));
    writeOne(out, {"mb_process_open_fds", "gauge", "Number of open file descriptors."},
             static_cast<double>(openDescriptors()));
    writeOne(out, {"mb_process_max_fds", "gauge", "Maximum number of open file descriptors."},
             static_cast<double>(files.rlim_cur));
}

constexpr Family behaviors{"mb_behavior_duration_seconds", "histogram", "Time it takes to run all the behaviors"};
constexpr Family proxying{"mb_proxy_duration_seconds", "histogram",
                          "Time it takes to get the response from the downstream service"};
constexpr Family proxied{"mb_proxy_total", "counter", "Number of times a request was proxied to a downstream service"};
/// Without samples: no file is locked here.
constexpr Family locks[] = {
    {"mb_lock_acquire_duration_seconds", "histogram", "Time it takes to acquire a file lock"},
    {"mb_lock_hold_duration_seconds", "histogram", "Time a file lock is held"},
    {"mb_lock_errors_total", "counter", "Number of lock errors"},
};

constexpr Family matching{"mb_predicate_match_duration_seconds", "histogram",
                          "Time it takes to match the predicates and select a stub"};
constexpr Family answering{"mb_response_generation_duration_seconds", "histogram",
                           "Time it takes to generate the response from a stub"};
constexpr Family requests{"mb_request_total", "counter", "Number of requests to the imposter"};
constexpr Family noMatches{"mb_no_match_total", "counter", "Number of times no stub matched the request"};
constexpr Family blocked{"mb_blocked_ip_total", "counter",
                         "Number of times a connection was blocked from a non-whitelisted IP address"};

/// The lines of one imposter; none when nothing was measured.
void writeHistogram(std::string &out, const std::string &name, const std::string &label,
                    const mock::DurationHistogram &histogram)
{
    const mock::DurationHistogram::Reading reading = histogram.read();
    if (reading.total == 0)
        return;
    for (std::size_t i = 0; i < reading.bounds.size(); ++i)
        writeSample(out, name + "_bucket", "le=\"" + json::javascriptNumber(reading.bounds[i]) + "\"," + label,
                    std::to_string(reading.counts[i]));
    writeSample(out, name + "_bucket", "le=\"+Inf\"," + label, std::to_string(reading.total));
    writeSample(out, name + "_sum", label, json::javascriptNumber(reading.sum));
    writeSample(out, name + "_count", label, std::to_string(reading.total));
}

double now()
{
    return std::floor(std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count());
}

} // namespace

Metrics::Metrics(const LiveImposters &live, std::shared_ptr<const server::AccessRule> access)
    : m_live(live), m_access(std::move(access)), m_started(now())
{
}

void Metrics::collect()
{
    for (const LiveImposters::Live &live : m_live.list()) {
        Series &series = m_series[live.id];
        const std::string name = live.imposter->name.empty() ? std::string() : ' ' + live.imposter->name;
        series.label =
            "imposter=" + quoted('[' + live.imposter->protocol + ':' + std::to_string(live.port) + name + "] ");
        const ImposterCounters counters = m_live.service().counters(live.id);
        series.received = counters.received;
        series.unmatched = counters.unmatched;
        if (auto timings = m_live.service().timings(live.id))
            series.timings = std::move(timings);
    }
}

/// What mountebank has from its start.
void Metrics::writeAlways(std::string &out) const
{
    for (const auto &[family, histogram] :
         {std::pair{&behaviors, &mock::AnswerTimings::behaviors}, {&proxying, &mock::AnswerTimings::proxying}}) {
        writeFamily(out, *family);
        for (const auto &[id, series] : m_series) {
            if (series.timings)
                writeHistogram(out, family->name, series.label, (*series.timings).*histogram);
        }
    }
    writeFamily(out, proxied);
    for (const auto &[id, series] : m_series) {
        const std::uint64_t count = series.timings ? series.timings->proxied.load() : 0;
        if (count > 0)
            writeSample(out, proxied.name, series.label, std::to_string(count));
    }
    for (const Family &family : locks)
        writeFamily(out, family);
}

/// What it has once there was an imposter.
void Metrics::writeAnswered(std::string &out) const
{
    for (const auto &[family, histogram] :
         {std::pair{&matching, &mock::AnswerTimings::matching}, {&answering, &mock::AnswerTimings::making}}) {
        writeFamily(out, *family);
        for (const auto &[id, series] : m_series) {
            if (series.timings)
                writeHistogram(out, family->name, series.label, (*series.timings).*histogram);
        }
    }
    for (const auto &[family, value] : {std::pair{&noMatches, &Series::unmatched}, {&requests, &Series::received}}) {
        writeFamily(out, *family);
        for (const auto &[id, series] : m_series) {
            if (series.received > 0)
                writeSample(out, family->name, series.label, std::to_string(series.*value));
        }
    }
    writeFamily(out, blocked);
    if (m_access && m_access->refused() > 0)
        writeSample(out, blocked.name, "", std::to_string(m_access->refused()));
}

Reply Metrics::show(const Call &)
{
    collect();
    std::string out;
    writeProcess(out, m_started);
    writeAlways(out);
    if (!m_series.empty())
        writeAnswered(out);
    Reply reply = Reply::page(std::move(out));
    reply.type = "text/plain; version=0.0.4; charset=utf-8";
    return reply;
}

} // namespace wardbench::admin
