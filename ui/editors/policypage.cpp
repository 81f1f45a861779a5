#include "editors/policypage.h"

#include "document/mockcontroller.h"
#include "document/workspacedocument.h"
#include "editors/fields.h"
#include "editors/policytrial.h"
#include "http/target.h"
#include "shell/theme.h"
#include "warden/identifier.h"
#include "widgets/text.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

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

} // namespace

PolicyPage::PolicyPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent)
    : FormPage(document, mocks, parent), m_trial(std::make_unique<PolicyTrial>())
{
    buildHead();
    buildPath();
    form()->addSpacing(8);
    form()->addWidget(sectionLine(this));
    buildHolder();
    form()->addSpacing(8);
    buildCache();
    form()->addSpacing(8);
    buildRetry();
    form()->addSpacing(8);
    form()->addWidget(sectionLine(this));
    buildTrial();
    form()->addStretch();
}

PolicyPage::~PolicyPage() = default;

void PolicyPage::buildHead()
{
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(8);
    grid->setColumnMinimumWidth(0, 80);
    grid->setColumnStretch(1, 1);
    m_name = new TextField(tr("Name"), this);
    m_identifier = new TextField(tr("Identifier"), this);
    m_identifier->setFont(Theme::monospace());
    m_identifier->setPlaceholderText(tr("everything: path, cookies, headers, query, method"));
    m_usedBy = new QLabel(this);
    m_usedBy->setWordWrap(true);
    m_key = mutedLabel({}, this);
    m_key->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_key->setWordWrap(true);
    m_hint = new QLabel(this);
    m_hint->setWordWrap(true);
    auto *name = new QLabel(tr("&Name"), this);
    name->setBuddy(m_name);
    auto *identifier = new QLabel(tr("&Identifier"), this);
    identifier->setBuddy(m_identifier);
    grid->addWidget(name, 0, 0);
    grid->addWidget(m_name, 0, 1);
    grid->addWidget(new QLabel(tr("Used by"), this), 1, 0);
    grid->addWidget(m_usedBy, 1, 1);
    grid->addWidget(identifier, 2, 0);
    grid->addWidget(m_identifier, 2, 1);
    grid->addWidget(m_key, 3, 1);
    grid->addWidget(m_hint, 4, 1);
    form()->addLayout(grid);
    connect(m_name, &TextField::edited, this, [this](const QString &text) { renamePolicy(text); });
    connect(m_identifier, &TextField::edited, this, [this](const QString &text) {
        set(tr("Change identifier"), {"identifier"}, text.isEmpty() ? json::Value() : json::Value(utf8(text)));
    });
}

// Scenarios name their policy: they follow, in the same step.
void PolicyPage::renamePolicy(const QString &name)
{
    const std::string before = value()["name"].text();
    const std::string after = utf8(name);
    m_name->setProblem(name.isEmpty() ? tr("Expected a name") : QString());
    if (name.isEmpty() || before == after)
        return;
    WorkspaceEdit change(utf8(tr("Rename policy")));
    change.add({WorkspaceEdit::Step::Kind::Set, target() / "name", json::Value(after)});
    const json::Value &scenarios = document()->workspace()->root["scenarios"];
    for (std::size_t s = 0; s < scenarios.size(); ++s) {
        const json::Value &contestants = scenarios.at(s)["contestants"];
        for (std::size_t c = 0; c < contestants.size(); ++c) {
            if (!before.empty() && contestants.at(c)["policy"].isString() && contestants.at(c)["policy"].text() == before)
                change.add({WorkspaceEdit::Step::Kind::Set, json::Path{"scenarios"} / s / "contestants" / c / "policy", json::Value(after)});
        }
    }
    document()->edit(change, qtext(json::toPointer(target() / "name")));
}

