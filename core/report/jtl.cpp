#include "report/jtl.h"

#include "base/csv.h"
#include "base/number.h"
#include "exchange/xmltree.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <optional>

namespace wardbench::report {
namespace {

constexpr std::string_view defaultColumns =
    "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,"
    "grpThreads,allThreads,URL,Latency,IdleTime,Connect";

constexpr std::string_view transactionMessage = "Number of samples in transaction";

Error at(std::size_t line, const std::string &what)
{
    return fail("line " + std::to_string(line) + ": " + what, Error::Code::BadInput);
}

std::string shown(const std::string &text)
{
    constexpr std::size_t longest = 60;
    std::string out = text.substr(0, longest);
    std::replace_if(
        out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return '"' + out + (text.size() > longest ? "...\"" : "\"");
}

/// The date patterns JMeter's readers try; UTC. Milliseconds since 1970.
std::optional<std::int64_t> readDate(const std::string &text)
{
    int a = 0, b = 0, c = 0, hour = 0, minute = 0, second = 0, used = 0;
    const bool slashes =
        std::sscanf(text.c_str(), "%4d/%2d/%2d %2d:%2d:%2d%n", &a, &b, &c, &hour, &minute, &second, &used) == 6;
    const bool dashes = !slashes && std::sscanf(text.c_str(), "%4d-%2d-%2d%*[ T]%2d:%2d:%2d%n", &a, &b, &c, &hour,
                                                &minute, &second, &used) == 6;
    const bool american =
        !slashes && !dashes &&
        std::sscanf(text.c_str(), "%2d/%2d/%2d %2d:%2d:%2d%n", &b, &c, &a, &hour, &minute, &second, &used) == 6;
    if (!slashes && !dashes && !american)
        return std::nullopt;
    std::tm when{};
    when.tm_year = (american ? 2000 + a : a) - 1900;
    when.tm_mon = b - 1;
    when.tm_mday = c;
    when.tm_hour = hour;
    when.tm_min = minute;
    when.tm_sec = second;
    std::optional<std::int64_t> milliseconds = 0;
    const std::string rest = text.substr(std::min(static_cast<std::size_t>(used), text.size()));
    if (rest.size() == 4 && rest.front() == '.')
        milliseconds = numberIn<std::int64_t>(rest.substr(1));
    if (!milliseconds)
        return std::nullopt;
    return static_cast<std::int64_t>(timegm(&when)) * 1000 + *milliseconds;
}

/// Fills a sample from named fields, whichever form they came in.
class FieldReader
{
public:
    /// An error names the field; empty when all is well.
    std::string set(Sample &sample, std::string_view name, const std::string &value) const;

private:
    template <typename Number>
    static std::string number(Number &into, std::string_view name, const std::string &value)
    {
        const auto read = numberIn<Number>(value);
        if (!read || *read < 0)
            return std::string(name) + " is " + shown(value) + "; expected a whole number";
        into = *read;
        return {};
    }
};

std::string FieldReader::set(Sample &sample, std::string_view name, const std::string &value) const
{
    if (name == "timeStamp" || name == "ts") {
        if (const auto milliseconds = numberIn<std::int64_t>(value); milliseconds && *milliseconds >= 0) {
            sample.start_ms = *milliseconds;
            return {};
        }
        const auto date = readDate(value);
        sample.start_ms = date.value_or(0);
        return date ? std::string()
                    : std::string(name) + " is " + shown(value) +
                          "; expected milliseconds since 1970, or a date like 2026/01/31 12:00:00.000";
    }
    if (name == "success" || name == "s") {
        sample.success = value == "true";
        return value == "true" || value == "false"
                   ? std::string()
                   : std::string(name) + " is " + shown(value) + "; expected true or false";
    }
    const std::pair<std::array<std::string_view, 2>, std::string Sample::*> texts[] = {
        {{"label", "lb"}, &Sample::label},
        {{"responseCode", "rc"}, &Sample::code},
        {{"responseMessage", "rm"}, &Sample::message},
        {{"threadName", "tn"}, &Sample::thread},
        {{"dataType", "dt"}, &Sample::dataType},
        {{"failureMessage", ""}, &Sample::failure},
        {{"URL", ""}, &Sample::url}};
    for (const auto &[names, member] : texts) {
        if (name == names[0] || name == names[1]) {
            sample.*member = value;
            return {};
        }
    }
    const std::pair<std::array<std::string_view, 2>, std::int64_t Sample::*> times[] = {
        {{"elapsed", "t"}, &Sample::elapsed_ms},
        {{"Latency", "lt"}, &Sample::latency_ms},
        {{"Connect", "ct"}, &Sample::connect_ms},
        {{"IdleTime", "it"}, &Sample::idle_ms}};
    for (const auto &[names, member] : times) {
        if (name == names[0] || name == names[1])
            return number(sample.*member, name, value);
    }
    if (name == "bytes" || name == "by")
        return number(sample.bytes, name, value);
    if (name == "sentBytes" || name == "sby")
        return number(sample.sentBytes, name, value);
    if (name == "grpThreads" || name == "ng")
        return number(sample.groupThreads, name, value);
    if (name == "allThreads" || name == "na")
        return number(sample.allThreads, name, value);
    return {}; // a column that is not ours to judge
}

void keep(SampleList &list, Sample &&sample)
{
    if (sample.message.starts_with(transactionMessage))
        ++list.transactions;
    else
        list.samples.push_back(std::move(sample));
}

bool isHeader(std::string_view line)
{
    return line.starts_with("timeStamp") || line.starts_with("\xEF\xBB\xBFtimeStamp") ||
           line.find("elapsed") != std::string_view::npos;
}

/// The first character of the header that is part of no name.
char delimiterOf(std::string_view line)
{
    for (const char c : line) {
        const bool inName = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
                            c == '"' || static_cast<unsigned char>(c) >= 0x80;
        if (!inName)
            return c == '\r' || c == '\n' ? ',' : c;
    }
    return ',';
}

/// Columns of a file without a header: JMeter's own, or those of 2.13 when the first record has as many.
std::vector<std::string> assumedColumns(std::size_t fields)
{
    constexpr std::string_view ofOldVersions =
        "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,"
        "success,bytes,grpThreads,allThreads,Latency";
    for (const std::string_view names : {defaultColumns, ofOldVersions}) {
        std::vector<std::string> columns = *CsvReader(names).next();
        if (columns.size() == fields)
            return columns;
    }
    return {};
}

Result<SampleList> readCsv(std::string_view text)
{
    const std::string_view first = text.substr(0, text.find('\n'));
    const bool header = isHeader(first);
    const std::string delimiter(1, header ? delimiterOf(first) : ',');
    CsvReader reader(text, delimiter);
    std::vector<std::string> columns;
    if (header) {
        columns = *reader.next();
        for (const char *needed : {"timeStamp", "elapsed"}) {
            if (std::find(columns.begin(), columns.end(), needed) == columns.end())
                return at(1, "the header has no column " + std::string(needed));
        }
    }
    SampleList list;
    const FieldReader fields;
    while (const auto record = reader.next()) {
        if (columns.empty())
            columns = assumedColumns(record->size());
        if (reader.unterminated())
            return at(reader.line(), "a quote is not closed: the file is cut");
        if (record->size() != columns.size())
            return at(reader.line(),
                      std::to_string(record->size()) + " fields; expected " +
                          (columns.empty() ? "the 17 of JMeter, or a header" : std::to_string(columns.size())));
        Sample sample;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (const std::string wrong = fields.set(sample, columns[i], (*record)[i]); !wrong.empty())
                return at(reader.line(), wrong);
        }
        keep(list, std::move(sample));
    }
    return list;
}

std::string failureIn(const exchange::XmlElement &element)
{
    for (const exchange::XmlElement &child : element.children) {
        const exchange::XmlElement *failed = child.child("failure"), *message = child.child("failureMessage");
        if (child.name == "assertionResult" && failed && failed->text == "true")
            return message ? message->text : "assertion failed";
    }
    return {};
}

Result<SampleList> readXml(std::string_view text)
{
    const Result<exchange::XmlElement> root = exchange::parseXml(text);
    if (!root)
        return root.error();
    if (root->name != "testResults")
        return at(static_cast<std::size_t>(root->line),
                  "the file's element is <" + root->name + ">; expected <testResults>");
    SampleList list;
    const FieldReader fields;
    for (const exchange::XmlElement &element : root->children) { // samples within samples are parts of these
        if (element.name != "httpSample" && element.name != "sample")
            continue;
        Sample sample;
        for (const auto &[name, value] : element.attributes) {
            if (const std::string wrong = fields.set(sample, name, value); !wrong.empty())
                return at(static_cast<std::size_t>(element.line), wrong);
        }
        for (const char *needed : {"t", "ts"}) {
            if (element.attribute(needed).empty())
                return at(static_cast<std::size_t>(element.line), "<" + element.name + "> has no attribute " + needed);
        }
        if (const exchange::XmlElement *url = element.child("java.net.URL"))
            sample.url = url->text;
        sample.failure = failureIn(element);
        keep(list, std::move(sample));
    }
    return list;
}

} // namespace

std::string jtlHeader()
{
    return std::string(defaultColumns) + '\n';
}

std::string jtlLine(const Sample &sample)
{
    const auto number = [](auto value) {
        return std::to_string(value) + ',';
    };
    const auto text = [](const std::string &value) {
        return csvField(value) + ',';
    };
    return number(sample.start_ms) + number(sample.elapsed_ms) + text(sample.label) + text(sample.code) +
           text(sample.message) + text(sample.thread) + text(sample.dataType) + (sample.success ? "true," : "false,") +
           text(sample.failure) + number(sample.bytes) + number(sample.sentBytes) + number(sample.groupThreads) +
           number(sample.allThreads) + text(sample.url) + number(sample.latency_ms) + number(sample.idle_ms) +
           std::to_string(sample.connect_ms) + '\n';
}

Result<SampleList> readJtl(std::string_view text, std::size_t maxBytes)
{
    if (text.size() > maxBytes)
        return fail("the file has " + std::to_string(text.size()) + " bytes; expected at most " +
                        std::to_string(maxBytes),
                    Error::Code::TooLarge);
    const std::size_t begin = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    Result<SampleList> list =
        begin != std::string_view::npos && text[begin] == '<' ? readXml(text.substr(begin)) : readCsv(text);
    if (list && list->samples.empty())
        return at(1, "no sample in the file; expected JMeter's results as CSV or XML");
    return list;
}

} // namespace wardbench::report
