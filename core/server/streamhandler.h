#pragma once

#include "base/clock.h"
#include "server/answeroutput.h"

#include <memory>
#include <string>
#include <string_view>

namespace wardbench::server {

/// A connection that does not speak HTTP, as the one who serves it sees it. Any number of answers go out on it.
class PeerStream : public AnswerOutput
{
public:
    virtual const std::string &client() const = 0; ///< "address:port", IPv6 without brackets
    /// Reading stops, or goes on.
    virtual void pause(bool paused) = 0;
    /// Ends the connection when everything is sent; nothing more is read.
    void close() { finish(true); }
};
using PeerStreamPtr = std::shared_ptr<PeerStream>;

/// What one connection says, told on its I/O thread. Must not block or throw.
class StreamSession
{
public:
    virtual ~StreamSession() = default;
    /// One read's worth, at most 64 KiB.
    virtual void received(std::string_view bytes) = 0;
    /// The peer has ended its half. Nothing more comes; `close` when the last answer is given.
    virtual void ended() = 0;
    /// How long the peer may be silent before it is cut; 0: for ever.
    virtual Nanoseconds mostSilence() const { return Nanoseconds(0); }
    /// The connection is gone. `abortedByClient`: by its doing, while something was to be sent.
    virtual void closed(bool abortedByClient) { (void)abortedByClient; }
};

/// Serves connections that do not speak HTTP. Called on I/O threads, several at once.
class StreamHandler
{
public:
    virtual ~StreamHandler() = default;
    virtual std::unique_ptr<StreamSession> opened(const PeerStreamPtr &stream) = 0;
};

} // namespace wardbench::server
