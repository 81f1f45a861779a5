#pragma once

#include "model/policy.h"

#include <array>

namespace wardbench::warden {

/// How many re-tries the calls of the last `ttl` pay for (Finagle's retry budget): a share of the calls, and so many a
/// second besides. A re-try counts when it is decided, not when its delay is over.
class BudgetWindow
{
public:
    explicit BudgetWindow(const RetryBudget &budget) : m_budget(budget) {}

    void deposit(TimePoint now) { slotAt(now).calls += 1; }
    /// Takes one re-try out, if there is one.
    bool withdraw(TimePoint now)
    {
        Slot &current = slotAt(now);
        double balance = m_budget.minRetriesPerSecond * std::chrono::duration<double>(m_budget.ttl).count();
        for (const Slot &slot : m_slots) {
            if (slot.number + slots > current.number)
                balance += m_budget.percentCanRetry * slot.calls - slot.retries;
        }
        if (balance < 1 - 1e-9)
            return false;
        current.retries += 1;
        return true;
    }

private:
    static constexpr std::int64_t slots = 10;
    struct Slot
    {
        std::int64_t number = -slots;
        double calls = 0, retries = 0;
    };

    Slot &slotAt(TimePoint now)
    {
        const std::int64_t width = std::max<std::int64_t>(m_budget.ttl.count() / slots, 1);
        const std::int64_t number = now.time_since_epoch().count() / width;
        Slot &slot = m_slots[static_cast<std::size_t>(number % slots)];
        if (slot.number != number)
            slot = {number, 0, 0};
        return slot;
    }

    RetryBudget m_budget;
    std::array<Slot, slots> m_slots;
};

} // namespace wardbench::warden
