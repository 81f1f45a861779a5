#pragma once

#include <string>
#include <utility>
#include <variant>

namespace wardbench {

/// Why something failed, in words a user can act on. `code` lets callers tell kinds apart without reading text.
struct Error
{
    enum class Code { Failed, NotFound, Denied, InUse, ChangedOnDisk, TooLarge, Cancelled, BadInput };

    std::string message;
    Code code = Code::Failed;
};

/// A value or an Error. Check with `if (!result)` before `*result`.
template <typename T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    explicit operator bool() const { return m_state.index() == 0; }
    T &operator*() & { return std::get<0>(m_state); }
    const T &operator*() const & { return std::get<0>(m_state); }
    T &&operator*() && { return std::get<0>(std::move(m_state)); }
    T *operator->() { return &std::get<0>(m_state); }
    const T *operator->() const { return &std::get<0>(m_state); }
    const Error &error() const { return std::get<1>(m_state); }

private:
    std::variant<T, Error> m_state;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)), m_failed(true) {}

    explicit operator bool() const { return !m_failed; }
    const Error &error() const { return m_error; }

private:
    Error m_error;
    bool m_failed = false;
};

inline Error fail(std::string message, Error::Code code = Error::Code::Failed)
{
    return Error{std::move(message), code};
}

} // namespace wardbench