void PolicyPage::buildPath()
{
    m_pathRow = rowLayout();
    auto *title = new QLabel(tr("Path"), this);
    title->setFixedWidth(80);
    m_pathRow->addWidget(title);
    m_pathRow->addWidget(mutedLabel(tr("caller"), this));
    form()->addSpacing(8);
    form()->addLayout(m_pathRow);
}

PolicyPage::Module PolicyPage::addModule(const QString &name, const char *member, const json::Value &whenOn, const QString &explanation)
{
    Module module;
    module.inPath = new QCheckBox(name.toLower(), this);
    module.inPath->setAccessibleName(tr("%1 in the path").arg(name));
    m_pathRow->addWidget(mutedLabel(u"→"_s, this));
    m_pathRow->addWidget(module.inPath);
    module.inForm = new QCheckBox(name, this);
    QFont bold = module.inForm->font();
    bold.setBold(true);
    module.inForm->setFont(bold);
    module.inForm->setFixedWidth(80);
    auto *row = rowLayout();
    row->addWidget(module.inForm);
    row->addWidget(mutedLabel(explanation, this));
    row->addStretch();
    form()->addLayout(row);
    module.details = new QWidget(this);
    auto *details = new QVBoxLayout(module.details);
    details->setContentsMargins(88, 0, 0, 0);
    details->setSpacing(8);
    form()->addWidget(module.details);
    for (QCheckBox *box : {module.inPath, module.inForm}) {
        connect(box, &QCheckBox::clicked, this, [this, member, whenOn, name](bool on) {
            set(on ? tr("Switch %1 on").arg(name.toLower()) : tr("Switch %1 off").arg(name.toLower()), {member},
                on ? whenOn : json::Value());
        });
    }
    return module;
}

TextField *PolicyPage::listField(const QString &name, const char *module, const char *member, bool statuses, int width)
{
    auto *field = new TextField(name, this);
    field->setMinimumWidth(field->fontMetrics().horizontalAdvance(u'x') * width);
    connect(field, &TextField::edited, this, [=, this](const QString &text) {
        const auto list = listValue(text, statuses);
        field->setProblem(list ? QString() : tr("Expected statuses like 429, 503 or 5xx"));
        if (list)
            setPart(tr("Change %1").arg(name.toLower()), module, member, list->size() ? *list : json::Value());
    });
    return field;
}

void PolicyPage::buildHolder()
{
    m_holder = addModule(tr("Holder"), "holder", json::Value(true), tr("The same key is in flight: wait for that answer"));
    auto *row = rowLayout();
    m_holderMethods = listField(tr("Holder methods"), "holder", "methods", false, 20);
    m_holderMethods->setPlaceholderText(tr("GET, HEAD"));
    row->addWidget(mutedLabel(tr("Methods"), this));
    row->addWidget(m_holderMethods);
    row->addStretch();
    static_cast<QVBoxLayout *>(m_holder.details->layout())->addLayout(row);
}

void PolicyPage::buildCache()
{
    m_cache = addModule(tr("Cache"), "cache", json::Value(true), tr("An answer was kept for this key: give that"));
    auto *details = static_cast<QVBoxLayout *>(m_cache.details->layout());
    m_duration = new DurationField(tr("Keep for"), true, this);
    m_duration->setPlaceholderText(tr("1 min"));
    m_maxEntries = new NumberField(tr("Most entries"), 1, 100'000'000, this);
    m_maxEntries->setWidthInCharacters(10);
    auto *first = rowLayout();
    first->addWidget(mutedLabel(tr("Keep for"), this));
    first->addWidget(m_duration);
    first->addWidget(mutedLabel(tr("at most"), this));
    first->addWidget(m_maxEntries);
    first->addWidget(mutedLabel(tr("entries"), this));
    first->addStretch();
    details->addLayout(first);
    m_cacheStatuses = listField(tr("Cached statuses"), "cache", "statusCodes", true, 18);
    m_cacheStatuses->setPlaceholderText(tr("all but 429, 5xx"));
    m_cacheMethods = listField(tr("Cached methods"), "cache", "methods", false, 18);
    m_cacheMethods->setPlaceholderText(tr("GET, HEAD"));
    m_withCookie = new QCheckBox(tr("also answers that set cookies"), this);
    auto *second = rowLayout();
    second->addWidget(mutedLabel(tr("Statuses"), this));
    second->addWidget(m_cacheStatuses);
    second->addWidget(mutedLabel(tr("Methods"), this));
    second->addWidget(m_cacheMethods);
    second->addWidget(m_withCookie);
    second->addStretch();
    details->addLayout(second);
    connect(m_duration, &DurationField::durationEdited, this,
            [this](const json::Value &duration) { setPart(tr("Change duration"), "cache", "duration", duration); });
    connect(m_maxEntries, &NumberField::edited, this,
            [this](int n) { setPart(tr("Change entries"), "cache", "maxEntries", json::Value(n)); });
    connect(m_withCookie, &QCheckBox::clicked, this, [this](bool on) {
        setPart(tr("Change cookies"), "cache", "cacheWithCookie", on ? json::Value(true) : json::Value());
    });
}

