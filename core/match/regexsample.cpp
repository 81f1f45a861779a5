#include "match/regexsample.h"

#include "match/jsregexparser.h"

#include <algorithm>
#include <map>

namespace wardbench {
namespace {

constexpr std::size_t longest = 4096;

/// A unit of the set that a person likes to read; '\0' for none in ASCII.
char niceUnit(const CodeUnitSet &set)
{
    static constexpr std::string_view liked =
        "a1bcdefghijklmnopqrstuvwxyz023456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_./:@ ,;=+!?#$%&'()*<>[]^`{|}~\"\\\t\n\r";
    const auto found = std::find_if(liked.begin(), liked.end(), [&set](char c) {
        return set.contains(static_cast<char16_t>(static_cast<unsigned char>(c)));
    });
    return found == liked.end() ? '\0' : *found;
}

class Sampler
{
public:
    bool add(const RegexNode &node)
    {
        using Kind = RegexNode::Kind;
        switch (node.kind) {
        case Kind::Set:
            return addUnit(node.set);
        case Kind::Sequence:
            return std::all_of(node.children.begin(), node.children.end(),
                               [this](const RegexNode &child) { return add(child); });
        case Kind::Choice:
            return addFirstPossible(node);
        case Kind::Group: {
            const std::size_t start = text.size();
            const bool done = add(node.children.front());
            m_groups[node.group] = text.substr(std::min(start, text.size()));
            return done;
        }
        case Kind::Repeat:
            for (std::uint32_t i = 0; i < node.min; ++i) {
                if (!add(node.children.front()))
                    return false;
            }
            return true;
        case Kind::BackReference:
            text += m_groups[node.group];
            return text.size() <= longest;
        case Kind::Empty:
        case Kind::Begin:
        case Kind::End:
        case Kind::Boundary:
        case Kind::Look:
            return true;
        }
        return true;
    }

    std::string text;

private:
    bool addUnit(const CodeUnitSet &set)
    {
        const char unit = niceUnit(set);
        if (unit == '\0' || text.size() >= longest)
            return false;
        text += unit;
        return true;
    }

    bool addFirstPossible(const RegexNode &node)
    {
        const std::string before = text;
        for (const RegexNode &child : node.children) {
            if (add(child))
                return true;
            text = before;
        }
        return node.children.empty();
    }

    std::map<int, std::string> m_groups;
};

} // namespace

std::optional<std::string> regexSample(std::string_view pattern, std::string_view flags)
{
    const Result<JsRegex> regex = parseJsRegex(pattern, flags);
    Sampler sampler;
    return regex && sampler.add(regex->root) ? std::optional(std::move(sampler.text)) : std::nullopt;
}

} // namespace wardbench
