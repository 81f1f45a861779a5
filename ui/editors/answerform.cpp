#include "editors/answerform.h"

#include "editors/answerbehaviors.h"
#include "editors/behaviorlist.h"
#include "editors/codeeditor.h"
#include "editors/delayfield.h"
#include "editors/faultform.h"
#include "editors/jsonfields.h"
#include "editors/memberform.h"
#include "editors/proxyform.h"
#include "widgets/text.h"
#include "json/parser.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

constexpr const char *kinds[] = {"is", "proxy", "inject", "fault"};
const char *const newScript = "function (config) {\n  return { statusCode: 200, body: config.request.path };\n}";

json::Value freshPart(const QString &kind, const QString &protocol)
{
    using json::Value;
    const bool tcp = protocol == u"tcp";
    if (kind == u"proxy")
        return Value(json::Members{{"to", Value(tcp ? "tcp://127.0.0.1:8080" : "http://127.0.0.1:8080")}});
    if (kind == u"inject")
        return Value(newScript);
    if (kind == u"fault")
        return FaultForm::faultOf(u"reset"_s);
    return tcp ? Value(json::Members{{"data", Value("")}}) : Value(json::Members{{"statusCode", Value(200)}});
}

} // namespace

AnswerForm::AnswerForm(QWidget *parent)
    : QWidget(parent), m_kind(new ChoiceField(tr("Kind of answer"), this)), m_delay(new DelayField(tr("Delay"), this)),
      m_unknown(mutedLabel({}, this)), m_response(new ResponseForm(ResponseForm::Kind::Answer, this)),
      m_proxy(new ProxyForm(this)), m_script(new MemberForm(this)),
      m_fault(new FaultForm(FaultForm::Place::Alone, this)), m_wrong(new FaultForm(FaultForm::Place::Beside, this)),
      m_behaviors(new BehaviorList(this))
{
    m_script
        ->addScript(tr("Script"), {"inject"}, tr("returns the answer; scripts run only where they are allowed"),
                    MemberForm::Empty::Stays)
        ->setFixedHeight(240);
    m_unknown->setWordWrap(true);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(buildFirstRow());
    m_delayRow = buildDelayRow();
    layout->addWidget(m_delayRow);
    layout->addWidget(m_unknown);
    layout->addWidget(m_response, 1);
    layout->addWidget(m_proxy);
    layout->addWidget(m_script);
    m_faultRow = labelled(tr("Fault"), m_fault);
    layout->addWidget(m_faultRow);
    m_behaviorsRow = labelled(tr("Behaviors"), m_behaviors);
    layout->addWidget(m_behaviorsRow);
    m_wrongRow = labelled(tr("Goes wrong"), m_wrong);
    layout->addWidget(m_wrongRow);
    layout->addStretch();
    connectParts();
}

// A row of its own: a distribution has many fields.
QWidget *AnswerForm::buildDelayRow()
{
    auto *line = new QWidget(this);
    auto *row = rowLayout();
    line->setLayout(row);
    auto *label = new QLabel(tr("Dela&y"), line);
    label->setBuddy(m_delay);
    label->setMinimumWidth(labelWidth);
    m_moreDelays = mutedLabel({}, line);
    m_delay->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    row->addWidget(label);
    row->addWidget(m_delay);
    row->addWidget(m_moreDelays);
    row->addStretch();
    return line;
}

QWidget *AnswerForm::labelled(const QString &label, QWidget *field)
{
    auto *row = new QWidget(this);
    auto *layout = rowLayout();
    row->setLayout(layout);
    auto *name = new QLabel(label, row);
    name->setMinimumWidth(labelWidth);
    name->setMinimumHeight(m_kind->sizeHint().height());
    layout->addWidget(name, 0, Qt::AlignTop);
    layout->addWidget(field, 1);
    return row;
}