void PolicyPage::buildRetry()
{
    m_retry = addModule(tr("Retry"), "retry", json::Value(json::Members{{"count", json::Value(1)}, {"delay", json::Value(100)}}),
                        tr("The attempt failed: send it again"));
    auto *details = static_cast<QVBoxLayout *>(m_retry.details->layout());
    m_count = new NumberField(tr("Most re-tries"), 0, 1000, this);
    m_count->setWidthInCharacters(4);
    m_retryDelay = new DurationField(tr("Delay before a re-try"), true, this);
    m_retryDelay->setPlaceholderText(u"0 ms"_s);
    m_attempts = mutedLabel({}, this);
    auto *first = rowLayout();
    first->addWidget(mutedLabel(tr("Again, at most"), this));
    first->addWidget(m_count);
    first->addWidget(mutedLabel(tr("times after"), this));
    first->addWidget(m_retryDelay);
    first->addWidget(m_attempts);
    first->addStretch();
    details->addLayout(first);
    m_retryStatuses = listField(tr("Retried statuses"), "retry", "statusCodes", true, 18);
    m_retryStatuses->setPlaceholderText(u"429, 5xx"_s);
    m_retryMethods = listField(tr("Retried methods"), "retry", "methods", false, 28);
    m_retryMethods->setPlaceholderText(tr("GET, HEAD, PUT, DELETE, OPTIONS"));
    auto *second = rowLayout();
    second->addWidget(mutedLabel(tr("On"), this));
    second->addWidget(m_retryStatuses);
    second->addWidget(mutedLabel(tr("and connection errors"), this));
    second->addSpacing(8);
    second->addWidget(mutedLabel(tr("Methods"), this));
    second->addWidget(m_retryMethods);
    second->addStretch();
    details->addLayout(second);
    connect(m_count, &NumberField::edited, this, [this](int n) { setPart(tr("Change re-tries"), "retry", "count", json::Value(n)); });
    connect(m_retryDelay, &DurationField::durationEdited, this,
            [this](const json::Value &delay) { setPart(tr("Change delay"), "retry", "delay", delay); });
    m_pathRow->addWidget(mutedLabel(u"→"_s, this));
    m_pathRow->addWidget(mutedLabel(tr("network"), this));
    m_pathRow->addSpacing(8);
    m_pathRow->addWidget(mutedLabel(tr("(the order is fixed)"), this));
    m_pathRow->addStretch();
}

