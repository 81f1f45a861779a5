#include "editors/policymodules.h"

#include "editors/codeeditor.h"
#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "editors/memberform.h"
#include "widgets/text.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QLabel>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

constexpr double most = 1e9;

QString tr(const char *text)
{
    return QCoreApplication::translate("PolicyModules", text);
}

QStringList words(const QString &text)
{
    QStringList list;
    for (const QString &word : text.split(u',', Qt::SkipEmptyParts))
        list << word.trimmed();
    return list;
}

// "429, 5xx" as the file's list; no value when a word is no status. `statuses` false: methods.
std::optional<json::Value> listValue(const QString &text, bool statuses)
{
    json::Array items;
    for (const QString &word : words(text)) {
        bool number = false;
        const int code = word.toInt(&number);
        const bool isClass = word.size() == 3 && word.endsWith(u"xx"_s) && word[0] >= u'1' && word[0] <= u'5';
        if (!statuses)
            items.emplace_back(utf8(word.toUpper()));
        else if (number && code >= 100 && code <= 599)
            items.emplace_back(code);
        else if (isClass)
            items.emplace_back(utf8(word));
        else
            return std::nullopt;
    }
    return json::Value(std::move(items));
}

QString listText(const json::Value &list)
{
    QStringList parts;
    for (const json::Value &item : list.items())
        parts << scalarText(item);
    return parts.join(u", "_s);
}

void addList(MemberForm &form, const QString &label, const char *member, bool statuses, const QString &placeholder)
{
    auto *field = new TextField({}, &form);
    field->setPlaceholderText(placeholder);
    field->setAccessibleName(form.accessibleName() + u": "_s + label.toLower());
    form.addRow(label, field, {member}, {},
                [field, member](const json::Value &object) { field->setValue(listText(object[member])); });
    QObject::connect(field, &TextField::edited, &form, [&form, field, label, member, statuses](const QString &text) {
        const auto list = listValue(text, statuses);
        field->setProblem(list ? QString() : tr("Expected statuses like 429, 503 or 5xx"));
        if (list)
            Q_EMIT form.edited(tr("Change %1").arg(label.toLower()), {member}, list->size() ? *list : json::Value());
    });
}

void addMethods(MemberForm &form, const QString &usual)
{
    addList(form, tr("Methods"), "methods", false, usual);
}

void addStatuses(MemberForm &form, const QString &usual)
{
    addList(form, tr("Statuses"), "statusCodes", true, usual);
}

void addCount(MemberForm &form, const QString &label, const json::Path &member, double low, int usual,
              const QString &hint = {})
{
    form.addNumber(label, member, low, most, true, hint)->setPlaceholderText(QString::number(usual));
}

void addTime(MemberForm &form, const QString &label, const json::Path &member, const QString &usual,
             const QString &hint = {})
{
    form.addDuration(label, member, hint)->setPlaceholderText(usual);
}

void fillFallback(MemberForm &form)
{
    addCount(form, tr("Status"), {"statusCode"}, 100, 200, tr("of the prepared answer"));
    form.addText(tr("Body"), {"body"});
    addStatuses(form, tr("429, 5xx, and errors"));
}

void fillRateLimiter(MemberForm &form)
{
    addCount(form, tr("Calls"), {"tokensPerPeriod"}, 1, 50, tr("in each period"));
    addTime(form, tr("Period"), {"replenishmentPeriod"}, u"1 s"_s);
    form.addNumber(tr("Burst"), {"tokenLimit"}, 1, most, true, tr("calls that may be saved up"))
        ->setPlaceholderText(tr("a period's"));
    addCount(form, tr("Queue"), {"queueLimit"}, 0, 0, tr("calls that wait; the others are refused"));
    addTime(form, tr("Longest wait"), {"timeoutDuration"}, u"5 s"_s);
}

