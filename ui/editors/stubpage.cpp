#include "editors/stubpage.h"

#include "document/mockcontroller.h"
#include "document/workspacedocument.h"
#include "editors/answerbehaviors.h"
#include "editors/answerform.h"
#include "editors/conditionlist.h"
#include "editors/fields.h"
#include "editors/proxyform.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QTreeWidget>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

enum Column { ShareColumn, StatusColumn, TypeColumn, DelayColumn, BodyColumn };

QString contentType(const json::Value &parts)
{
    for (const auto &[name, value] : parts["headers"].members()) {
        if (QString::compare(qtext(name), u"content-type"_s, Qt::CaseInsensitive) == 0)
            return scalarText(value);
    }
    const json::Value &body = parts["body"];
    return body.isObject() || body.isArray() ? u"JSON"_s : body.isNull() ? QString() : u"text"_s;
}

QString faultText(const json::Value &fault)
{
    const QString name = fault.isObject() ? scalarText(fault["type"]) : scalarText(fault);
    const double probability = fault["probability"].toDouble(1);
    return probability < 1 ? QCoreApplication::translate("StubPage", "%1 %2 %").arg(name).arg(probability * 100) : name;
}

double weightOf(const json::Value &answer)
{
    return answer["weight"].isNull() ? 1 : answer["weight"].toDouble();
}

} // namespace

StubPage::StubPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent)
    : FormPage(document, mocks, parent)
{
    buildHead();
    form()->addSpacing(8);
    form()->addWidget(sectionLine(this));
    buildConditions();
    form()->addSpacing(8);
    form()->addWidget(sectionLine(this));
    buildAnswers();
}

void StubPage::buildHead()
{
    auto *row = rowLayout();
    m_name = new TextField(tr("Name"), this);
    m_name->setPlaceholderText(tr("labelled by its conditions"));
    m_enabled = new QCheckBox(tr("&enabled"), this);
    auto *label = new QLabel(tr("&Name"), this);
    label->setBuddy(m_name);
    label->setMinimumWidth(labelWidth);
    row->addWidget(label);
    row->addWidget(m_name, 1);
    row->addSpacing(8);
    row->addWidget(m_enabled);
    form()->addLayout(row);
    buildState();
    connect(m_name, &TextField::edited, this, [this](const QString &text) {
        set(tr("Rename stub"), {"name"}, text.isEmpty() ? json::Value() : json::Value(utf8(text)));
    });
    connect(m_enabled, &QCheckBox::clicked, this, [this](bool on) {
        set(on ? tr("Enable stub") : tr("Disable stub"), {"enabled"}, on ? json::Value() : json::Value(false));
    });
}

// Both say when the stub's turn is: its place among the others, and the state it belongs to.
void StubPage::buildState()
{
    auto *row = rowLayout();
    const auto text = [this](const QString &name, const QString &placeholder) {
        auto *field = new TextField(name, this);
        field->setPlaceholderText(placeholder);
        field->setMinimumWidth(96);
        return field;
    };
    m_scenario = text(tr("State: scenario"), tr("no scenario"));
    m_required = text(tr("State: required"), tr("any state"));
    m_next = text(tr("State: new"), tr("stays"));
    m_priority = new TextField(tr("Priority"), this);
    m_priority->setAlignment(Qt::AlignRight);
    m_priority->setWidthInCharacters(6);
    m_priority->setPlaceholderText(tr("none"));
    m_priority->setToolTip(tr("Stubs with a lower one are asked first, those without one last"));
    m_scenario->setToolTip(tr("A scenario begins in the state Started"));
    auto *label = new QLabel(tr("S&tate"), this);
    label->setBuddy(m_scenario);
    label->setMinimumWidth(labelWidth);
    auto *priorityLabel = new QLabel(tr("&Priority"), this);
    priorityLabel->setBuddy(m_priority);
    row->addWidget(label);
    row->addWidget(m_scenario, 1);
    row->addWidget(mutedLabel(tr("in"), this));
    row->addWidget(m_required, 1);
    row->addWidget(mutedLabel(tr("then"), this));
    row->addWidget(m_next, 1);
    row->addSpacing(16);
    row->addWidget(priorityLabel);
    row->addWidget(m_priority);
    form()->addLayout(row);
    const std::pair<TextField *, const char *> states[] = {
        {m_scenario, "scenarioName"}, {m_required, "requiredScenarioState"}, {m_next, "newScenarioState"}};
    for (const auto &[field, member] : states) {
        connect(field, &TextField::edited, this, [this, member = member](const QString &typed) {
            set(tr("Change state"), {member}, typed.isEmpty() ? json::Value() : json::Value(utf8(typed)));
        });
    }
    connect(m_priority, &TextField::edited, this, [this](const QString &typed) {
        bool number = false;
        const int priority = typed.toInt(&number);
        const bool good = typed.isEmpty() || (number && priority >= 1);
        m_priority->setProblem(good ? QString() : tr("Expected a whole number from 1"));
        if (good)
            set(tr("Change priority"), {"priority"}, typed.isEmpty() ? json::Value() : json::Value(priority));
    });
}

