#include "match/patternset.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>

namespace wardbench {

namespace {

// RE2's default of 8 MiB is too little for a thousand expressions. This is a bound, not what is used.
constexpr std::int64_t baseMemory = 32ll << 20;
constexpr std::int64_t memoryPerPattern = 32ll << 10;
constexpr std::int64_t mostMemory = 512ll << 20;

re2::RE2::Options optionsFor(std::size_t patterns)
{
    re2::RE2::Options options(re2::RE2::Latin1);
    options.set_log_errors(false);
    options.set_never_capture(true);
    options.set_max_mem(std::min(mostMemory, baseMemory + memoryPerPattern * static_cast<std::int64_t>(patterns)));
    return options;
}

} // namespace

class PatternSet::Set
{
public:
    explicit Set(std::size_t patterns) : set(optionsFor(patterns), re2::RE2::UNANCHORED) {}
    re2::RE2::Set set;
};

PatternSet::PatternSet() = default;
PatternSet::~PatternSet() = default;

std::shared_ptr<const PatternSet> PatternSet::compile(const std::vector<std::string> &patterns)
{
    const std::shared_ptr<PatternSet> made(new PatternSet);
    made->m_set = std::make_unique<Set>(patterns.size());
    for (const std::string &pattern : patterns) {
        if (made->m_numbers.count(pattern) != 0)
            continue;
        const int number = made->m_set->set.Add(pattern, nullptr);
        if (number >= 0)
            made->m_numbers.emplace(pattern, number);
    }
    if (made->m_numbers.empty() || !made->m_set->set.Compile())
        return nullptr;
    return made;
}

int PatternSet::find(const std::string &pattern) const
{
    const auto found = m_numbers.find(pattern);
    return found == m_numbers.end() ? -1 : found->second;
}

bool PatternSet::search(std::string_view subject, std::vector<int> &found) const
{
    found.clear();
    re2::RE2::Set::ErrorInfo error{re2::RE2::Set::kNoError};
    const bool any = m_set->set.Match(re2::StringPiece(subject.data(), subject.size()), &found, &error);
    return any || error.kind == re2::RE2::Set::kNoError;
}

} // namespace wardbench
