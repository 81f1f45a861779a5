#include "json/plainparser.h"

#include "json/memberindex.h"
#include "json/plainreader.h"

#include <utility>

namespace wardbench::json {

namespace {

// Lists of more items keep the memory they grew in; shorter ones are copied out of the thread's.
constexpr std::size_t fewItems = 64;

/// An array or object that is being read.
struct Frame
{
    bool isArray = false;
    Array items{};
    Members members{};
    MemberIndex index{};
    std::string name{}; // of the member being read

    void clear()
    {
        items.clear();
        members.clear();
        index = {};
    }
};

/// The list itself, in memory of its size.
template <typename List>
List takeList(List &list)
{
    if (list.size() > fewItems)
        return std::exchange(list, {});
    List taken(std::make_move_iterator(list.begin()), std::make_move_iterator(list.end()));
    list.clear();
    return taken;
}

/// Makes the tree of what is read. The frames, one for each depth, are the thread's: most texts are small and many.
class PlainTree
{
public:
    PlainTree() : m_frames(framesOfThread()) {}
    ~PlainTree()
    {
        while (m_depth > 0)
            m_frames[--m_depth].clear();
    }
    PlainTree(const PlainTree &) = delete;
    PlainTree &operator=(const PlainTree &) = delete;

    Value takeRoot() { return std::move(m_root); }

    bool open(bool isArray)
    {
        if (m_depth == m_frames.size())
            m_frames.emplace_back();
        m_frames[m_depth++].isArray = isArray;
        return true;
    }

    bool name(std::string_view text)
    {
        Frame &frame = m_frames[m_depth - 1];
        frame.name.assign(text);
        return frame.index.find(frame.members, text) == MemberIndex::none;
    }

    bool close(bool isArray)
    {
        Frame &frame = m_frames[--m_depth];
        frame.index = {};
        return isArray ? add(Value(takeList(frame.items))) : add(Value(takeList(frame.members)));
    }

    bool string(std::string_view text) { return add(Value(text)); }
    bool number(std::string_view text) { return add(Value::number(std::string(text))); }
    bool word(std::string_view word) { return add(word == "null" ? Value() : Value(word == "true")); }

private:
    static std::vector<Frame> &framesOfThread()
    {
        static thread_local std::vector<Frame> frames;
        return frames;
    }

    bool add(Value &&value)
    {
        if (m_depth == 0) {
            m_root = std::move(value);
            return true;
        }
        Frame &frame = m_frames[m_depth - 1];
        if (frame.isArray) {
            frame.items.push_back(std::move(value));
        } else {
            frame.members.emplace_back(std::move(frame.name), std::move(value));
            frame.index.appended(frame.members);
        }
        return true;
    }

    std::vector<Frame> &m_frames;
    std::size_t m_depth = 0; ///< of the frames, those that are open
    Value m_root;
};

} // namespace

std::optional<Value> parsePlain(std::string_view text, const Limits &limits)
{
    PlainTree tree;
    if (!PlainReader(text, limits, tree).run())
        return std::nullopt;
    return tree.takeRoot();
}

} // namespace wardbench::json
