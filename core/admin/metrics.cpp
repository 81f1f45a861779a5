#include "admin/metrics.h"

#include "json/writer.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>

namespace wardbench::admin {
namespace {

constexpr std::size_t batch = 10'000;
constexpr std::size_t askedAgain = 100; ///< requests of an imposter whose matching is measured, for each look

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

/// In seconds since 1970.
double startTime()
{
    static const double start =
        std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    return std::floor(start);
}

void writeProcess(std::string &out)
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
             startTime());
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

/// Without samples of their own here: what they measure is not measured.
constexpr Family always[] = {
    {"mb_behavior_duration_seconds", "histogram", "Time it takes to run all the behaviors"},
    {"mb_proxy_duration_seconds", "histogram", "Time it takes to get the response from the downstream service"},
    {"mb_proxy_total", "counter", "Number of times a proxy was called"},
    {"mb_lock_acquire_duration_seconds", "histogram", "Time it takes to acquire a file lock"},
    {"mb_lock_hold_duration_seconds", "histogram", "Time a file lock is held"},
    {"mb_lock_errors_total", "counter", "Number of times a file lock failed"},
};

constexpr Family matching{"mb_predicate_match_duration_seconds", "histogram",
                          "Time it takes to match the predicates and select a stub"};
constexpr Family answering{"mb_response_generation_duration_seconds", "histogram",
                           "Time it takes to generate the response from a stub"};
constexpr Family requests{"mb_request_total", "counter", "Number of requests to the imposter"};
constexpr Family noMatches{"mb_no_match_total", "counter", "Number of times no stub matched the request"};
constexpr Family blocked{"mb_blocked_ip_total", "counter",
                         "Number of times a connection was blocked from a non-whitelisted IP address"};

} // namespace

Metrics::Metrics(const LiveImposters &live, std::shared_ptr<const server::AccessRule> access)
    : m_live(live), m_access(std::move(access))
{
}

void Metrics::Histogram::observe(Nanoseconds duration)
{
    const double seconds = std::chrono::duration<double>(duration).count();
    for (std::size_t i = 0; i < bounds.size(); ++i)
        counts[i] += seconds <= bounds[i] ? 1 : 0;
    ++total;
    sum += seconds;
}

void Metrics::measureMatching(const JournalEntry &entry, Series &series)
{
    const auto before = std::chrono::steady_clock::now();
    [[maybe_unused]] const std::size_t position = series.stubs->match(entry.request, entry.client);
    series.matching.observe(std::chrono::steady_clock::now() - before);
}

void Metrics::read(ImposterId id, Series &series)
{
    for (;;) {
        const JournalPage page = m_live.service().journal(id, series.since, batch);
        if (page.entries.empty())
            return;
        std::size_t asked = 0;
        for (const JournalEntryPtr &entry : page.entries) {
            series.answering.observe(entry->duration);
            if (series.stubs && asked++ < askedAgain)
                measureMatching(*entry, series);
        }
        series.since = page.next;
    }
}

void Metrics::collect()
{
    for (const LiveImposters::Live &live : m_live.list()) {
        Series &series = m_series[live.id];
        const std::string name = live.imposter->name.empty() ? std::string() : ' ' + live.imposter->name;
        series.label = '[' + live.imposter->protocol + ':' + std::to_string(live.port) + name + "] ";
        const ImposterCounters counters = m_live.service().counters(live.id);
        series.received = counters.received;
        series.unmatched = counters.unmatched;
        const bool asksHttp = live.imposter->protocol == "http" || live.imposter->protocol == "https";
        if (asksHttp && series.compiledFrom != live.imposter && counters.received > 0) {
            series.stubs = CompiledStubs::compile(live.imposter->stubs, series.stubs);
            series.compiledFrom = live.imposter;
        }
        read(live.id, series);
    }
}

void Metrics::write(std::string &out) const
{
    const auto counter = [&](const Family &family, std::uint64_t Series::*value) {
        writeFamily(out, family);
        for (const auto &[id, series] : m_series) {
            if (series.received > 0)
                writeSample(out, family.name, "imposter=" + quoted(series.label), std::to_string(series.*value));
        }
    };
    const auto histogram = [&](const Family &family, Histogram Series::*value) {
        writeFamily(out, family);
        const std::string name = family.name;
        for (const auto &[id, series] : m_series) {
            const Histogram &one = series.*value;
            const std::string label = "imposter=" + quoted(series.label);
            for (std::size_t i = 0; i < one.bounds.size() && one.total > 0; ++i)
                writeSample(out, name + "_bucket", "le=\"" + json::javascriptNumber(one.bounds[i]) + "\"," + label,
                            std::to_string(one.counts[i]));
            if (one.total == 0)
                continue;
            writeSample(out, name + "_bucket", "le=\"+Inf\"," + label, std::to_string(one.total));
            writeSample(out, name + "_sum", label, json::javascriptNumber(one.sum));
            writeSample(out, name + "_count", label, std::to_string(one.total));
        }
    };
    histogram(matching, &Series::matching);
    counter(noMatches, &Series::unmatched);
    histogram(answering, &Series::answering);
    counter(requests, &Series::received);
    writeFamily(out, blocked);
    if (m_access && m_access->refused() > 0)
        writeSample(out, blocked.name, "", std::to_string(m_access->refused()));
}

Reply Metrics::show(const Call &)
{
    collect();
    std::string out;
    writeProcess(out);
    for (const Family &family : always)
        writeFamily(out, family);
    if (!m_series.empty())
        write(out);
    Reply reply = Reply::page(std::move(out));
    reply.type = "text/plain; version=0.0.4; charset=utf-8";
    return reply;
}

} // namespace wardbench::admin