void fillBulkhead(MemberForm &form)
{
    addCount(form, tr("At once"), {"maxConcurrentCalls"}, 1, 25, tr("calls"));
    addTime(form, tr("Longest wait"), {"maxWaitDuration"}, u"0 ms"_s, tr("for a place; none: refused at once"));
    addCount(form, tr("Queue"), {"queueCapacity"}, 0, 100, tr("calls that wait"));
}

void fillHolder(MemberForm &form)
{
    addMethods(form, u"GET, HEAD"_s);
    addTime(form, tr("Longest wait"), {"lockTimeout"}, tr("no limit"), tr("of a follower"));
    form.addChoice(tr("Then"), {"onTimeout"},
                   {{u"send"_s, tr("it sends its own request")}, {u"fail"_s, tr("it fails")}});
    form.addChoice(tr("On an error"), {"onError"},
                   {{u"share"_s, tr("all get it")},
                    {u"send"_s, tr("each follower sends its own request")},
                    {u"promote"_s, tr("the first follower leads the others again")}});
    form.addFlag(tr("also share answers that set cookies"), {"shareCookies"});
}

void fillCache(MemberForm &form)
{
    form.addChoice(tr("Rules"), {"mode"},
                   {{u"ttl"_s, tr("a fixed time")}, {u"rfc9111"_s, tr("what the answers say (RFC 9111)")}});
    addTime(form, tr("Keep for"), {"duration"}, u"1 min"_s, tr("a fixed time"));
    addTime(form, tr("At most"), {"maxTtl"}, tr("no limit"), tr("whatever the answers say"));
    addCount(form, tr("Entries"), {"maxEntries"}, 1, 10'000, tr("at most"));
    form.addNumber(tr("Bytes"), {"maxBytes"}, 1, 1e15, true, tr("at most"))->setPlaceholderText(tr("no limit"));
    addStatuses(form, tr("all but 429, 5xx"));
    addMethods(form, u"GET, HEAD"_s);
    addTime(form, tr("Stale"), {"staleWhileRevalidate"}, u"0 ms"_s, tr("given at once while a new one is fetched"));
    addTime(form, tr("On errors"), {"staleIfError"}, u"0 ms"_s, tr("a stale one stands in for an outage"));
    form.addFlag(tr("also answers that set cookies"), {"cacheWithCookie"});
}

void fillSchema(MemberForm &form)
{
    auto *editor = new CodeEditor(tr("JSON Schema"), &form);
    editor->setLanguage(CodeEditor::Language::Json);
    editor->setFrameShape(QFrame::StyledPanel);
    editor->setFixedHeight(120);
    form.addRow(tr("Schema"), editor, {"schema"}, {}, [editor](const json::Value &policy) {
        const json::Value &schema = policy["schema"];
        const auto typed = json::parse(utf8(editor->text()));
        const auto *same = std::get_if<json::Value>(&typed);
        if (!same || !(*same == schema))
            editor->setContent(schema.isNull() ? QString() : qtext(json::writePretty(schema, 2)));
    });
    QObject::connect(editor, &CodeEditor::edited, &form, [&form](const QString &text) {
        const auto typed = json::parse(utf8(text));
        const auto *schema = std::get_if<json::Value>(&typed);
        if (schema && schema->isObject())
            Q_EMIT form.edited(tr("Change schema"), {"schema"}, *schema);
    });
}

void fillShadow(MemberForm &form)
{
    form.addNumber(tr("Share"), {"percentage"}, 0, 100, false, tr("per cent of what goes upstream"))
        ->setPlaceholderText(u"100"_s);
    form.addText(tr("To"), {"target"})->setPlaceholderText(tr("the same server"));
    addCount(form, tr("At once"), {"maxConcurrentCalls"}, 1, 100, tr("copies; beyond it none is sent"));
}

void fillHedging(MemberForm &form)
{
    addCount(form, tr("Again"), {"maxHedgedAttempts"}, 1, 1, tr("times at most"));
    addTime(form, tr("After"), {"delay"}, u"2 s"_s, tr("each; 0: all at once"));
    addMethods(form, u"GET, HEAD, PUT, DELETE, OPTIONS"_s);
    addStatuses(form, u"429, 5xx"_s);
}

void fillRetry(MemberForm &form)
{
    addCount(form, tr("Again"), {"count"}, 0, 1, tr("times at most"));
    addTime(form, tr("After"), {"delay"}, u"0 ms"_s);
    form.addChoice(tr("Backoff"), {"backoffType"},
                   {{u"constant"_s, tr("the same each time")},
                    {u"linear"_s, tr("linear: twice, three times, ... the delay")},
                    {u"exponential"_s, tr("exponential: twice, four times, ... the delay")}});
    addTime(form, tr("At most"), {"maxDelay"}, tr("no limit"));
    form.addChoice(tr("Jitter"), {"jitter"},
                   {{u"none"_s, tr("none")}, {u"full"_s, tr("full: anything up to the delay")}});
    addTime(form, tr("Retry-After"), {"maxRetryAfter"}, u"30 s"_s, tr("longest that a server may ask for"));
    addStatuses(form, tr("429, 5xx, and connection errors"));
    addMethods(form, u"GET, HEAD, PUT, DELETE, OPTIONS"_s);
    form.addNumber(tr("Budget"), {"budget", "percentCanRetry"}, 0, 1000, false,
                   tr("of the calls may be retried (0.2: a fifth)"))
        ->setPlaceholderText(tr("no limit"));
    form.addNumber(tr("Besides"), {"budget", "minRetriesPerSec"}, 0, most, false,
                   tr("re-tries a second, with a budget"))
        ->setPlaceholderText(u"10"_s);
}

void fillBreaker(MemberForm &form)
{
    const QString percent = tr("per cent open it");
    form.addNumber(tr("Failures"), {"failureRateThreshold"}, 0.001, 100, false, percent)->setPlaceholderText(u"50"_s);
    form.addNumber(tr("Slow calls"), {"slowCallRateThreshold"}, 0.001, 100, false, percent)
        ->setPlaceholderText(u"100"_s);
    addTime(form, tr("Slow is"), {"slowCallDurationThreshold"}, u"60 s"_s, tr("and more"));
    form.addChoice(tr("Window"), {"slidingWindowType"},
                   {{u"countBased"_s, tr("the latest calls")}, {u"timeBased"_s, tr("the latest stretch of time")}});
    form.addText(tr("Size"), {"slidingWindowSize"}, tr("calls (100), or a time (10s)"));
    addCount(form, tr("Calls"), {"minimumNumberOfCalls"}, 1, 100, tr("at least, before it may open"));
    addTime(form, tr("Open for"), {"waitDurationInOpenState"}, u"60 s"_s);
    addCount(form, tr("Probes"), {"permittedNumberOfCallsInHalfOpenState"}, 1, 10,
             tr("calls that decide when it is half open"));
    addStatuses(form, tr("429, 5xx, and errors"));
    form.addFlag(tr("half open by itself, not with the next call"), {"automaticTransitionFromOpenToHalfOpenEnabled"});
}

PolicyModule timeout(const char *member, const QString &name, const QString &explanation, const char *usual)
{
    return {member,
            name,
            explanation,
            json::Value(usual),
            [member](MemberForm &form) { form.addDuration(tr("After"), {member}); },
            true};
}

} // namespace

