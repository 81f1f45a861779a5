#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include <asio/io_context.hpp>

namespace wardbench::server {

/// Takes the bytes of an answer as they go on the wire, framing included, bit by bit. Lives on its connection's I/O
/// thread: call everything there. When the peer is gone the calls do nothing.
class AnswerOutput
{
public:
    virtual ~AnswerOutput() = default;
    virtual asio::io_context &loop() const = 0; ///< for timers; runs on this thread alone
    /// `done(delivered)` runs on this thread when the last byte was handed to the kernel, or the peer was gone; never
    /// inside this call. Wait for it before sending much more.
    virtual void send(std::shared_ptr<const std::string> bytes, std::function<void(bool delivered)> done) = 0;
    /// The answer is complete; `close` ends the connection when everything is sent.
    virtual void finish(bool close) = 0;
    /// Bytes that the peer has not acknowledged yet, in the kernel's hands; 0 when it is gone.
    virtual std::size_t unacknowledged() const = 0;
    /// The peer is gone, or no answer is wanted any more.
    virtual bool over() const = 0;
    /// Cuts the connection; `reset` sends RST instead of FIN.
    virtual void abort(bool reset) = 0;
};

} // namespace wardbench::server
