#include "cli/requestlog.h"

#include "admin/serverlog.h"
#include "json/writer.h"

#include <array>
#include <cstdio>
#include <ostream>

namespace wardbench::cli {
namespace {

constexpr std::size_t batch = 2'000;

std::string milliseconds(Nanoseconds duration)
{
    std::array<char, 48> text{};
    std::snprintf(text.data(), text.size(), "%.3f", static_cast<double>(duration.count()) / 1e6);
    return text.data();
}

/// A line stays one line, whatever a client or a file puts in it.
std::string oneLine(std::string_view text)
{
    std::string clean(text);
    for (char &c : clean) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            c = '?';
    }
    return clean;
}

std::string jsonLine(const std::string &imposter, const JournalEntry &entry)
{
    json::Members members{
        {"time", admin::isoTime(entry.time)},
        {"imposter", imposter},
        {"client", entry.client},
        {"method", entry.request.method},
        {"target", entry.request.target},
        {"status", entry.response.status},
        {"requestBytes", entry.requestBodySize},
        {"responseBytes", entry.responseBodySize},
        {"ms", json::Value::number(milliseconds(entry.duration))},
        {"stub", entry.stub ? json::Value(entry.stubName) : json::Value()},
    };
    if (!entry.delivered)
        members.emplace_back("delivered", false);
    if (!entry.note.empty())
        members.emplace_back("note", entry.note);
    return json::writeCompact(json::Value(std::move(members)));
}

std::string textLine(const std::string &imposter, const JournalEntry &entry)
{
    std::string line = admin::isoTime(entry.time) + ' ' + oneLine(imposter) + ' ' + entry.client + ' ' +
                       oneLine(entry.request.method) + ' ' + oneLine(entry.request.target) + ' ' +
                       std::to_string(entry.response.status) + ' ' + std::to_string(entry.responseBodySize) + " B " +
                       milliseconds(entry.duration) + " ms ";
    line += entry.stub == 0 && entry.stubName.empty() ? "no match" : oneLine(entry.stubName);
    if (!entry.delivered)
        line += " (client went away)";
    if (!entry.note.empty())
        line += " (" + oneLine(entry.note) + ')';
    return line;
}

} // namespace

RequestLog::RequestLog(Format format, const MockService &service, std::ostream &out)
    : m_format(format), m_service(service), m_out(out)
{
}

std::string RequestLog::line(Format format, const std::string &imposter, const JournalEntry &entry)
{
    return format == Format::Json ? jsonLine(imposter, entry) : textLine(imposter, entry);
}

void RequestLog::flush()
{
    std::string lines;
    for (const ImposterStatus &status : m_service.status()) {
        std::uint64_t &position = m_positions[status.id];
        const std::string name = status.imposter->displayName();
        for (;;) {
            const JournalPage page = m_service.journal(status.id, position, batch);
            position = page.next;
            if (page.dropped > 0)
                lines += "note: " + std::to_string(page.dropped) + " requests of " + oneLine(name) +
                         " came too fast to be logged\n";
            for (const JournalEntryPtr &entry : page.entries)
                lines += line(m_format, name, *entry) + '\n';
            if (page.entries.size() < batch)
                break;
        }
    }
    if (!lines.empty())
        m_out << lines << std::flush;
}

} // namespace wardbench::cli
