#include "http/fieldline.h"

#include "http/characters.h"

namespace wardbench::http {

namespace {

bool decidesFraming(std::string_view name)
{
    return equalsIgnoringCase(name, "content-length") || equalsIgnoringCase(name, "transfer-encoding") ||
           equalsIgnoringCase(name, "host");
}

ParseError foldLine(std::string_view line, Headers &headers, Leniencies allowed, Leniencies &used)
{
    if (headers.empty())
        return {400, "blank before the first header", 0};
    if (!allowed.has(Leniency::ObsFold))
        return {400, "header continued on the next line", 0};
    const Header &last = *(headers.end() - 1);
    if (decidesFraming(last.name))
        return {400, "a header that decides the framing is continued on the next line", 0};
    const std::string_view more = trimBlanks(line);
    std::size_t at = 0;
    if (const std::string_view problem = checkFieldValue(more, allowed, used, at); !problem.empty())
        return {400, problem, at};
    used.add(Leniency::ObsFold);
    headers.extendLast(more);
    return {};
}

} // namespace

std::string_view checkFieldValue(std::string_view value, Leniencies allowed, Leniencies &used, std::size_t &at)
{
    for (std::size_t i = firstNot(value, FieldChar); i < value.size(); ++i) {
        const char c = value[i];
        if (isChar(c, FieldChar))
            continue;
        at = i;
        if (c == '\0')
            return "NUL in a header value";
        if (c == '\r')
            return "CR in a header value that is not part of a line end";
        if (!allowed.use(Leniency::CtlInValue, used))
            return "control character in a header value";
    }
    return {};
}

FieldLine parseFieldLine(std::string_view line, Leniencies allowed, Leniencies &used)
{
    FieldLine field;
    const std::size_t end = firstNot(line, TokenChar);
    const auto problem = [&](std::size_t at, std::string_view text) {
        field.at = at;
        field.problem = text;
        return field;
    };
    if (end == line.size())
        return problem(end, "header line without a colon");
    if (end == 0)
        return problem(0, line[0] == ':' ? "header name is empty" : "illegal character in a header name");
    std::size_t colon = end;
    if (line[end] == ' ' || line[end] == '\t') {
        while (colon < line.size() && (line[colon] == ' ' || line[colon] == '\t'))
            ++colon;
        if (colon == line.size() || line[colon] != ':')
            return problem(end, "header line without a colon");
        if (!allowed.use(Leniency::SpaceBeforeColon, used))
            return problem(end, "blank between header name and colon");
    } else if (line[end] != ':') {
        return problem(end, "illegal character in a header name");
    }
    field.name = line.substr(0, end);
    field.value = trimBlanks(line.substr(colon + 1));
    std::size_t at = 0;
    field.problem = checkFieldValue(field.value, allowed, used, at);
    field.at = static_cast<std::size_t>(field.value.data() - line.data()) + at;
    return field;
}

ParseError addFieldLine(std::string_view line, Headers &headers, const ParserLimits &limits, Leniencies allowed,
                        Leniencies &used)
{
    if (line.front() == ' ' || line.front() == '\t')
        return foldLine(line, headers, allowed, used);
    const FieldLine field = parseFieldLine(line, allowed, used);
    if (!field.problem.empty())
        return {400, field.problem, field.at};
    if (headers.size() == limits.fields)
        return {431, "too many header fields", 0};
    headers.add(std::string(field.name), std::string(field.value));
    return {};
}

bool cutLineEnd(std::string_view &line, Leniencies allowed, Leniencies &used)
{
    line.remove_suffix(1);
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
        return true;
    }
    return allowed.use(Leniency::BareLf, used);
}

} // namespace wardbench::http
