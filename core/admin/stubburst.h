#pragma once

#include "admin/liveimposters.h"

#include <asio/steady_timer.hpp>

#include <map>

namespace wardbench::admin {

/// Stubs that arrive one by one in quick succession, and go into the workspace together: as soon as a request reaches
/// their imposter, anybody asks for anything else, or none has come for a moment. Until then requests of the imposter
/// wait, so that nobody can tell. 10,000 of them cost one edit and one index. Used on one thread, that of `loop`.
class StubBurst
{
public:
    StubBurst(LiveImposters &live, asio::io_context &loop) : m_live(live), m_loop(loop), m_timer(loop) {}

    /// Appends a stub that was checked already. False: this imposter cannot wait; nothing was done.
    bool add(ImposterId id, json::Value stub);
    std::size_t pending(ImposterId id) const;
    /// Everything goes in now.
    void settle();

private:
    void settleLater();
    void arm(TimePoint when);

    LiveImposters &m_live;
    asio::io_context &m_loop;
    asio::steady_timer m_timer;
    bool m_armed = false;
    TimePoint m_last;   ///< when the last one came
    TimePoint m_latest; ///< when the first ones must go in
    std::map<ImposterId, json::Array> m_pending;
};

} // namespace wardbench::admin
