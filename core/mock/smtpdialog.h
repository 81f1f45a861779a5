#pragma once

#include "mock/mailmessage.h"

#include <functional>
#include <string>
#include <string_view>

namespace wardbench::mock {

/// The server's end of SMTP (RFC 5321) without a socket: bytes in, replies out, mails as they are complete. Strict
/// about line ends, for a mail that ends in another way than the sender meant is two mails.
class SmtpDialog
{
public:
    struct Limits
    {
        std::size_t line = 4096;       ///< of a command
        std::size_t mail = 16u << 20;  ///< bytes
        std::size_t recipients = 1000; ///< of one mail
        int mistakes = 20;             ///< then it hangs up
    };
    /// `envelope.client` is left to the caller.
    using Queue = std::function<void(MailEnvelope envelope, std::string mail)>;

    explicit SmtpDialog(Queue queue) : SmtpDialog(std::move(queue), Limits()) {}
    SmtpDialog(Queue queue, const Limits &limits) : m_limits(limits), m_queue(std::move(queue)) {}

    static std::string greeting();
    /// The replies to `bytes`; may be empty.
    std::string take(std::string_view bytes);
    bool over() const { return m_over; } ///< the connection ends after the last reply

private:
    void takeLine(std::string_view line);
    void takeMail();
    void command(std::string_view verb, std::string_view rest);
    void mailFrom(std::string_view rest);
    void recipient(std::string_view rest);
    void beginData();
    void finishMail();
    void resetMail();
    void reply(std::string_view text);
    void mistake(std::string_view text);

    const Limits m_limits;
    const Queue m_queue;
    std::string m_input;
    std::string m_replies;
    MailEnvelope m_envelope;
    std::string m_mail;
    bool m_greeted = false;
    bool m_hasSender = false;
    bool m_inData = false;
    bool m_lineStart = true; ///< of the data
    bool m_tooLarge = false;
    bool m_skipping = false; ///< the rest of a line that was too long
    bool m_over = false;
    int m_mistakes = 0;
};

} // namespace wardbench::mock
