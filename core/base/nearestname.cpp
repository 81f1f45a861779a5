#include "base/nearestname.h"

#include <algorithm>

namespace wardbench {
namespace {

std::string lowered(std::string_view text)
{
    std::string result(text);
    for (char &c : result) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

/// Optimal string alignment: Levenshtein's distance with swaps of neighbours. What both begin or end with costs
/// nothing.
std::size_t distance(std::string_view a, std::string_view b)
{
    while (!a.empty() && !b.empty() && a.front() == b.front()) {
        a.remove_prefix(1);
        b.remove_prefix(1);
    }
    while (!a.empty() && !b.empty() && a.back() == b.back()) {
        a.remove_suffix(1);
        b.remove_suffix(1);
    }
    if (a.empty() || b.empty())
        return std::max(a.size(), b.size());
    std::vector<std::size_t> beforeLast(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = last[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], beforeLast[j - 2] + 1);
        }
        beforeLast.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

/// A third of the characters may differ; more when the names begin alike, or one holds the other.
bool isNear(const std::string &wanted, const std::string &other, std::size_t steps)
{
    const std::size_t shorter = std::min(wanted.size(), other.size()), longer = std::max(wanted.size(), other.size());
    if (steps <= std::max<std::size_t>(1, wanted.size() / 3))
        return true;
    if (shorter >= 3 && wanted.compare(0, 3, other, 0, 3) == 0)
        return 2 * steps <= longer;
    return shorter >= 4 && (wanted.find(other) != std::string::npos || other.find(wanted) != std::string::npos);
}

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b)
{
    return distance(lowered(a), lowered(b));
}

std::string nearestName(std::string_view name, const std::vector<std::string> &known)
{
    constexpr std::size_t longest = 64; // nobody means one of our names with more
    if (name.empty() || name.size() > longest)
        return {};
    const std::string wanted = lowered(name);
    std::string best;
    std::size_t bestSteps = longest;
    for (const std::string &candidate : known) {
        const std::string other = lowered(candidate);
        const std::size_t steps = other.size() > longest ? longest : distance(wanted, other);
        if (steps < bestSteps && isNear(wanted, other, steps)) {
            bestSteps = steps;
            best = candidate;
        }
    }
    return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string> &known)
{
    const std::string nearest = nearestName(name, known);
    return nearest.empty() ? std::string() : "; did you mean \"" + nearest + "\"?";
}

} // namespace wardbench
