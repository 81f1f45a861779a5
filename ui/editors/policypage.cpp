#include "editors/policypage.h"

#include "document/mockcontroller.h"
#include "document/workspacedocument.h"
#include "editors/fields.h"
#include "editors/policymodules.h"
#include "editors/policytrial.h"
#include "http/target.h"
#include "shell/theme.h"
#include "warden/identifier.h"
#include "widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace wardbench {

using namespace Qt::StringLiterals;

PolicyPage::PolicyPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent)
    : FormPage(document, mocks, parent), m_trial(std::make_unique<PolicyTrial>())
{
    buildHead();
    buildModules();
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
    grid->setColumnMinimumWidth(0, ModuleSection::nameWidth);
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
            if (!before.empty() && contestants.at(c)["policy"].isString() &&
                contestants.at(c)["policy"].text() == before)
                change.add({WorkspaceEdit::Step::Kind::Set, json::Path{"scenarios"} / s / "contestants" / c / "policy",
                            json::Value(after)});
        }
    }
    document()->edit(change, qtext(json::toPointer(target() / "name")));
}

void PolicyPage::buildModules()
{
    auto *row = rowLayout();
    auto *title = new QLabel(tr("Path"), this);
    title->setFixedWidth(ModuleSection::nameWidth);
    m_path = mutedLabel({}, this);
    m_path->setWordWrap(true);
    row->addWidget(title, 0, Qt::AlignTop);
    row->addWidget(m_path, 1);
    form()->addSpacing(8);
    form()->addLayout(row);
    form()->addSpacing(8);
    form()->addWidget(sectionLine(this));
    for (const PolicyModule &module : policyModules()) {
        auto *section = m_modules.emplace_back(new ModuleSection(module, this));
        form()->addWidget(section);
        connect(
            section, &ModuleSection::edited, this,
            [this](const QString &what, const json::Path &path, const json::Value &part) { set(what, path, part); });
    }
}

void PolicyPage::buildTrial()
{
    auto *row = rowLayout();
    auto *title = sectionLabel(tr("Try it"), this);
    title->setFixedWidth(ModuleSection::nameWidth);
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
    m_outcome->setContentsMargins(ModuleSection::nameWidth + 8, 0, 0, 0);
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
    for (ModuleSection *section : m_modules)
        section->setPolicy(value());
    const QString modules =
        policy.moduleList() == "-" ? QString() : qtext(policy.moduleList()).replace(u", "_s, u" → "_s) + u" → "_s;
    m_path->setText(tr("caller → %1network   (the order is fixed)").arg(modules));
    showTargets();
    showKey();
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
        m_key->setText(
            tr("%1 %2  →  key %3").arg(m_tryMethod->word(), m_tryPath->text(), qtext(identifier->key(request))));
        const bool shares = value()["holder"].isTruthy() || value()["cache"].isTruthy();
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
