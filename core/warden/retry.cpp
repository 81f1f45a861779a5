#include "warden/retry.h"

#include "http/date.h"

#include <cmath>

namespace wardbench::warden {
namespace {

/// What the server asks for: seconds, or a date, which is compared with the answer's own Date.
std::optional<Nanoseconds> retryAfter(const Reply &reply)
{
    if (!reply.response)
        return std::nullopt;
    const std::string *value = reply.response->headers.find("retry-after");
    if (!value)
        return std::nullopt;
    if (const auto seconds = http::deltaSeconds(*value))
        return *seconds;
    const std::string *date = reply.response->headers.find("date");
    const auto until = http::parseDate(*value);
    const auto now = date ? http::parseDate(*date) : std::optional(http::systemDate());
    if (!until || !now)
        return std::nullopt;
    return std::max<Nanoseconds>(*until - *now, Nanoseconds(0));
}

} // namespace

Retry::Retry(const RetryConfig &config, Surroundings &surroundings)
    : Module("retry"), m_config(config), m_methods(config.methods), m_surroundings(surroundings),
      m_random(surroundings.random("retry"))
{
    if (config.budget) {
        m_budget.emplace(*config.budget);
        m_budgetSpent = &counter("budgetSpent");
    }
    m_refused = &counter("refusedByServer");
}

bool Retry::isFailure(const Reply &reply) const
{
    if (reply.response)
        return m_config.retriesStatus(reply.response->status);
    if (!m_config.errors)
        return isConnectionError(reply.error);
    const auto &errors = *m_config.errors;
    return std::find(errors.begin(), errors.end(), errorName(reply.error)) != errors.end();
}

void Retry::send(Call &call)
{
    m_states[call] = {};
    if (m_budget)
        m_budget->deposit(m_surroundings.now());
    m_networkSide->send(call);
}

void Retry::answer(Call &call, const Reply &reply)
{
    State &state = m_states[call];
    if (!isFailure(reply)) {
        if (state.retries > 0 && reply.response)
            ++m_recovered;
    } else if (m_methods.contains(call.request->method)) {
        if (sendsAgain(call, reply, state))
            return;
        ++m_exhausted;
    }
    m_callerSide->answer(call, reply);
}

bool Retry::sendsAgain(Call &call, const Reply &reply, State &state)
{
    if (state.retries >= m_config.mostRetries())
        return false;
    Nanoseconds delay = delayBefore(call, state.retries);
    if (const auto asked = m_config.retryAfter ? retryAfter(reply) : std::nullopt) {
        if (*asked > m_config.maxRetryAfter) {
            ++*m_refused;
            return false;
        }
        delay = std::max(delay, *asked);
    }
    const TimePoint now = m_surroundings.now();
    if (m_budget && !m_budget->withdraw(now)) {
        m_budgetSpent->note(now);
        return false;
    }
    ++state.retries;
    m_retries.note(now);
    sendAfter(call, delay);
    return true;
}

// Retry n (from 0) waits delay, delay * (n + 1) or delay * multiplier^n, at most maxDelay; full jitter takes anything
// from nothing up to that.
Nanoseconds Retry::delayBefore(const Call &call, int retry) const
{
    double delay = static_cast<double>(m_config.delay.count());
    if (m_config.backoffType == RetryConfig::Backoff::Linear)
        delay *= retry + 1;
    else if (m_config.backoffType == RetryConfig::Backoff::Exponential)
        delay *= std::pow(m_config.multiplier, retry);
    constexpr double longest = 9e18;
    delay = std::min(delay, m_config.maxDelay ? static_cast<double>(m_config.maxDelay->count()) : longest);
    if (m_config.fullJitter)
        delay *= m_random.unit(call.id, static_cast<std::uint64_t>(retry));
    return Nanoseconds(static_cast<std::int64_t>(std::min(delay, longest)));
}

void Retry::sendAfter(Call &call, Nanoseconds delay)
{
    if (delay <= Nanoseconds(0)) {
        m_networkSide->send(call);
        return;
    }
    const std::uint64_t wait = m_states[call].wait = ++m_lastWait;
    m_surroundings.after(delay, [this, &call, wait] {
        if (m_states[call].wait != wait)
            return;
        m_states[call].wait = 0;
        m_networkSide->send(call);
    });
}

void Retry::abandon(Call &call)
{
    m_states[call].wait = 0;
    m_networkSide->abandon(call);
}

} // namespace wardbench::warden