std::vector<PolicyModule> policyModules()
{
    const json::Value on(true);
    const json::Value retry(json::Members{{"count", json::Value(1)}, {"delay", json::Value(100)}});
    return {
        {"fallback", tr("Fallback"), tr("It failed: give a prepared answer"), on, fillFallback},
        {"rateLimiter", tr("Rate limiter"), tr("So many calls in each period: wait, or be refused"), on,
         fillRateLimiter},
        {"bulkhead", tr("Bulkhead"), tr("So many calls at once: wait, or be refused"), on, fillBulkhead},
        {"holder", tr("Holder"), tr("The same key is in flight: wait for that answer"), on, fillHolder},
        {"cache", tr("Cache"), tr("An answer was kept for this key: give that"), on, fillCache},
        {"schema", tr("Schema"), tr("Write JSON bodies by a schema"), json::Value::object(), fillSchema, true},
        {"shadow", tr("Shadow"), tr("Send a copy elsewhere and forget it"), on, fillShadow},
        timeout("totalTimeout", tr("Total timeout"), tr("All attempts take too long: give up"), "30s"),
        {"hedging", tr("Hedging"), tr("No answer yet: send it again, and take the first"), on, fillHedging},
        {"retry", tr("Retry"), tr("The attempt failed: send it again"), retry, fillRetry},
        {"breaker", tr("Breaker"), tr("Too many failed: refuse for a while"), on, fillBreaker},
        timeout("attemptTimeout", tr("Attempt timeout"), tr("The attempt takes too long: give it up"), "10s"),
    };
}

