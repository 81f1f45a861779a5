#include "journal/explanationtext.h"

#include "json/writer.h"
#include "models/journalmodel.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QCoreApplication>
#include <QLocale>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t otherStubs = 6;

QString tr(const char *text)
{
    return QCoreApplication::translate("Explanation", text);
}

QString colored(const QString &text, Theme::Role role)
{
    return u"<span style='color:%1'>%2</span>"_s.arg(Theme::instance().color(role).name(), text);
}

QString score(const StubExplanation &stub)
{
    return u"%1/%2"_s.arg(stub.holding).arg(stub.total);
}

QString conditionRows(const StubExplanation &stub)
{
    QString rows;
    for (const ConditionResult &condition : stub.conditions) {
        const QString word = condition.holds ? colored(tr("\u2713 holds"), Theme::Role::Good)
                                             : u"<b>%1</b>"_s.arg(colored(tr("\u2717 FAILS"), Theme::Role::Bad));
        rows += u"<tr><td style='padding-right:8px; padding-left:%1px'>%2</td><td>%3"_s.arg(8 + condition.depth * 16)
                    .arg(word, qtext(condition.condition).toHtmlEscaped());
        if (!condition.holds)
            rows += u"<br>%1 %2"_s.arg(colored(tr("got"), Theme::Role::Muted), qtext(condition.got).toHtmlEscaped());
        rows += u"</td></tr>"_s;
    }
    if (stub.conditions.empty())
        rows = u"<tr><td style='padding-left:8px'>%1</td></tr>"_s.arg(tr("No conditions: it answers every request."));
    return u"<table cellspacing='0' cellpadding='1'>%1</table>"_s.arg(rows);
}

QString headline(const JournalEntry &entry, const QString &mockName, int responses)
{
    const bool asked = entry.sequence == 0;
    if (asked && entry.stub == 0)
        return tr("No stub of \u201c%1\u201d would match: the default would answer.").arg(mockName.toHtmlEscaped());
    if (asked)
        return tr("<b>%1</b> would answer.").arg(qtext(entry.stubName).toHtmlEscaped());
    if (entry.stub == 0)
        return tr("No stub of \u201c%1\u201d matched. The default answered %2.").arg(mockName.toHtmlEscaped()).arg(entry.response.status);
    if (responses > 1 && entry.responseIndex >= 0) {
        return tr("Answered by <b>%1</b>, answer %2 of %3.").arg(qtext(entry.stubName).toHtmlEscaped())
            .arg(entry.responseIndex + 1).arg(responses);
    }
    return tr("Answered by <b>%1</b>.").arg(qtext(entry.stubName).toHtmlEscaped());
}

QString failureText(const StubExplanation &stub)
{
    const std::optional<FailedCondition> failed = firstFailure(stub);
    if (!failed)
        return {};
    return failed->got.empty() ? qtext(failed->expected)
                               : tr("%1, got %2").arg(qtext(failed->expected), qtext(failed->got));
}

const StubExplanation *stubOf(const MatchExplanation &explanation, StubId id)
{
    for (const StubExplanation &stub : explanation.stubs) {
        if (stub.stub == id)
            return &stub;
    }
    return nullptr;
}

QString body(const std::string &bytes, std::uint64_t size)
{
    QString text = qtext(bytes);
    if (bytes.size() < size)
        text += u"\n\n"_s + tr("(cut: the first %1 of %2 bytes)").arg(QLocale().toString(static_cast<qulonglong>(bytes.size())),
                                                                     QLocale().toString(static_cast<qulonglong>(size)));
    return text;
}

QString headerLines(const http::Headers &headers)
{
    QString lines;
    for (const http::Header &header : headers)
        lines += u"%1: %2\n"_s.arg(qtext(header.name), qtext(header.value));
    return lines;
}

} // namespace