QWidget *AnswerForm::buildFirstRow()
{
    auto *line = new QWidget(this);
    auto *row = rowLayout();
    line->setLayout(row);
    m_kind->addChoice(tr("Response"), u"is"_s);
    m_kind->addChoice(tr("Proxy"), u"proxy"_s);
    m_kind->addChoice(tr("Script"), u"inject"_s);
    m_kind->addChoice(tr("Fault"), u"fault"_s);
    auto *kindLabel = new QLabel(tr("Answe&r"), line);
    kindLabel->setBuddy(m_kind);
    kindLabel->setMinimumWidth(labelWidth);
    m_shareLabel = new QLabel(line);
    m_weight = new TextField(tr("Weight"), line);
    m_weight->setWidthInCharacters(5);
    m_weight->setAlignment(Qt::AlignRight);
    m_weight->setPlaceholderText(u"1"_s);
    m_repeat = new NumberField(tr("Repeat"), 1, 1'000'000, line);
    m_repeat->setWidthInCharacters(5);
    row->addWidget(kindLabel);
    row->addWidget(m_kind);
    row->addSpacing(8);
    row->addWidget(m_shareLabel);
    row->addWidget(m_weight);
    row->addWidget(m_repeat);
    row->addStretch();
    return line;
}

void AnswerForm::forward(QWidget *form, const char *member)
{
    const auto pass = [this, member](const QString &what, const json::Path &path, const json::Value &value) {
        json::Path whole{member};
        whole.insert(whole.end(), path.begin(), path.end());
        Q_EMIT edited(what, whole, value);
    };
    if (auto *response = qobject_cast<ResponseForm *>(form))
        connect(response, &ResponseForm::edited, this, pass);
    else if (auto *proxy = qobject_cast<ProxyForm *>(form))
        connect(proxy, &ProxyForm::edited, this, pass);
    else if (auto *fault = qobject_cast<FaultForm *>(form))
        connect(fault, &FaultForm::edited, this, pass);
}

void AnswerForm::connectParts()
{
    forward(m_response, "is");
    forward(m_proxy, "proxy");
    forward(m_fault, "fault");
    forward(m_wrong, "fault");
    connect(m_script, &MemberForm::edited, this, &AnswerForm::edited);
    connect(m_behaviors, &BehaviorList::edited, this, &AnswerForm::edited);
    connect(m_response, &ResponseForm::templateChosen, this, [this](bool on) {
        Q_EMIT edited(on ? tr("Make it a template") : tr("Send it as it is"), {"template"},
                      on ? json::Value(true) : json::Value());
    });
    connect(m_kind, &ChoiceField::chosen, this, [this](const QString &kind) {
        flush();
        if (kind != kindOf(m_answer))
            Q_EMIT edited(tr("Change answer to %1").arg(m_kind->currentText().toLower()), {},
                          asKind(m_answer, kind, m_protocol));
    });
    connect(m_delay, &DelayField::delayEdited, this, &AnswerForm::setDelay);
    connect(m_weight, &TextField::edited, this, [this](const QString &text) {
        auto parsed = json::parse(utf8(text));
        const auto *number = std::get_if<json::Value>(&parsed);
        const bool good = text.isEmpty() || (number && number->isNumber() && number->toDouble() >= 0);
        m_weight->setProblem(good ? QString() : tr("Expected a number from 0"));
        if (good)
            Q_EMIT edited(tr("Change weight"), {"weight"}, text.isEmpty() ? json::Value() : *number);
    });
    connect(m_repeat, &NumberField::edited, this, &AnswerForm::setRepeat);
}

QString AnswerForm::kindOf(const json::Value &answer)
{
    for (const char *kind : kinds) {
        if (answer.find(kind))
            return QString::fromLatin1(kind);
    }
    return {};
}

json::Value AnswerForm::asKind(const json::Value &answer, const QString &kind, const QString &protocol)
{
    json::Value part = freshPart(kind, protocol);
    json::Value fault; // one of our own may stay beside a response, and become the answer
    if (answer["fault"].isObject())
        fault = answer["fault"];
    json::Value result = answer.isObject() ? answer : json::Value::object();
    for (const char *other : kinds)
        result = result.withoutMember(other);
    if (kind == u"fault" && !fault.isNull())
        part = fault;
    return result.withMemberAt(0, utf8(kind), part);
}