json::Value moduleAsObject(std::string_view member, const json::Value &written)
{
    const auto with = [](const char *name, const json::Value &value) {
        return json::Value(json::Members{{name, value}});
    };
    if (written.isObject())
        return written;
    if (member == "retry" && (written.isNumber() || written.toBool()))
        return with("count", written.isNumber() ? written : json::Value(1))
            .withMember("delay", written.isNumber() ? json::Value(0) : json::Value(100));
    if (written.isNumber() && member == "rateLimiter")
        return with("tokensPerPeriod", written);
    if (written.isNumber() && member == "bulkhead")
        return with("maxConcurrentCalls", written);
    if (written.isNumber() && member == "shadow")
        return with("percentage", written);
    return json::Value::object();
}

ModuleSection::ModuleSection(const PolicyModule &module, QWidget *parent)
    : QWidget(parent), m_module(module), m_on(new QCheckBox(module.name, this)),
      m_form(new MemberForm(this, module.name))
{
    QFont bold = m_on->font();
    bold.setBold(true);
    m_on->setFont(bold);
    m_on->setFixedWidth(nameWidth);
    m_form->setAccessibleName(module.name);
    m_form->setContentsMargins(nameWidth + 8, 0, 0, 8);
    module.fill(*m_form);
    auto *row = rowLayout();
    row->addWidget(m_on);
    row->addWidget(mutedLabel(module.explanation, this));
    row->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(row);
    layout->addWidget(m_form);
    connect(m_on, &QCheckBox::clicked, this, [this](bool on) {
        const QString name = m_module.name.toLower();
        Q_EMIT edited(on ? tr("Switch %1 on").arg(name) : tr("Switch %1 off").arg(name), {m_module.member},
                      on ? m_module.whenOn : json::Value());
    });
    connect(m_form, &MemberForm::edited, this, &ModuleSection::setPart);
}

void ModuleSection::setPolicy(const json::Value &policy)
{
    m_policy = policy;
    const json::Value &written = policy[m_module.member];
    const bool on = !written.isNull() && !(written.isBool() && !written.toBool()) &&
                    !(written.isNumber() && written.toDouble() == 0);
    m_on->setChecked(on);
    m_form->setVisible(on);
    m_form->setObject(m_module.isScalar ? policy : moduleAsObject(m_module.member, written));
}

void ModuleSection::setPart(const QString &what, const json::Path &path, const json::Value &part)
{
    if (m_module.isScalar) {
        if (!part.isNull()) // an emptied field is not the switch
            Q_EMIT edited(what, path, part);
        return;
    }
    const json::Value &written = m_policy[m_module.member];
    if (written.isObject()) {
        json::Path whole{m_module.member};
        whole.insert(whole.end(), path.begin(), path.end());
        Q_EMIT edited(what, whole, part);
        return;
    }
    Q_EMIT edited(what, {m_module.member}, withPart(moduleAsObject(m_module.member, written), path, part));
}

} // namespace wardbench