void StubPage::buildConditions()
{
    auto *head = rowLayout();
    auto *title = sectionLabel(tr("When"), this);
    title->setMinimumWidth(labelWidth);
    m_how = new ChoiceField(tr("How many conditions must hold"), this);
    m_how->addChoice(tr("all of these"), u"all"_s);
    m_how->addChoice(tr("any of these"), u"any"_s);
    m_noConditions = mutedLabel(tr("No conditions: this stub answers every request that reaches it."), this);
    auto *add = new QPushButton(Theme::icon(u"plus"_s), tr("&Condition"), this);
    head->addWidget(title);
    head->addWidget(m_how);
    head->addWidget(m_noConditions);
    head->addStretch();
    head->addWidget(add);
    form()->addLayout(head);
    m_conditions = new ConditionList(this);
    form()->addWidget(m_conditions);
    connect(m_how, &ChoiceField::chosen, this, [this](const QString &word) { setAny(word == u"any"); });
    connect(add, &QPushButton::clicked, m_conditions, &ConditionList::addCondition);
    connect(m_conditions, &ConditionList::predicatesEdited, this,
            [this](const json::Value &predicates, const QString &what) {
                if (isAny() && predicates.size() == 0)
                    set(what, {"predicates"}, json::Value::array());
                else
                    set(what, predicatesPath(), predicates);
            });
}

void StubPage::buildAnswers()
{
    auto *head = rowLayout();
    auto *title = sectionLabel(tr("Answers"), this);
    title->setMinimumWidth(labelWidth);
    m_mode = new ChoiceField(tr("Which answer comes next"), this);
    m_mode->addChoice(tr("in turn"), u"sequential"_s);
    m_mode->addChoice(tr("at random, by weight"), u"random"_s);
    const auto button = [&](const QString &icon, const QString &text, auto slot) {
        auto *made = new QPushButton(Theme::icon(icon), text, this);
        connect(made, &QPushButton::clicked, this, slot);
        head->addWidget(made);
        return made;
    };
    head->addWidget(title);
    head->addWidget(m_mode);
    head->addStretch();
    m_up = button(u"up"_s, {}, [this] { moveAnswer(-1); });
    m_down = button(u"down"_s, {}, [this] { moveAnswer(1); });
    m_up->setAccessibleName(tr("Move answer up"));
    m_down->setAccessibleName(tr("Move answer down"));
    m_up->setToolTip(tr("Move answer up"));
    m_down->setToolTip(tr("Move answer down"));
    m_remove = button(u"trash"_s, tr("Remove"), [this] { removeAnswer(); });
    m_remove->setAccessibleName(tr("Remove answer"));
    m_duplicate = button(u"duplicate"_s, tr("Duplicate"), [this] { addAnswer(true); });
    m_duplicate->setAccessibleName(tr("Duplicate answer"));
    button(u"plus"_s, tr("&Answer"), [this] { addAnswer(false); });
    form()->addLayout(head);

    buildAnswerList();
    form()->addWidget(m_answers);
    m_answer = new AnswerForm(this);
    form()->addWidget(m_answer, 1);

    connect(m_mode, &ChoiceField::chosen, this, [this](const QString &word) {
        set(tr("Answer %1").arg(word == u"random" ? tr("at random") : tr("in turn")), {"responseMode"},
            word == u"random" ? json::Value("random") : json::Value());
    });
    connect(m_answers, &QTreeWidget::currentItemChanged, this, [this] {
        if (!m_filling)
            showAnswers();
    });
    connect(m_answer, &AnswerForm::edited, this, &StubPage::editAnswer);
    connect(m_answer->proxy(), &ProxyForm::recordingRequested, this,
            [this](bool on) { mocks()->setRecording(mockId(), on); });
    connect(mocks(), &MockController::recordingChanged, this,
            [this] { m_answer->proxy()->setRecording(mocks()->isRecording(mockId())); });
}