void AnswerForm::setAnswer(const json::Value &answer, bool randomMode, const ResponseForm::Setting &setting, bool fresh)
{
    if (fresh)
        m_response->flush();
    m_answer = answer;
    m_protocol = setting.protocol;
    const QString kind = kindOf(answer);
    m_kind->setWord(kind);
    m_response->setVisible(kind == u"is");
    m_proxy->setVisible(kind == u"proxy");
    m_script->setVisible(kind == u"inject");
    m_faultRow->setVisible(kind == u"fault");
    m_behaviorsRow->setVisible(!kind.isEmpty() && !(kind == u"fault" && answer["fault"].isString()));
    m_wrongRow->setVisible(kind == u"is");
    m_unknown->setVisible(kind.isEmpty());
    m_unknown->setText(
        tr("This answer is of a kind that is not known. It is kept in the file; the JSON view shows it."));
    showFirstRow(randomMode);
    if (kind == u"is") {
        m_response->setParts(answer["is"], answer["template"].isTruthy(), setting, fresh);
        m_wrong->setFault(answer["fault"]);
    } else if (kind == u"proxy") {
        m_proxy->setProxy(answer["proxy"], setting.protocol);
    } else if (kind == u"inject") {
        m_script->setObject(answer);
    } else {
        m_fault->setFault(answer["fault"]);
    }
    m_behaviors->setAnswer(answer);
}

void AnswerForm::showFirstRow(bool randomMode)
{
    json::Value delay;
    int waits = 0;
    for (const json::Value &behavior : behaviors::listOf(m_answer).items()) {
        if (const json::Value *wait = behavior.find("wait"); wait && waits++ == 0)
            delay = *wait;
    }
    const bool waitsHere = !m_behaviorsRow->isHidden();
    m_delay->setDelay(delay);
    m_delayRow->setVisible(waitsHere);
    m_moreDelays->setText(waits > 1 ? tr("and %n more", nullptr, waits - 1) : QString());
    m_moreDelays->setVisible(waits > 1);
    m_shareLabel->setText(randomMode ? tr("&Weight") : tr("&Repeat"));
    m_shareLabel->setBuddy(randomMode ? static_cast<QWidget *>(m_weight) : m_repeat);
    m_weight->setVisible(randomMode);
    m_repeat->setVisible(!randomMode);
    m_weight->setValue(scalarText(m_answer["weight"]));
    m_repeat->setNumber(behaviors::repeatOf(m_answer));
}

// The first wait is the one of the first row; others stay as they are.
void AnswerForm::setDelay(const json::Value &delay)
{
    json::Value list = behaviors::listOf(m_answer);
    std::size_t index = 0;
    while (index < list.size() && !list.at(index).find("wait"))
        ++index;
    if (index == list.size()) {
        if (delay.isNull())
            return;
        list = list.withItemInserted(index, json::Value(json::Members{{"wait", delay}}));
    } else if (delay.isNull()) {
        list = list.withoutItem(index);
    } else {
        list = list.withItem(index, list.at(index).withMember("wait", delay));
    }
    const json::Value answer = behaviors::withList(m_answer, list);
    if (behaviors::isOldForm(m_answer))
        Q_EMIT edited(tr("Change delay"), {}, answer);
    else
        Q_EMIT edited(tr("Change delay"), {"behaviors"}, answer["behaviors"]);
}

void AnswerForm::setRepeat(int count)
{
    const json::Value repeat = count == 1 ? json::Value() : json::Value(count);
    if (behaviors::isOldForm(m_answer)) {
        const json::Value today = behaviors::withList(m_answer, behaviors::listOf(m_answer));
        Q_EMIT edited(tr("Change repeat"), {}, withPart(today, {"repeat"}, repeat));
    } else {
        Q_EMIT edited(tr("Change repeat"), {"repeat"}, repeat);
    }
}

void AnswerForm::flush()
{
    m_response->flush();
}

} // namespace wardbench
