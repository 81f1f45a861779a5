#pragma once

#include "mock/recorder.h"

#include <memory>

namespace wardbench::admin {

class LiveImposters;

/// Puts what proxies record into the workspace, and so live, on a thread of its own: one recording after the other, so
/// that two answers to the same request find each other. Outlives nothing: `recorder` may be called for ever.
class ProxyRecorder
{
public:
    ProxyRecorder();
    ~ProxyRecorder(); ///< finishes what it has begun
    ProxyRecorder(const ProxyRecorder &) = delete;
    ProxyRecorder &operator=(const ProxyRecorder &) = delete;

    Recorder recorder() const;
    /// Where recordings go from now on; null: nowhere. On return nothing goes to the one before.
    void use(LiveImposters *live);
    /// From now on nothing of this imposter is kept: its proxies go on as if they were transparent.
    void pause(ImposterId imposter);
    /// Something is kept again. Pauses also end what `WorkspaceEdit::group` holds together: what was recorded of an
    /// imposter without one is one thing to take back.
    void resume(ImposterId imposter);

private:
    class Private;
    std::shared_ptr<Private> d;
};

} // namespace wardbench::admin
