#include "editors/scenariopage.h"

#include "base/duration.h"
#include "codec/workspacefile.h"
#include "document/mockcontroller.h"
#include "document/workspacedocument.h"
#include "editors/bodyeditor.h"
#include "editors/fields.h"
#include "editors/headerrows.h"
#include "editors/scenariorows.h"
#include "run/runsession.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QLocale>
#include <QPointer>
#include <QPushButton>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

constexpr int titleWidth = 96;

QString successText(const json::Value &status)
{
    if (status.isString())
        return qtext(status.text());
    QStringList parts;
    for (const json::Value &item : status.items())
        parts << scalarText(item);
    return parts.join(u", "_s);
}

// Null: the default. No value: not understood.
std::optional<json::Value> successValue(const QString &text)
{
    if (text.trimmed().isEmpty())
        return json::Value();
    if (text.trimmed() == u"any")
        return json::Value("any");
    json::Array items;
    for (const QString &part : text.split(u',', Qt::SkipEmptyParts)) {
        const QString word = part.trimmed();
        bool number = false;
        const int code = word.toInt(&number);
        const bool isClass = word.size() == 3 && word.endsWith(u"xx"_s) && word[0] >= u'1' && word[0] <= u'5';
        if (!isClass && !(number && code >= 100 && code <= 599))
            return std::nullopt;
        items.emplace_back(isClass ? json::Value(utf8(word)) : json::Value(code));
    }
    return json::Value(std::move(items));
}

} // namespace

ScenarioPage::ScenarioPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent) : FormPage(document, mocks, parent)
{
    buildActions();
    buildRequest();
    buildLists();
    buildLoad();
    buildRepeat();
    buildSuccess();
    form()->addSpacing(8);
    form()->addWidget(sectionLine(this));
    m_estimate = new QLabel(this);
    m_estimate->setWordWrap(true);
    m_warning = new QLabel(this);
    m_warning->setWordWrap(true);
    form()->addWidget(m_estimate);
    form()->addWidget(m_warning);
    form()->addStretch();
}

ScenarioPage::~ScenarioPage() = default;

QHBoxLayout *ScenarioPage::addRow(const QString &title, QWidget *buddy)
{
    auto *row = rowLayout();
    auto *label = new QLabel(title, this);
    label->setMinimumWidth(titleWidth);
    if (buddy)
        label->setBuddy(buddy);
    row->addWidget(label);
    form()->addLayout(row);
    return row;
}

void ScenarioPage::buildActions()
{
    auto *once = new QAction(Theme::icon(u"send"_s), tr("Run once"), this);
    once->setToolTip(tr("One iteration of each contestant (F6)"));
    connect(once, &QAction::triggered, this, &ScenarioPage::sendTest);
    auto *run = new QAction(Theme::icon(u"play"_s), tr("Run"), this);
    run->setToolTip(tr("Run this scenario (F5)"));
    connect(run, &QAction::triggered, this, [this] { Q_EMIT runRequested(target()); });
    m_actions = {once, run};
}