QString explanationHtml(const MatchExplanation &explanation, const JournalEntry &entry, const QString &mockName, int responses)
{
    QString html = u"<p style='margin-bottom:6px'>%1</p>"_s.arg(headline(entry, mockName, responses));
    if (entry.sequence == 0)
        html += u"<p>%1 %2</p>"_s.arg(qtext(entry.request.method).toHtmlEscaped(), qtext(entry.request.target).toHtmlEscaped());
    if (!entry.fault.empty())
        html += u"<p>%1</p>"_s.arg(colored(tr("The answer went wrong on purpose: fault %1.").arg(qtext(entry.fault).toHtmlEscaped()), Theme::Role::Warn));
    std::vector<const StubExplanation *> order;
    const StubExplanation *answered = entry.stub != 0 ? stubOf(explanation, entry.stub) : nullptr;
    if (answered)
        order.push_back(answered);
    for (const StubExplanation &stub : explanation.stubs) {
        if (&stub != answered)
            order.push_back(&stub);
    }
    if (explanation.answeredBy != entry.stub) {
        const StubExplanation *now = stubOf(explanation, explanation.answeredBy);
        html += u"<p>%1</p>"_s.arg(colored(now ? tr("The mock has changed: now \u201c%1\u201d would answer.").arg(qtext(now->stubName).toHtmlEscaped())
                                              : tr("The mock has changed: now no stub would match."), Theme::Role::Warn));
    }
    if (order.empty())
        return html + u"<p>%1</p>"_s.arg(tr("The mock has no stubs."));
    const StubExplanation &first = *order.front();
    if (!answered)
        html += u"<div>%1 <b>%2</b> &nbsp;(%3)</div>"_s.arg(colored(tr("nearest:"), Theme::Role::Muted), qtext(first.stubName).toHtmlEscaped(), score(first));
    html += conditionRows(first);
    if (order.size() > 1)
        html += u"<p style='margin-top:8px; margin-bottom:2px'>%1</p>"_s.arg(colored(answered ? tr("Other stubs") : tr("Then"), Theme::Role::Muted));
    QString others;
    for (std::size_t i = 1; i < order.size() && i <= otherStubs; ++i) {
        const StubExplanation &stub = *order[i];
        const QString why = !stub.matched                           ? failureText(stub).toHtmlEscaped()
                            : stub.stub == explanation.answeredBy ? tr("matches, and stands before")
                                                                  : tr("matches too, but stands later");
        others += u"<tr><td style='padding-left:8px; padding-right:8px'>%1</td><td>%2 &nbsp;%3</td></tr>"_s
                      .arg(score(stub), qtext(stub.stubName).toHtmlEscaped(), colored(why, Theme::Role::Muted));
    }
    html += u"<table cellspacing='0' cellpadding='1'>%1</table>"_s.arg(others);
    if (order.size() > otherStubs + 1)
        html += u"<p>%1</p>"_s.arg(colored(tr("and %1 more").arg(order.size() - otherStubs - 1), Theme::Role::Muted));
    return html;
}

QString requestText(const JournalEntry &entry)
{
    if (!entry.message.isNull()) // not http: as mountebank records it
        return qtext(json::writePretty(entry.message, 2));
    const http::Request &request = entry.request;
    return u"%1 %2 HTTP/1.%3\n"_s.arg(qtext(request.method), qtext(request.target)).arg(request.versionMinor)
        + headerLines(request.headers) + u"\n"_s + body(request.body, entry.requestBodySize);
}

QString responseText(const JournalEntry &entry)
{
    if (!entry.message.isNull())
        return entry.reply.isNull() ? QString() : qtext(json::writePretty(entry.reply, 2));
    const http::Response &response = entry.response;
    const QString reason = response.reason.empty() ? qtext(http::reasonPhrase(response.status)) : qtext(response.reason);
    return u"HTTP/1.1 %1 %2\n"_s.arg(response.status).arg(reason) + headerLines(response.headers) + u"\n"_s
        + body(response.body, entry.responseBodySize);
}

} // namespace wardbench