void PolicyPage::buildTrial()
{
    auto *row = rowLayout();
    auto *title = sectionLabel(tr("Try it"), this);
    title->setFixedWidth(80);
    m_tryMethod = new ChoiceField(tr("Method to try"), this);
    for (const char *method : {"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})
        m_tryMethod->addChoice(QString::fromLatin1(method), QString::fromLatin1(method));
    m_tryPath = new TextField(tr("Path to try"), this);
    m_tryPath->setValue(u"/"_s);
    m_tryTarget = new ChoiceField(tr("Mock to try it on"), this);
    m_send = new QPushButton(Theme::icon(u"send"_s), tr("&Send twice"), this);
    row->addWidget(title);
    row->addWidget(m_tryMethod);
    row->addWidget(m_tryPath, 1);
    row->addWidget(mutedLabel(tr("on"), this));
    row->addWidget(m_tryTarget);
    row->addWidget(m_send);
    form()->addLayout(row);
    m_outcome = new QLabel(this);
    m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_outcome->setWordWrap(true);
    m_outcome->setContentsMargins(88, 0, 0, 0);
    form()->addWidget(m_outcome);
    connect(m_send, &QPushButton::clicked, this, &PolicyPage::tryTwice);
    connect(m_tryPath, &TextField::edited, this, &PolicyPage::showKey);
    connect(m_tryMethod, &ChoiceField::chosen, this, &PolicyPage::showKey);
    connect(m_trial.get(), &PolicyTrial::progressed, this, [this](const QString &text) { m_outcome->setText(text); });
}

void PolicyPage::focusFirstField()
{
    m_name->setFocus();
    m_name->selectAll();
}

bool PolicyPage::sendTest()
{
    tryTwice();
    return true;
}

// The request of a scenario that uses this policy is the best example there is.
void PolicyPage::targetChanged()
{
    m_outcome->clear();
    const std::string name = value()["name"].text();
    m_tryMethod->setWord(u"GET"_s);
    m_tryPath->setValue(u"/"_s);
    for (const ScenarioPtr &scenario : document()->workspace()->scenarios) {
        for (const Contestant &contestant : scenario->contestants) {
            if (contestant.policy != name)
                continue;
            m_tryMethod->setWord(qtext(scenario->request.method));
            QString path = qtext(scenario->request.path);
            for (const Variable &variable : scenario->variables)
                path.replace(u"${%1}"_s.arg(qtext(variable.name)), qtext(VariableStream(variable, 1, 0).value(0)));
            m_tryPath->setValue(path);
            showTargets();
            m_tryTarget->setWord(qtext(contestant.target.empty() ? scenario->request.target : contestant.target));
            return;
        }
    }
}

void PolicyPage::showTargets()
{
    const QString chosen = m_tryTarget->word();
    m_tryTarget->clear();
    for (const ImposterPtr &imposter : document()->workspace()->imposters)
        m_tryTarget->addChoice(qtext(imposter->displayName()), qtext(imposter->name));
    if (m_tryTarget->findData(chosen) >= 0)
        m_tryTarget->setWord(chosen);
    m_send->setEnabled(m_tryTarget->count() > 0);
}

void PolicyPage::showValue()
{
    const std::size_t index = std::stoul(target().back());
    const auto &policies = document()->workspace()->policies;
    if (index >= policies.size())
        return;
    const Policy &policy = *policies[index];
    m_name->setValue(qtext(policy.name));
    m_identifier->setValue(qtext(policy.identifier));
    QStringList users;
    for (const ScenarioPtr &scenario : document()->workspace()->scenarios) {
        for (const Contestant &contestant : scenario->contestants) {
            if (contestant.policy == policy.name)
                users << u"%1 (%2)"_s.arg(qtext(scenario->name), qtext(contestant.name));
        }
    }
    m_usedBy->setText(users.isEmpty() ? tr("no scenario yet") : users.join(u", "_s));
    showModules(policy);
    showTargets();
    showKey();
}

void PolicyPage::showModules(const Policy &policy)
{
    const auto show = [](const Module &module, bool on) {
        module.inPath->setChecked(on);
        module.inForm->setChecked(on);
        module.details->setEnabled(on);
    };
    show(m_holder, policy.holder.has_value());
    show(m_cache, policy.cache.has_value());
    show(m_retry, policy.retry.has_value());
    m_holderMethods->setValue(listText(value()["holder"]["methods"]));
    const json::Value &cache = value()["cache"];
    m_duration->setDuration(cache["duration"]);
    m_maxEntries->setNumber(static_cast<int>(policy.cache.value_or(CacheConfig()).maxEntries));
    m_cacheStatuses->setValue(listText(cache["statusCodes"]));
    m_cacheMethods->setValue(listText(cache["methods"]));
    m_withCookie->setChecked(cache["cacheWithCookie"].toBool());
    const RetryConfig retry = policy.retry.value_or(RetryConfig());
    const json::Value retryParts = asObject("retry");
    m_count->setNumber(retry.count);
    m_retryDelay->setDuration(retryParts["delay"]);
    m_retryStatuses->setValue(listText(retryParts["statusCodes"]));
    m_retryMethods->setValue(listText(retryParts["methods"]));
    m_attempts->setText(tr("= up to %n attempts", nullptr, retry.count + 1));
}

json::Value PolicyPage::asObject(const char *module) const
{
    const json::Value &written = value()[module];
    if (written.isObject())
        return written;
    if (std::string_view(module) == "retry" && (written.isNumber() || written.toBool()))
        return json::Value(json::Members{{"count", written.isNumber() ? written : json::Value(1)},
                                         {"delay", written.isNumber() ? json::Value(0) : json::Value(100)}});
    return json::Value::object();
}

void PolicyPage::setPart(const QString &what, const char *module, const char *member, const json::Value &part)
{
    const json::Value whole = asObject(module);
    if (value()[module].isObject()) {
        set(what, {module, member}, part);
        return;
    }
    set(what, {module}, part.isNull() ? whole.withoutMember(member) : whole.withMember(member, part));
}

void PolicyPage::showKey()
{
    const auto identifier = Identifier::compile(value()["name"].text(), utf8(m_identifier->text()));
    m_identifier->setProblem(identifier ? QString() : qtext(identifier.error().message));
    QString hint;
    if (identifier) {
        ClientRequest request;
        request.method = utf8(m_tryMethod->word());
        request.path = utf8(m_tryPath->text());
        m_key->setText(tr("%1 %2  →  key %3").arg(m_tryMethod->word(), m_tryPath->text(), qtext(identifier->key(request))));
        const bool shares = m_holder.inForm->isChecked() || m_cache.inForm->isChecked();
        if (shares && !identifier->uses("query"))
            hint = tr("The query is not part of the key: ?x=1 and ?x=2 share one answer.");
        else if (shares && !identifier->uses("url"))
            hint = tr("The path is not part of the key: /a and /b with the same values share one answer.");
    } else {
        m_key->setText({});
        hint = qtext(identifier.error().message);
    }
    m_hint->setVisible(!hint.isEmpty());
    m_hint->setText(hint);
    QPalette colours = m_hint->palette();
    colours.setColor(QPalette::WindowText, Theme::instance().color(identifier ? Theme::Role::Warn : Theme::Role::Bad));
    m_hint->setPalette(colours);
}

void PolicyPage::tryTwice()
{
    const std::size_t index = std::stoul(target().back());
    const auto &policies = document()->workspace()->policies;
    const int at = m_tryTarget->currentIndex();
    const auto &mockIds = document()->ids().mocks();
    if (index >= policies.size() || at < 0 || static_cast<std::size_t>(at) >= mockIds.size())
        return;
    const quint64 mock = mockIds[static_cast<std::size_t>(at)];
    if (!mocks()->state(mock).running() && !mocks()->start(mock)) {
        m_outcome->setText(mocks()->state(mock).error);
        return;
    }
    http::Url url;
    if (!http::parseUrl(utf8(mocks()->state(mock).url), url))
        return;
    ClientRequest request;
    request.method = utf8(m_tryMethod->word());
    request.host = url.host;
    request.port = url.port;
    request.path = utf8(m_tryPath->text());
    m_trial->start(*policies[index], request);
}

} // namespace wardbench
