#include "match/requestview.h"

#include "http/message.h"

#include <array>
#include <vector>

namespace wardbench {

namespace {

constexpr std::array<bool, 256> makeChanged()
{
    std::array<bool, 256> changed{};
    for (unsigned c = 0; c < changed.size(); ++c)
        changed[c] = c <= 0x20 || c >= 0x7F;
    for (const unsigned char c : std::string_view("\"<>`{}\\#?"))
        changed[c] = true;
    return changed;
}

/// The URL standard's path percent-encode set, with the backslash that it turns into a slash.
bool isChanged(unsigned char c)
{
    static constexpr std::array<bool, 256> changed = makeChanged();
    return changed[c];
}

bool isDot(std::string_view segment)
{
    return segment == "." || http::equalsIgnoringCase(segment, "%2e");
}

bool isDoubleDot(std::string_view segment)
{
    return segment == ".." || http::equalsIgnoringCase(segment, ".%2e") || http::equalsIgnoringCase(segment, "%2e.") ||
           http::equalsIgnoringCase(segment, "%2e%2e");
}

void appendEscaped(std::string &out, std::string_view segment)
{
    static constexpr char digits[] = "0123456789ABCDEF";
    for (const char c : segment) {
        const auto byte = static_cast<unsigned char>(c);
        if (isChanged(byte)) {
            out += '%';
            out += digits[byte >> 4];
            out += digits[byte & 15];
        } else {
            out += c;
        }
    }
}

} // namespace

bool isNormalPath(std::string_view path)
{
    if (!path.starts_with('/'))
        return false;
    char before = 0;
    for (const char c : path) {
        // a dot, or an escape that may be one, at the start of a segment: look closer
        if (isChanged(static_cast<unsigned char>(c)) || ((c == '.' || c == '%') && before == '/'))
            return false;
        before = c;
    }
    return true;
}

std::string normalPath(std::string_view path)
{
    if (path.starts_with('/') || path.starts_with('\\'))
        path.remove_prefix(1);
    std::vector<std::string_view> kept;
    for (;;) {
        const std::size_t slash = path.find_first_of("/\\");
        const bool last = slash == std::string_view::npos;
        const std::string_view segment = path.substr(0, slash);
        if (isDoubleDot(segment)) {
            if (!kept.empty())
                kept.pop_back();
            if (last)
                kept.emplace_back();
        } else if (isDot(segment)) {
            if (last)
                kept.emplace_back();
        } else {
            kept.push_back(segment);
        }
        if (last)
            break;
        path.remove_prefix(slash + 1);
    }
    std::string result;
    for (const std::string_view segment : kept) {
        result += '/';
        appendEscaped(result, segment);
    }
    return result.empty() ? "/" : result;
}

} // namespace wardbench