void StubPage::buildAnswerList()
{
    m_answers = new QTreeWidget(this);
    m_answers->setAccessibleName(tr("Answers"));
    m_answers->setRootIsDecorated(false);
    m_answers->setUniformRowHeights(true);
    m_answers->setHeaderLabels({tr("Share"), tr("Status"), tr("Type"), tr("Behaviors"), tr("Body")});
    m_answers->headerItem()->setTextAlignment(ShareColumn, Qt::AlignRight | Qt::AlignVCenter);
    m_answers->headerItem()->setTextAlignment(StatusColumn, Qt::AlignCenter);
    m_answers->header()->setStretchLastSection(true);
    m_answers->header()->setSectionsMovable(false);
    m_answers->setColumnWidth(ShareColumn, 80);
    m_answers->setColumnWidth(StatusColumn, 64);
    m_answers->setColumnWidth(TypeColumn, 160);
    m_answers->setColumnWidth(DelayColumn, 220);
    m_answers->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
}

void StubPage::focusFirstField()
{
    m_name->setFocus();
    m_name->selectAll();
}

void StubPage::targetChanged()
{
    m_answer->flush();
    m_shown = -1;
    m_filling = true;
    m_answers->clear();
    m_filling = false;
}

void StubPage::showValue()
{
    const json::Value &stub = value();
    m_name->setValue(qtext(stub["name"].text()));
    m_enabled->setChecked(stub["enabled"].toBool(true));
    m_scenario->setValue(qtext(stub["scenarioName"].text()));
    m_required->setValue(qtext(stub["requiredScenarioState"].text()));
    m_next->setValue(qtext(stub["newScenarioState"].text()));
    m_scenario->setProblem(stub["scenarioName"].isNull() &&
                                   (stub.find("requiredScenarioState") || stub.find("newScenarioState"))
                               ? tr("Expected the scenario whose state is meant")
                               : QString());
    m_priority->setValue(scalarText(stub["priority"]));
    m_how->setWord(isAny() ? u"any"_s : u"all"_s);
    const json::Value &predicates = valueAt(predicatesPath());
    m_conditions->setPredicates(predicates, responseSetting().protocol == u"tcp");
    m_how->setVisible(predicates.size() > 0);
    m_noConditions->setVisible(predicates.size() == 0);
    m_mode->setWord(stub["responseMode"].text() == "random" ? u"random"_s : u"sequential"_s);
    showAnswers();
}

bool StubPage::isAny() const
{
    const json::Value &predicates = value()["predicates"];
    return predicates.size() == 1 && predicates.at(0).size() == 1 && predicates.at(0)["or"].isArray();
}

json::Path StubPage::predicatesPath() const
{
    return isAny() ? json::Path{"predicates", "0", "or"} : json::Path{"predicates"};
}

void StubPage::setAny(bool any)
{
    if (any == isAny())
        return;
    const json::Value &list = valueAt(predicatesPath());
    set(any ? tr("Match any condition") : tr("Match all conditions"), {"predicates"},
        any ? json::Value(json::Array{json::Value(json::Members{{"or", list}})}) : list);
}

int StubPage::currentAnswer() const
{
    return m_answers->indexOfTopLevelItem(m_answers->currentItem());
}

void StubPage::showAnswer(QTreeWidgetItem *item, const json::Value &answer, bool isTcp)
{
    const QString kind = AnswerForm::kindOf(answer);
    const json::Value &parts = answer["is"];
    const QString status = kind == u"is" ? (parts["statusCode"].isNull() ? u"200"_s : scalarText(parts["statusCode"]))
                           : kind == u"proxy"  ? tr("proxy")
                           : kind == u"inject" ? tr("script")
                           : kind == u"fault"  ? tr("fault")
                                               : u"?"_s;
    const bool tcp = kind == u"is" && isTcp;
    item->setText(StatusColumn, tcp ? tr("data") : status);
    item->setForeground(StatusColumn, Theme::instance().statusColor(status.toInt()));
    item->setText(TypeColumn, kind == u"proxy" ? scalarText(answer["proxy"]["to"])
                              : tcp            ? QString()
                                               : contentType(parts));
    QStringList delays;
    for (const json::Value &behavior : behaviors::listOf(answer).items()) {
        const json::Value *wait = behavior.find("wait");
        delays << (wait ? delayText(*wait) : behaviors::kindOf(behavior));
    }
    if (const QString fault = faultText(answer["fault"]); !fault.isEmpty())
        delays << fault;
    item->setText(DelayColumn, delays.join(u" + "_s));
    const json::Value &body = kind == u"inject"        ? answer["inject"]
                              : parts.find("bodyFile") ? parts["bodyFile"]
                              : parts.find("data")     ? parts["data"]
                                                       : parts["body"];
    item->setText(BodyColumn, shortened(scalarText(body), 80));
    item->setTextAlignment(ShareColumn, Qt::AlignRight | Qt::AlignVCenter);
    item->setTextAlignment(StatusColumn, Qt::AlignCenter);
}

