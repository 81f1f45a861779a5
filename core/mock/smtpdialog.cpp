#include "mock/smtpdialog.h"

#include "http/message.h"

#include <algorithm>

namespace wardbench::mock {
namespace {

constexpr std::string_view lineEnd = "\r\n";

std::string_view trimmed(std::string_view text)
{
    const std::size_t start = text.find_first_not_of(" \t");
    return start == std::string_view::npos ? std::string_view()
                                           : text.substr(start, text.find_last_not_of(" \t") - start + 1);
}

/// The address of "FROM:<a@b> SIZE=3" behind `keyword`; false when it is not of that form. `parameters` is the rest.
bool readPath(std::string_view text, std::string_view keyword, std::string &address, std::string_view &parameters)
{
    if (text.size() < keyword.size() || !http::equalsIgnoringCase(text.substr(0, keyword.size()), keyword))
        return false;
    text = trimmed(text.substr(keyword.size()));
    if (text.starts_with('<')) {
        const std::size_t end = text.find('>');
        if (end == std::string_view::npos)
            return false;
        std::string_view inside = text.substr(1, end - 1);
        if (inside.starts_with('@')) // a source route, which nobody uses (RFC 5321 appendix C)
            inside.remove_prefix(std::min(inside.find(':'), inside.size() - 1) + 1);
        address = inside;
        parameters = trimmed(text.substr(end + 1));
        return true;
    }
    const std::size_t end = std::min(text.find(' '), text.size());
    address = text.substr(0, end);
    parameters = trimmed(text.substr(end));
    return !address.empty();
}

} // namespace

std::string SmtpDialog::greeting()
{
    return "220 localhost ESMTP Wardbench\r\n";
}

std::string SmtpDialog::take(std::string_view bytes)
{
    m_input.append(bytes);
    for (bool more = true; more && !m_over;) {
        if (m_inData) {
            takeMail();
            more = !m_inData; // else it waits for more
            continue;
        }
        const std::size_t end = m_input.find('\n');
        more = end != std::string::npos;
        if (!more && m_input.size() > m_limits.line) {
            m_skipping = true;
            m_input.clear();
        }
        if (!more)
            break;
        std::string line = m_input.substr(0, end);
        m_input.erase(0, end + 1);
        if (line.ends_with('\r'))
            line.pop_back();
        if (std::exchange(m_skipping, false) || line.size() > m_limits.line)
            mistake("500 Error: line too long");
        else
            takeLine(line);
    }
    if (m_over)
        m_input.clear();
    return std::exchange(m_replies, {});
}

void SmtpDialog::takeLine(std::string_view line)
{
    const std::size_t end = std::min(line.find(' '), line.size());
    std::string verb(line.substr(0, end));
    std::transform(verb.begin(), verb.end(), verb.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    command(verb, trimmed(line.substr(end)));
}

void SmtpDialog::command(std::string_view verb, std::string_view rest)
{
    if (verb == "EHLO" || verb == "HELO") {
        if (rest.empty())
            return mistake(verb == "EHLO" ? "501 Error: syntax: EHLO hostname" : "501 Error: syntax: HELO hostname");
        m_greeted = true;
        resetMail();
        if (verb == "HELO")
            return reply("250 localhost");
        return reply("250-localhost\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE " +
                     std::to_string(m_limits.mail));
    }
    if (verb == "MAIL")
        return mailFrom(rest);
    if (verb == "RCPT")
        return recipient(rest);
    if (verb == "DATA")
        return beginData();
    if (verb == "RSET") {
        resetMail();
        return reply("250 Flushed");
    }
    if (verb == "NOOP")
        return reply("250 OK");
    if (verb == "VRFY")
        return reply("252 Try to send something. No promises though");
    if (verb == "HELP")
        return reply("214 See https://www.rfc-editor.org/rfc/rfc5321");
    if (verb == "QUIT") {
        m_over = true;
        return reply("221 Bye");
    }
    mistake("500 Error: command not recognized");
}

void SmtpDialog::mailFrom(std::string_view rest)
{
    std::string address;
    std::string_view parameters;
    if (!m_greeted)
        return mistake("503 Error: send HELO/EHLO first");
    if (m_hasSender)
        return mistake("503 Error: nested MAIL command");
    if (!readPath(rest, "FROM:", address, parameters))
        return mistake("501 Error: syntax: MAIL FROM:<address>");
    m_envelope.from = address;
    m_hasSender = true;
    reply("250 Accepted");
}

void SmtpDialog::recipient(std::string_view rest)
{
    std::string address;
    std::string_view parameters;
    if (!m_hasSender)
        return mistake("503 Error: need MAIL command");
    if (!readPath(rest, "TO:", address, parameters) || address.empty())
        return mistake("501 Error: syntax: RCPT TO:<address>");
    if (m_envelope.to.size() >= m_limits.recipients)
        return reply("452 Error: too many recipients");
    m_envelope.to.push_back(std::move(address));
    reply("250 Accepted");
}

void SmtpDialog::beginData()
{
    if (!m_hasSender || m_envelope.to.empty())
        return mistake("503 Error: need RCPT command");
    m_inData = m_lineStart = true;
    reply("354 End data with <CR><LF>.<CR><LF>");
}

/// Takes whole lines, for only they tell a dot at their start. The end is a dot alone between two CR LF.
void SmtpDialog::takeMail()
{
    const auto add = [this](std::string_view text) {
        m_tooLarge = m_tooLarge || m_mail.size() + text.size() > m_limits.mail;
        if (!m_tooLarge)
            m_mail.append(text);
    };
    std::size_t used = 0;
    while (used < m_input.size()) {
        const std::string_view rest = std::string_view(m_input).substr(used);
        if (m_lineStart && rest.starts_with('.')) {
            if (rest.size() < 3 && std::string_view(".\r\n").starts_with(rest))
                break; // may be the end
            if (rest.starts_with(".\r\n")) {
                m_input.erase(0, used + 3);
                return finishMail();
            }
            used += 1; // the dot that the sender put there
            m_lineStart = false;
            continue;
        }
        const std::size_t end = rest.find(lineEnd);
        if (end == std::string_view::npos) {
            // A CR at the very end may be half of a line's end.
            const std::size_t size = rest.size() - (rest.ends_with('\r') ? 1 : 0);
            add(rest.substr(0, size));
            used += size;
            m_lineStart = m_lineStart && size == 0;
            break;
        }
        add(rest.substr(0, end + 2));
        used += end + 2;
        m_lineStart = true;
    }
    m_input.erase(0, used);
}

void SmtpDialog::finishMail()
{
    m_inData = false;
    if (m_tooLarge) {
        reply("552 Error: message exceeds fixed maximum message size " + std::to_string(m_limits.mail));
    } else {
        m_queue(std::move(m_envelope), std::move(m_mail));
        reply("250 OK: message queued");
    }
    resetMail();
}

void SmtpDialog::resetMail()
{
    m_envelope = {};
    m_mail = {};
    m_hasSender = m_tooLarge = false;
}

void SmtpDialog::reply(std::string_view text)
{
    m_replies.append(text).append(lineEnd);
}

void SmtpDialog::mistake(std::string_view text)
{
    if (++m_mistakes < m_limits.mistakes)
        return reply(text);
    reply("421 Error: too many mistakes");
    m_over = true;
}

} // namespace wardbench::mock