void ScenarioPage::buildRequest()
{
    m_name = new TextField(tr("Name"), this);
    addRow(tr("&Name"), m_name)->addWidget(m_name, 1);
    connect(m_name, &TextField::edited, this, [this](const QString &text) {
        m_name->setProblem(text.isEmpty() ? tr("Expected a name") : QString());
        if (!text.isEmpty())
            set(tr("Rename scenario"), {"name"}, json::Value(utf8(text)));
    });

    m_method = new ChoiceField(tr("Method"), this);
    for (const char *method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
        m_method->addChoice(QString::fromLatin1(method), QString::fromLatin1(method));
    m_target = new ChoiceField(tr("Target"), this);
    m_target->setEditable(true);
    m_target->setInsertPolicy(QComboBox::NoInsert);
    m_target->setMinimumWidth(160);
    m_target->lineEdit()->setPlaceholderText(tr("mock or http://host"));
    m_path = new TextField(tr("Path"), this);
    m_headersButton = new QPushButton(this);
    m_headersButton->setCheckable(true);
    m_bodyButton = new QPushButton(this);
    m_bodyButton->setCheckable(true);
    auto *row = addRow(tr("Reque&st"), m_method);
    row->addWidget(m_method);
    row->addWidget(mutedLabel(tr("to"), this));
    row->addWidget(m_target);
    row->addWidget(m_path, 1);
    row->addWidget(m_headersButton);
    row->addWidget(m_bodyButton);
    m_several = mutedLabel({}, this);
    row->addWidget(m_several);
    m_several->setVisible(false);

    m_headers = new HeaderRows(tr("Request header"), this);
    m_addHeader = new QPushButton(Theme::icon(u"plus"_s), tr("Header"), this);
    m_body = new BodyEditor(tr("Request body"), false, this);
    m_body->setMinimumHeight(160);
    m_headers->setContentsMargins(titleWidth + 8, 0, 0, 0);
    form()->addWidget(m_headers);
    auto *addRowLayout = rowLayout();
    addRowLayout->addSpacing(titleWidth + 8);
    addRowLayout->addWidget(m_addHeader);
    addRowLayout->addStretch();
    form()->addLayout(addRowLayout);
    form()->addWidget(m_body);

    connect(m_method, &ChoiceField::chosen, this, [this](const QString &method) {
        set(tr("Change method"), {"request", "method"}, json::Value(utf8(method)));
    });
    connect(m_target, &ChoiceField::chosen, this,
            [this] { set(tr("Change target"), {"request", "target"}, json::Value(utf8(m_target->currentText()))); });
    connect(m_target->lineEdit(), &QLineEdit::textEdited, this,
            [this](const QString &text) { set(tr("Change target"), {"request", "target"}, json::Value(utf8(text))); });
    connect(m_path, &TextField::edited, this,
            [this](const QString &text) { set(tr("Change path"), {"request", "path"}, json::Value(utf8(text))); });
    connect(m_headers, &HeaderRows::headersEdited, this, [this](const json::Value &headers, const QString &what) {
        set(what, {"request", "headers"}, headers.size() ? headers : json::Value());
    });
    connect(m_addHeader, &QPushButton::clicked, m_headers, &HeaderRows::addHeader);
    connect(m_body, &BodyEditor::bodyEdited, this,
            [this](const json::Value &body) { set(tr("Change body"), {"request", "body"}, body); });
    connect(m_headersButton, &QPushButton::clicked, this, &ScenarioPage::showRequest);
    connect(m_bodyButton, &QPushButton::clicked, this, [this] {
        showRequest();
        if (m_bodyButton->isChecked())
            m_body->setFocus();
    });
}

void ScenarioPage::buildLists()
{
    const auto section = [this](const QString &title, const QString &addText, ScenarioRows *rows, auto add) {
        form()->addSpacing(8);
        auto *head = addRow(title);
        auto *button = new QPushButton(Theme::icon(u"plus"_s), addText, this);
        connect(button, &QPushButton::clicked, rows, add);
        head->addWidget(button);
        head->addStretch();
        rows->setContentsMargins(titleWidth + 8, 0, 0, 0);
        form()->addWidget(rows);
    };
    m_variables = new VariableRows(this);
    section(tr("Variables"), tr("&Variable"), m_variables, [this] { m_variables->add(); });
    m_contestants = new ContestantRows(this);
    section(tr("Contestants"), tr("&Contestant"), m_contestants, [this] { m_contestants->add(); });
    connect(m_variables, &ScenarioRows::edited, this, [this](const json::Value &variables, const QString &what) {
        set(what, {"variables"}, variables.size() ? variables : json::Value());
    });
    connect(m_contestants, &ScenarioRows::edited, this,
            [this](const json::Value &contestants, const QString &what) { set(what, {"contestants"}, contestants); });
    connect(m_contestants, &ContestantRows::policyRequested, this, [this](const QString &name) {
        const auto &policies = document()->workspace()->policies;
        for (std::size_t i = 0; i < policies.size(); ++i) {
            if (policies[i]->name == utf8(name))
                Q_EMIT openRequested(json::Path{"policies"} / i);
        }
    });
}

void ScenarioPage::buildSuccess()
{
    m_status = new TextField(tr("Status that succeeds"), this);
    m_status->setPlaceholderText(tr("200 to 399"));
    m_status->setWidthInCharacters(16);
    m_bodyContains = new TextField(tr("Body contains"), this);
    m_bodyContains->setMinimumWidth(200);
    auto *row = addRow(tr("S&ucceeds if"), m_status);
    row->addWidget(mutedLabel(tr("status"), this));
    row->addWidget(m_status);
    row->addWidget(mutedLabel(tr("and the body contains"), this));
    row->addWidget(m_bodyContains);
    row->addStretch();
    m_thresholds = new ThresholdRows(this);
    auto *add = new QPushButton(Theme::icon(u"plus"_s), tr("&Threshold"), this);
    auto *head = addRow(tr("Passes if"));
    head->addWidget(add);
    head->addStretch();
    m_thresholds->setContentsMargins(titleWidth + 8, 0, 0, 0);
    form()->addWidget(m_thresholds);
    connect(add, &QPushButton::clicked, m_thresholds, [this] { m_thresholds->add(); });
    connect(m_thresholds, &ScenarioRows::edited, this,
            [this](const json::Value &thresholds, const QString &what) { set(what, {"thresholds"}, thresholds); });
    connect(m_status, &TextField::edited, this, [this](const QString &text) {
        const auto status = successValue(text);
        m_status->setProblem(status ? QString() : tr("Expected \"any\", or statuses like 200, 2xx"));
        if (status)
            set(tr("Change success"), {"success", "status"}, *status);
    });
    connect(m_bodyContains, &TextField::edited, this, [this](const QString &text) {
        set(tr("Change success"), {"success", "bodyContains"}, text.isEmpty() ? json::Value() : json::Value(utf8(text)));
    });
}

void ScenarioPage::focusFirstField()
{
    m_name->setFocus();
    m_name->selectAll();
}

void ScenarioPage::targetChanged()
{
    m_body->flush();
    m_fresh = true;
}

void ScenarioPage::showTargets()
{
    m_target->clear();
    for (const ImposterPtr &imposter : document()->workspace()->imposters) {
        if (!imposter->name.empty())
            m_target->addChoice(qtext(imposter->name), qtext(imposter->name));
    }
}

void ScenarioPage::showRequest()
{
    const qsizetype several = static_cast<qsizetype>(value()["requests"].size());
    m_several->setText(tr("%n requests; edit them as JSON", nullptr, static_cast<int>(several)));
    m_several->setVisible(several > 0);
    for (QWidget *field : std::initializer_list<QWidget *>{m_method, m_target, m_path, m_headersButton, m_bodyButton})
        field->setVisible(several == 0);
    const json::Value &request = value()["request"];
    m_headersButton->setText(tr("Headers %1").arg(request["headers"].size()));
    m_bodyButton->setText(request["body"].isNull() ? tr("Body -") : tr("Body"));
    m_headers->setHeaders(request["headers"]);
    m_headers->setVisible(m_headersButton->isChecked() && request["headers"].size() > 0);
    m_addHeader->setVisible(m_headersButton->isChecked());
    m_body->setVisible(m_bodyButton->isChecked());
}

void ScenarioPage::showValue()
{
    const std::size_t index = std::stoul(target().back());
    const WorkspacePtr workspace = document()->workspace();
    if (index >= workspace->scenarios.size())
        return;
    const Scenario &scenario = *workspace->scenarios[index];
    const json::Value &request = value()["request"];
    m_name->setValue(qtext(scenario.name));
    m_method->setWord(qtext(scenario.request.method));
    const QString target = qtext(request["target"].text());
    if (!m_target->lineEdit()->hasFocus() || m_target->currentText() != target) {
        showTargets();
        m_target->setCurrentText(target);
    }
    m_path->setValue(qtext(request["path"].text()));
    m_body->setBody(request["body"], false, m_fresh);
    if (m_fresh) {
        m_headersButton->setChecked(false);
        m_bodyButton->setChecked(false);
    }
    showRequest();
    m_variables->show(value()["variables"], scenario);
    m_contestants->show(value()["contestants"], *workspace);
    showLoad(scenario);
    m_repetitions->setNumber(scenario.repetitions);
    m_seed->setValue(scalarText(value()["seed"]));
    m_status->setValue(successText(value()["success"]["status"]));
    m_bodyContains->setValue(qtext(value()["success"]["bodyContains"].text()));
    m_thresholds->show(value()["thresholds"], scenario);
    showEstimate(scenario);
    m_fresh = false;
}

void ScenarioPage::showEstimate(const Scenario &scenario)
{
    const QLocale locale;
    const Workspace &workspace = *document()->workspace();
    const auto contestants = static_cast<qulonglong>(scenario.contestants.size());
    // No finer than a person needs: tenths of a second.
    const auto tenths = std::chrono::round<std::chrono::duration<std::int64_t, std::deci>>(RunSession::estimate(workspace, scenario));
    const QString time = qtext(displayDuration(tenths));
    const std::uint64_t total = RunSession::plannedIterations(scenario);
    const std::uint64_t runs = contestants * static_cast<std::uint64_t>(scenario.repetitions);
    if (scenario.load.measured.iterations && runs > 0)
        m_estimate->setText(tr("%1 contestants × %2 repetitions × %3 = %4 iterations, about %5")
                                .arg(contestants).arg(scenario.repetitions)
                                .arg(locale.toString(qulonglong(total / runs)), locale.toString(qulonglong(total)), time));
    else
        m_estimate->setText(tr("%1 contestants × %2 repetitions, about %3").arg(contestants).arg(scenario.repetitions).arg(time));

    QStringList warnings;
    const ImposterPtr imposter = workspace.imposter(scenario.request.target);
    if (imposter && !imposter->keepAlive)
        warnings << tr("The mock closes each connection after its answer: the time includes connecting.");
    double longest = 0;
    for (const StubPtr &stub : imposter ? imposter->stubs : std::vector<StubPtr>()) {
        double wait = 0;
        for (const Response &response : stub->responses) {
            for (const Behavior &behavior : response.behaviors)
                wait = std::max(wait, static_cast<double>(behavior.wait.mean().count()));
        }
        longest = std::max(longest, wait);
    }
    constexpr double comfortable = 5000; // requests/s that one Qt load thread sends with room to spare
    const double rate = longest > 0 ? scenario.load.users / (longest / 1e9) : 0;
    if (scenario.load.thinkTime.kind == Delay::Kind::None && rate > comfortable)
        warnings << tr("%1 users / %2 = %3 req/s: near what one Qt client thread can send; look for the saturation warning.")
                        .arg(locale.toString(scenario.load.users),
                             qtext(displayDuration(Nanoseconds(static_cast<std::int64_t>(longest)))), locale.toString(rate, 'f', 0));
    m_warning->setText(warnings.join(u'\n'));
    m_warning->setVisible(!warnings.isEmpty());
    QPalette colours = m_warning->palette();
    colours.setColor(QPalette::WindowText, Theme::instance().color(Theme::Role::Warn));
    m_warning->setPalette(colours);
}

// The scenario itself with one user, one iteration, no warm-up: what it would send, and what comes back.
bool ScenarioPage::sendTest()
{
    const std::size_t index = std::stoul(target().back());
    const WorkspacePtr workspace = document()->workspace();
    if (index >= workspace->scenarios.size() || m_once)
        return true;
    const json::Value single(json::Members{{"model", json::Value("closed")}, {"users", json::Value(1)}, {"iterations", json::Value(1)}});
    const json::Value scenario = value().withMember("load", single).withMember("repetitions", json::Value(1)).withoutMember("thresholds");
    const json::Value root = workspace->root.withMember("scenarios", workspace->root["scenarios"].withItem(index, scenario));
    RunRequest request;
    request.workspace = codec::decodeWorkspace(root, workspace);
    request.scenario = workspace->scenarios[index]->name;
    request.keep = false;
    request.allowInjection = mocks()->scriptsAllowed();
    m_once = std::make_shared<RunSession>(std::move(request));
    m_once->start([this, self = QPointer<ScenarioPage>(this)] {
        QMetaObject::invokeMethod(qApp, [self] {
            if (self)
                self->tellOnce();
        });
    });
    return true;
}

void ScenarioPage::tellOnce()
{
    const auto result = m_once->result();
    m_once.reset();
    if (!result) {
        Q_EMIT notice(qtext(result.error().message), true);
        return;
    }
    QStringList lines;
    bool failed = false;
    for (const ContestantResult &contestant : result->contestants) {
        const Measurement &total = contestant.total;
        const QString time = QLocale().toString(static_cast<double>(total.latency.max()) / 1e6, 'f', 1);
        QStringList kinds;
        for (const auto &[kind, count] : total.errorsByKind)
            kinds << qtext(kind);
        failed = failed || total.errors > 0;
        lines << (total.errors ? tr("%1: %2 after %3 ms").arg(qtext(contestant.name), kinds.join(u", "_s), time)
                               : tr("%1: answered in %2 ms").arg(qtext(contestant.name), time));
    }
    Q_EMIT notice(lines.join(u".  "_s), failed);
}

} // namespace wardbench
