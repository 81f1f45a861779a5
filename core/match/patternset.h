#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace wardbench {

/// Many RE2 expressions searched for in one pass. Immutable; any thread may search.
class PatternSet
{
public:
    /// Null when the set would not compile; expressions that RE2 refuses are left out.
    static std::shared_ptr<const PatternSet> compile(const std::vector<std::string> &patterns);
    ~PatternSet();

    /// Number of an expression, or -1 when the set does not have it.
    int find(const std::string &pattern) const;
    std::size_t size() const { return m_numbers.size(); }
    /// Numbers of the expressions found in an ASCII subject; false when the search failed and nothing is known.
    bool search(std::string_view subject, std::vector<int> &found) const;

private:
    PatternSet();
    class Set;
    std::unique_ptr<Set> m_set;
    std::unordered_map<std::string, int> m_numbers;
};

} // namespace wardbench
