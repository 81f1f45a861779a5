#include "admin/stubburst.h"

#include <asio/post.hpp>

#include <algorithm>

namespace wardbench::admin {
namespace {

using namespace std::chrono_literals;

constexpr auto quiet = 20ms;
constexpr auto longest = 1s; ///< who looks at the workspace sees a long burst grow

std::vector<WorkspaceEdit> editOf(const json::Array &stubs, const Imposter &now, const json::Path &at)
{
    json::Path path = at;
    path.emplace_back("stubs");
    const json::Value &old = now.source["stubs"];
    if (stubs.size() == 1 && old.isArray()) {
        path.emplace_back("-");
        return {WorkspaceEdit::insert("Add stub over REST", path, stubs.front())};
    }
    json::Array all = old.items();
    all.insert(all.end(), stubs.begin(), stubs.end());
    return {WorkspaceEdit::set("Add " + std::to_string(stubs.size()) + " stubs over REST", path, std::move(all))};
}

} // namespace

bool StubBurst::add(ImposterId id, json::Value stub)
{
    const auto found = m_pending.find(id);
    if (found != m_pending.end()) {
        found->second.push_back(std::move(stub));
        settleLater();
        return true;
    }
    // Asked for by an I/O thread; the work is done here.
    if (!m_live.service().hold(id, [this] { asio::post(m_loop, [this] { settle(); }); }))
        return false;
    if (m_pending.empty())
        m_latest = std::chrono::steady_clock::now() + longest;
    m_pending[id].push_back(std::move(stub));
    settleLater();
    return true;
}

std::size_t StubBurst::pending(ImposterId id) const
{
    const auto found = m_pending.find(id);
    return found == m_pending.end() ? 0 : found->second.size();
}

/// The timer is not set again for each stub, which would cost more than the stub: it looks when the last one came.
void StubBurst::settleLater()
{
    m_last = std::chrono::steady_clock::now();
    if (!std::exchange(m_armed, true))
        arm(m_last + quiet);
}

void StubBurst::arm(TimePoint when)
{
    m_timer.expires_at(std::min(m_latest, when));
    m_timer.async_wait([this](const std::error_code &error) {
        const TimePoint now = std::chrono::steady_clock::now();
        if (error)
            return;
        if (!m_pending.empty() && now < m_latest && now < m_last + quiet)
            return arm(m_last + quiet);
        m_armed = false;
        settle();
    });
}

void StubBurst::settle()
{
    const auto pending = std::exchange(m_pending, {});
    for (const auto &[id, stubs] : pending) {
        // It fails only when somebody else has deleted the imposter meanwhile: then there is nothing to add to.
        [[maybe_unused]] const auto done = m_live.change(
            id, [&stubs = stubs](const Imposter &now, const json::Path &at) { return editOf(stubs, now, at); });
        m_live.service().release(id);
    }
}

} // namespace wardbench::admin
