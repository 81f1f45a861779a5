#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace wardbench {

struct Reply;

/// What runs when a request has its outcome. Like std::function, but a callable of up to 48 bytes is kept in place:
/// one that holds a weak pointer and a few words does not fit std::function's 16, and a request passes several of
/// them on its way. Larger ones are wrapped in a std::function.
class ReplyCallback
{
public:
    ReplyCallback() = default;
    ReplyCallback(std::nullptr_t) {}
    template <typename Callable>
    requires(!std::is_same_v<std::remove_cvref_t<Callable>, ReplyCallback> &&
             std::is_invocable_v<Callable &, const Reply &>) ReplyCallback(Callable &&callable)
    {
        using Given = std::remove_cvref_t<Callable>;
        using Kept = std::conditional_t<fits<Given>, Given, std::function<void(const Reply &)>>;
        ::new (static_cast<void *>(m_storage)) Kept(std::forward<Callable>(callable));
        m_operations = &operationsOf<Kept>;
    }
    ReplyCallback(const ReplyCallback &other) : m_operations(other.m_operations)
    {
        if (m_operations)
            m_operations->copy(m_storage, other.m_storage);
    }
    ReplyCallback(ReplyCallback &&other) noexcept : m_operations(std::exchange(other.m_operations, nullptr))
    {
        if (m_operations)
            m_operations->move(m_storage, other.m_storage);
    }
    ReplyCallback &operator=(ReplyCallback other) noexcept
    {
        clear();
        m_operations = std::exchange(other.m_operations, nullptr);
        if (m_operations)
            m_operations->move(m_storage, other.m_storage);
        return *this;
    }
    ~ReplyCallback() { clear(); }

    explicit operator bool() const { return m_operations != nullptr; }
    void operator()(const Reply &reply) const { m_operations->call(m_storage, reply); }

private:
    static constexpr std::size_t capacity = 48;
    template <typename Callable>
    static constexpr bool
        fits = sizeof(Callable) <= capacity &&
               alignof(Callable) <= alignof(std::max_align_t) && std::is_nothrow_move_constructible_v<Callable>;

    struct Operations
    {
        void (*call)(void *callable, const Reply &reply);
        void (*copy)(void *to, const void *from);
        void (*move)(void *to, void *from) noexcept; ///< leaves nothing behind
        void (*destroy)(void *callable) noexcept;
    };
    // Functions with names, not lambdas: a profile shows whose callback it was.
    template <typename Callable>
    static void call(void *callable, const Reply &reply)
    {
        std::invoke(*static_cast<Callable *>(callable), reply);
    }
    template <typename Callable>
    static void copy(void *to, const void *from)
    {
        ::new (to) Callable(*static_cast<const Callable *>(from));
    }
    template <typename Callable>
    static void move(void *to, void *from) noexcept
    {
        ::new (to) Callable(std::move(*static_cast<Callable *>(from)));
        destroy<Callable>(from);
    }
    template <typename Callable>
    static void destroy(void *callable) noexcept
    {
        static_cast<Callable *>(callable)->~Callable();
    }
    template <typename Callable>
    static constexpr Operations operationsOf{call<Callable>, copy<Callable>, move<Callable>, destroy<Callable>};

    void clear()
    {
        if (const Operations *operations = std::exchange(m_operations, nullptr))
            operations->destroy(m_storage);
    }

    const Operations *m_operations = nullptr;
    alignas(std::max_align_t) mutable std::byte m_storage[capacity];
};

} // namespace wardbench
