#pragma once

#include "base/clock.h"
#include "mock/bodysource.h"
#include "model/fault.h"
#include "server/answeroutput.h"

#include <asio/steady_timer.hpp>

#include <functional>
#include <memory>
#include <string>

namespace wardbench::mock {

/// An answer as its delivery needs it.
struct AnswerParts
{
    std::string head; ///< status line to the blank line, included; empty: not http
    BodySource body;  ///< empty when this answer carries none
    bool chunked = false;
    bool close = false; ///< the head says so
};

/// Sends one answer piece by piece: a body from a file, or an answer that a fault slows down or spoils. Belongs to its
/// connection's thread and keeps itself alive until the answer is over.
class Delivery final : public std::enable_shared_from_this<Delivery>
{
public:
    using Done = std::function<void(bool delivered)>;

    /// `done` comes once: true when everything was handed to the kernel that this fault lets out.
    static void start(std::shared_ptr<server::AnswerOutput> output, AnswerParts parts, const Fault &fault, Done done);

private:
    Delivery(std::shared_ptr<server::AnswerOutput> output, AnswerParts parts, const Fault &fault, Done done);

    void begin();
    void pump();
    void sendPiece();
    void sent();
    void end();
    void resetWhenAcknowledged();
    void hold();
    void finish(bool close);
    void giveUp();
    std::uint64_t pieceSize() const;
    TimePoint due() const;
    void at(TimePoint time, void (Delivery::*work)());

    const std::shared_ptr<server::AnswerOutput> m_output;
    AnswerParts m_parts;
    const Fault m_fault;
    Done m_done;
    const std::shared_ptr<asio::steady_timer> m_timer;
    TimePoint m_started;
    TimePoint m_limit;          ///< of waiting for acknowledgements, or of holding the connection
    std::uint64_t m_offset = 0; ///< of the body: sent so far
    std::uint64_t m_end = 0;    ///< and where it stops
    std::uint64_t m_pieces = 0; ///< sent so far
    bool m_headSent = false;
};

} // namespace wardbench::mock
