#pragma once

#include "base/clock.h"

#include <asio/io_context.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace wardbench::server {

/// A connection that does not speak HTTP, as the one who serves it sees it. Lives on its connection's I/O thread: call
/// everything there. When the peer is gone the calls do nothing.
class PeerStream
{
public:
    virtual ~PeerStream() = default;
    virtual const std::string &client() const = 0; ///< "address:port", IPv6 without brackets
    virtual asio::io_context &loop() const = 0;    ///< for timers; runs on this thread alone
    /// `done(delivered)` runs on this thread when the last byte was handed to the kernel, or the peer was gone; never
    /// inside this call.
    virtual void send(std::shared_ptr<const std::string> bytes, std::function<void(bool delivered)> done) = 0;
    /// Reading stops, or goes on.
    virtual void pause(bool paused) = 0;
    /// Ends the connection when everything is sent; nothing more is read.
    virtual void close() = 0;
    /// Cuts the connection; `reset` sends RST instead of FIN.
    virtual void abort(bool reset) = 0;
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