void StubPage::showAnswers()
{
    const json::Value &responses = value()["responses"];
    const bool random = value()["responseMode"].text() == "random";
    const ResponseForm::Setting setting = responseSetting();
    double total = 0;
    for (const json::Value &answer : responses.items())
        total += weightOf(answer);
    m_filling = true;
    const int count = static_cast<int>(responses.size());
    while (m_answers->topLevelItemCount() > count)
        delete m_answers->takeTopLevelItem(m_answers->topLevelItemCount() - 1);
    while (m_answers->topLevelItemCount() < count)
        m_answers->addTopLevelItem(new QTreeWidgetItem);
    if (count > 0 && currentAnswer() < 0)
        m_answers->setCurrentItem(m_answers->topLevelItem(0));
    for (int i = 0; i < count; ++i) {
        const json::Value &answer = responses.at(static_cast<std::size_t>(i));
        QTreeWidgetItem *item = m_answers->topLevelItem(i);
        const double share = total > 0 ? 100 * weightOf(answer) / total : 0;
        const int repeat = behaviors::repeatOf(answer);
        item->setText(ShareColumn, random        ? QLocale().toString(share, 'g', 3) + u" %"_s
                                   : repeat == 1 ? tr("once")
                                                 : tr("%1 times").arg(repeat));
        showAnswer(item, answer, setting.protocol == u"tcp");
    }
    m_filling = false;
    const int rows = qBound(1, count, 5);
    const int rowHeight = qMax(m_answers->sizeHintForRow(0), m_answers->fontMetrics().height() + 6);
    m_answers->setFixedHeight(m_answers->header()->sizeHint().height() + rows * rowHeight +
                              2 * m_answers->frameWidth() + 2);

    const int current = currentAnswer();
    m_answer->setVisible(current >= 0);
    m_answer->proxy()->setRecording(mocks()->isRecording(mockId()));
    if (current >= 0)
        m_answer->setAnswer(responses.at(static_cast<std::size_t>(current)), random, setting, current != m_shown);
    m_shown = current;
    m_duplicate->setEnabled(current >= 0);
    m_remove->setEnabled(current >= 0 && count > 1);
    m_up->setEnabled(current > 0);
    m_down->setEnabled(current >= 0 && current + 1 < count);
}

void StubPage::editAnswer(const QString &what, const json::Path &path, const json::Value &value)
{
    if (m_shown < 0)
        return;
    json::Path whole{"responses", std::to_string(m_shown)};
    whole.insert(whole.end(), path.begin(), path.end());
    set(what, whole, value);
}

void StubPage::addAnswer(bool duplicate)
{
    m_answer->flush();
    const int at = duplicate ? currentAnswer() + 1 : m_answers->topLevelItemCount();
    const json::Value fresh = duplicate ? value()["responses"].at(static_cast<std::size_t>(currentAnswer()))
                                        : AnswerForm::asKind({}, u"is"_s, responseSetting().protocol);
    const QString what = duplicate ? tr("Duplicate answer") : tr("Add answer");
    if (!value()["responses"].isArray())
        set(what, {"responses"}, json::Value(json::Array{fresh}));
    else
        edit(WorkspaceEdit::insert(utf8(what), target() / "responses" / static_cast<std::size_t>(at), fresh));
    m_answers->setCurrentItem(m_answers->topLevelItem(at));
}

void StubPage::removeAnswer()
{
    const int at = currentAnswer();
    if (at >= 0)
        edit(WorkspaceEdit::remove(utf8(tr("Remove answer")), target() / "responses" / static_cast<std::size_t>(at)));
    m_shown = -1;
    showAnswers();
}

void StubPage::moveAnswer(int by)
{
    m_answer->flush();
    const int at = currentAnswer();
    edit(WorkspaceEdit::move(utf8(tr("Move answer")), target() / "responses" / static_cast<std::size_t>(at),
                             static_cast<std::size_t>(at + by)));
    m_shown = -1;
    m_answers->setCurrentItem(m_answers->topLevelItem(at + by));
    showAnswers();
}

} // namespace wardbench
