#include "json/jsonpath.h"

#include "json/jsonpathparser.h"

#include <algorithm>
#include <deque>

namespace wardbench::json {

namespace {

/// A value on the way, and how it was reached: `parent` is the place of another one.
struct Visited
{
    const Value *value;
    std::uint32_t parent;
    const std::string *name = nullptr; ///< in an object
    std::size_t index = 0;             ///< in an array
};

constexpr std::uint32_t noParent = UINT32_MAX;

/// One selection. Every value looked at costs a step, and so does all that is kept.
class Selection
{
public:
    Selection(const Value &root, std::uint64_t &steps) : m_root(root), m_steps(steps)
    {
        m_visited.push_back({&root, noParent});
        m_current.push_back(0);
    }

    void follow(const PathSegment &segment)
    {
        m_next.clear();
        for (const std::uint32_t place : m_current) {
            if (m_steps == 0)
                break;
            switch (segment.kind) {
            case PathSegment::Kind::Children:
                for (const PathSelector &selector : segment.selectors)
                    children(place, selector);
                break;
            case PathSegment::Kind::Descendants:
                descendants(place);
                break;
            case PathSegment::Kind::Parent:
                if (spend() && m_visited[place].parent != noParent)
                    m_next.push_back(m_visited[place].parent);
                break;
            case PathSegment::Kind::OwnName:
                if (m_visited[place].parent != noParent)
                    keepMade(place, ownName(m_visited[place]));
                break;
            }
        }
        m_current.swap(m_next);
    }

    std::vector<Value> take() const
    {
        std::vector<Value> found;
        found.reserve(m_current.size());
        for (const std::uint32_t place : m_current)
            found.push_back(*m_visited[place].value);
        return found;
    }

private:
    bool spend()
    {
        if (m_steps == 0)
            return false;
        --m_steps;
        return true;
    }

    std::uint32_t add(const Visited &visited)
    {
        m_visited.push_back(visited);
        return static_cast<std::uint32_t>(m_visited.size() - 1);
    }

    void keep(const Visited &visited)
    {
        if (spend())
            m_next.push_back(add(visited));
    }

    void keepMade(std::uint32_t parent, Value value)
    {
        m_made.push_back(std::move(value));
        keep({&m_made.back(), parent});
    }

    Value ownName(const Visited &visited) const
    {
        if (visited.name)
            return Value(*visited.name);
        return Value(static_cast<std::uint64_t>(visited.index));
    }

    static Visited childAt(const Value &of, std::uint32_t place, std::size_t i)
    {
        if (of.isArray())
            return {&of.at(i), place, nullptr, i};
        const Member &member = of.members()[i];
        return {&member.second, place, &member.first, i};
    }

    void children(std::uint32_t place, const PathSelector &selector)
    {
        const Value &value = *m_visited[place].value;
        switch (selector.kind) {
        case PathSelector::Kind::Name:
            named(place, selector.name);
            break;
        case PathSelector::Kind::Slice:
            slice(place, selector);
            break;
        case PathSelector::Kind::Any:
            for (std::size_t i = 0; i < value.size() && m_steps > 0; ++i)
                keep(childAt(value, place, i));
            break;
        case PathSelector::Kind::Filter:
            for (std::size_t i = 0; i < value.size() && m_steps > 0; ++i) {
                const Visited child = childAt(value, place, i);
                if (selector.expression.holds({m_root, *child.value, &value, ownName(child)}, m_steps))
                    keep(child);
            }
            break;
        case PathSelector::Kind::Script:
            if (auto name = selector.expression.name({m_root, value}, m_steps))
                named(place, m_names.emplace_back(std::move(*name)));
            break;
        }
    }

    /// `name` has to last as long as the selection.
    void named(std::uint32_t place, const std::string &name)
    {
        const Value &value = *m_visited[place].value;
        std::optional<Value> made;
        const Value *found = spend() ? findChild(value, name, made) : nullptr;
        if (!found)
            return;
        if (made)
            keepMade(place, std::move(*made));
        else if (value.isArray())
            keep({found, place, nullptr, static_cast<std::size_t>(found - value.items().data())});
        else
            keep({found, place, &name, 0});
    }

    /// RFC 9535 section 2.3.4.2.2
    void slice(std::uint32_t place, const PathSelector &selector)
    {
        const Value &value = *m_visited[place].value;
        if (!value.isArray() || selector.step == 0)
            return;
        const auto size = static_cast<std::int64_t>(value.size());
        const std::int64_t step = selector.step;
        const auto place0 = [size](std::optional<std::int64_t> given, std::int64_t otherwise) {
            if (!given)
                return otherwise;
            return *given >= 0 ? *given : std::max(*given, -size - 1) + size;
        };
        const std::int64_t begin = place0(selector.begin, step > 0 ? 0 : size - 1);
        const std::int64_t end = place0(selector.end, step > 0 ? size : -size - 1);
        if (step > 0) {
            const std::int64_t last = std::clamp<std::int64_t>(end, 0, size);
            for (std::int64_t i = std::clamp<std::int64_t>(begin, 0, size); i < last && m_steps > 0;
                 i += std::min(step, size))
                keep(childAt(value, place, static_cast<std::size_t>(i)));
        } else {
            const std::int64_t last = std::clamp<std::int64_t>(end, -1, size - 1);
            for (std::int64_t i = std::clamp<std::int64_t>(begin, -1, size - 1); i > last && m_steps > 0;
                 i += std::max(step, -size))
                keep(childAt(value, place, static_cast<std::size_t>(i)));
        }
    }

    void descendants(std::uint32_t place)
    {
        m_open.assign(1, place);
        while (!m_open.empty() && spend()) {
            const std::uint32_t next = m_open.back();
            m_open.pop_back();
            m_next.push_back(next);
            const Value &value = *m_visited[next].value;
            for (std::size_t i = value.size(); i-- > 0 && m_steps > 0;) {
                const Visited child = childAt(value, next, i);
                --m_steps;
                if (child.value->isArray() || child.value->isObject())
                    m_open.push_back(add(child));
            }
        }
    }

    const Value &m_root;
    std::uint64_t &m_steps;
    std::vector<Visited> m_visited;
    std::vector<std::uint32_t> m_current, m_next, m_open;
    std::deque<std::string> m_names; // that scripts gave
    std::deque<Value> m_made;        // values that are not part of the document
};

} // namespace

Result<JsonPath> JsonPath::compile(std::string_view text, const RegexFactory &regex)
{
    return JsonPathParser(text, regex).parse();
}

Result<std::vector<Value>> JsonPath::select(const Value &root, std::uint64_t &steps) const
{
    Selection selection(root, steps);
    for (const PathSegment &segment : m_segments->list)
        selection.follow(segment);
    if (steps == 0)
        return fail("the selection was given up: too many steps", Error::Code::TooLarge);
    return selection.take();
}

Result<std::vector<Value>> JsonPath::select(const Value &root) const
{
    std::uint64_t steps = stepLimit;
    return select(root, steps);
}

} // namespace wardbench::json
