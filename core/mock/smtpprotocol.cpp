#include "mock/smtpprotocol.h"

#include "mock/smtpdialog.h"

namespace wardbench::mock {
namespace {

constexpr std::chrono::minutes mostSilence{5}; // RFC 5321 section 4.5.3.2.7

/// A mail in the journal. It is taken apart only when somebody looks.
class RecordedMail final : public RecordedMessage
{
public:
    RecordedMail(MailEnvelope envelope, std::string mail) : m_envelope(std::move(envelope)), m_mail(std::move(mail)) {}

    json::Value request() const override { return mailJson(m_envelope, m_mail); }
    json::Value response() const override { return {}; }
    std::size_t size() const override { return m_mail.size() + m_envelope.from.size() + m_envelope.to.size() * 64; }

private:
    const MailEnvelope m_envelope;
    const std::string m_mail;
};

} // namespace

class SmtpProtocol::Session final : public server::StreamSession
{
public:
    Session(std::shared_ptr<SmtpProtocol> protocol, server::PeerStreamPtr stream)
        : m_protocol(std::move(protocol)), m_stream(std::move(stream)),
          m_dialog([this](MailEnvelope envelope, std::string mail) { queue(std::move(envelope), std::move(mail)); })
    {
        m_protocol->m_counters.connected();
        send(SmtpDialog::greeting());
    }

    void received(std::string_view bytes) override
    {
        send(m_dialog.take(bytes));
        if (m_dialog.over() || m_protocol->m_draining)
            m_stream->close();
    }
    void ended() override { m_stream->close(); }
    Nanoseconds mostSilence() const override { return mock::mostSilence; }
    void closed(bool abortedByClient) override { m_protocol->m_counters.disconnected(abortedByClient); }

private:
    void send(std::string text)
    {
        if (!text.empty())
            m_stream->send(std::make_shared<const std::string>(std::move(text)), {});
    }

    void queue(MailEnvelope envelope, std::string mail)
    {
        m_protocol->m_counters.received();
        const std::shared_ptr<Journal> &journal = m_protocol->journal();
        if (!journal || !journal->wants(*m_protocol->imposter()))
            return;
        auto record = std::make_shared<JournalRecord>();
        record->sequence = journal->nextSequence();
        record->time = std::chrono::system_clock::now();
        record->client = envelope.client = m_stream->client();
        record->requestBodySize = mail.size();
        record->request.method = "MAIL";
        record->request.target = envelope.from;
        record->answered = record->delivered = true;
        if (journal->bodyLimit() == 0) // nobody looks into bodies
            mail.clear();
        record->message = std::make_shared<RecordedMail>(std::move(envelope), std::move(mail));
        journal->append(std::move(record));
    }

    const std::shared_ptr<SmtpProtocol> m_protocol;
    const server::PeerStreamPtr m_stream;
    SmtpDialog m_dialog;
};

SmtpProtocol::SmtpProtocol(const ProtocolSetup &setup) : Protocol("smtp", setup.journal), m_imposter(setup.imposter) {}

server::Service SmtpProtocol::service() const
{
    // The listener shares in this object, which is never a constant.
    return {{}, std::const_pointer_cast<SmtpProtocol>(shared_from_this()), {}};
}

Result<void> SmtpProtocol::update(const ImposterPtr &imposter, const StartOptions &)
{
    const std::lock_guard lock(m_mutex);
    m_imposter = imposter;
    return {};
}

void SmtpProtocol::startOver(const StartOptions &)
{
    m_counters.reset();
}

ImposterPtr SmtpProtocol::imposter() const
{
    const std::lock_guard lock(m_mutex);
    return m_imposter;
}

ImposterCounters SmtpProtocol::counters() const
{
    ImposterCounters counters = m_counters.read();
    for (const StubPtr &stub : imposter()->stubs)
        counters.stubs.push_back({stub->id, 0});
    return counters;
}

std::unique_ptr<server::StreamSession> SmtpProtocol::opened(const server::PeerStreamPtr &stream)
{
    return std::make_unique<Session>(shared_from_this(), stream);
}

} // namespace wardbench::mock
