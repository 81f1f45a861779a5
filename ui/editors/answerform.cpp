#include "editors/answerform.h"

#include "editors/bodyeditor.h"
#include "editors/conditionlist.h"
#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "http/message.h"
#include "json/parser.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace wardbench {

using namespace Qt::StringLiterals;

AnswerForm::AnswerForm(Kind kind, QWidget *parent) : QWidget(parent), m_kind(kind)
{
    m_status = new TextField(tr("Status"), this);
    m_status->setWidthInCharacters(5);
    m_status->setPlaceholderText(u"200"_s);
    m_reason = mutedLabel({}, this);
    m_parts = new QWidget(this);
    m_headers = new HeaderRows(tr("Header"), m_parts);
    m_body = new BodyEditor(tr("Body"), true, m_parts);
    if (kind == Kind::Answer) {
        m_delay = new DelayField(tr("Delay"), this);
        m_moreDelays = mutedLabel({}, this);
        m_shareLabel = new QLabel(this);
        m_weight = new TextField(tr("Weight"), this);
        m_weight->setWidthInCharacters(5);
        m_weight->setAlignment(Qt::AlignRight);
        m_weight->setPlaceholderText(u"1"_s);
        m_repeat = new NumberField(tr("Repeat"), 1, 1'000'000, this);
        m_repeat->setWidthInCharacters(5);
        m_inactive = mutedLabel({}, this);
        m_inactive->setWordWrap(true);
    }
    build();

    connect(m_status, &TextField::edited, this, [this](const QString &text) {
        bool number = false;
        const int code = text.toInt(&number);
        const bool good = text.isEmpty() || (number && code >= 100 && code <= 999);
        m_status->setProblem(good ? QString() : tr("Expected a status from 100 to 999"));
        if (good)
            Q_EMIT edited(tr("Change status"), part("statusCode"),
                          text.isEmpty() ? json::Value() : scalarValue(text, json::Value(code)));
    });
    connect(m_headers, &HeaderRows::headersEdited, this, [this](const json::Value &headers, const QString &what) {
        Q_EMIT edited(what, part("headers"), headers.size() ? headers : json::Value());
    });
    connect(m_body, &BodyEditor::bodyEdited, this,
            [this](const json::Value &body) { Q_EMIT edited(tr("Change body"), part("body"), body); });
    connect(m_body, &BodyEditor::binaryChosen, this, [this](bool binary, const json::Value &body) {
        Q_EMIT edited(tr("Change the body's form"), part("_mode"), binary ? json::Value("binary") : json::Value());
        Q_EMIT edited(tr("Change body"), part("body"), body);
    });
}

void AnswerForm::build()
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(buildFirstRow());
    if (m_inactive)
        layout->addWidget(m_inactive);

    auto *grid = new QGridLayout(m_parts);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(8);
    grid->setColumnMinimumWidth(0, 64);
    grid->setColumnStretch(1, 1);
    auto *headersLabel = new QLabel(tr("Headers"), m_parts);
    auto *addHeader = new QPushButton(Theme::icon(u"plus"_s), tr("Header"), m_parts);
    addHeader->setAccessibleName(tr("Add header"));
    connect(addHeader, &QPushButton::clicked, m_headers, &HeaderRows::addHeader);
    auto *headers = new QVBoxLayout;
    headers->setSpacing(8);
    headers->addWidget(m_headers);
    auto *addRow = rowLayout();
    addRow->addWidget(addHeader);
    addRow->addStretch();
    headers->addLayout(addRow);
    auto *bodyLabel = new QLabel(tr("&Body"), m_parts);
    bodyLabel->setBuddy(m_body);
    // In line with the first field beside it, however many there are.
    headersLabel->setMinimumHeight(m_status->sizeHint().height());
    bodyLabel->setMinimumHeight(m_status->sizeHint().height());
    grid->addWidget(headersLabel, 0, 0, Qt::AlignTop);
    grid->addLayout(headers, 0, 1);
    grid->addWidget(bodyLabel, 1, 0, Qt::AlignTop);
    grid->addWidget(m_body, 1, 1);
    grid->setRowStretch(1, 1);
    layout->addWidget(m_parts, 1);
}

QWidget *AnswerForm::buildFirstRow()
{
    auto *line = new QWidget(this);
    auto *row = rowLayout();
    line->setLayout(row);
    auto *statusLabel = new QLabel(tr("&Status"), line);
    statusLabel->setBuddy(m_status);
    statusLabel->setMinimumWidth(64);
    row->addWidget(statusLabel);
    row->addWidget(m_status);
    row->addWidget(m_reason);
    if (m_kind == Kind::Answer) {
        auto *delayLabel = new QLabel(tr("Dela&y"), line);
        delayLabel->setBuddy(m_delay);
        row->addSpacing(16);
        row->addWidget(delayLabel);
        row->addWidget(m_delay);
        row->addWidget(m_moreDelays);
        row->addSpacing(16);
        row->addWidget(m_shareLabel);
        row->addWidget(m_weight);
        row->addWidget(m_repeat);
        connect(m_delay, &DelayField::delayEdited, this, &AnswerForm::setDelay);
        connect(m_weight, &TextField::edited, this, [this](const QString &text) {
            auto parsed = json::parse(utf8(text));
            const auto *number = std::get_if<json::Value>(&parsed);
            const bool good = text.isEmpty() || (number && number->isNumber() && number->toDouble() >= 0);
            m_weight->setProblem(good ? QString() : tr("Expected a number from 0"));
            if (good)
                Q_EMIT edited(tr("Change weight"), {"weight"}, text.isEmpty() ? json::Value() : *number);
        });
        connect(m_repeat, &NumberField::edited, this, [this](int count) {
            Q_EMIT edited(tr("Change repeat"), {"repeat"}, count == 1 ? json::Value() : json::Value(count));
        });
    }
    row->addStretch();
    return line;
}

json::Path AnswerForm::part(const char *name) const
{
    return m_kind == Kind::Answer ? json::Path{"is", name} : json::Path{name};
}

void AnswerForm::setAnswer(const json::Value &answer, bool randomMode, bool fresh)
{
    if (fresh)
        m_body->flush();
    m_answer = answer;
    const json::Value &parts = m_kind == Kind::Answer ? answer["is"] : answer;
    m_status->setValue(scalarText(parts["statusCode"]));
    const int status = parts["statusCode"].isNull() ? 200 : scalarText(parts["statusCode"]).toInt();
    m_reason->setText(qtext(http::reasonPhrase(status)));
    m_headers->setHeaders(parts["headers"]);
    m_body->setBody(parts["body"], parts["_mode"].text() == "binary", fresh);
    if (m_kind == Kind::Default)
        return;

    json::Value delay;
    int waits = 0;
    for (const json::Value &behavior : answer["behaviors"].items()) {
        if (const json::Value *wait = behavior.find("wait"); wait && waits++ == 0)
            delay = *wait;
    }
    m_delay->setDelay(delay);
    m_moreDelays->setText(waits > 1 ? tr("and %n more", nullptr, waits - 1) : QString());
    m_shareLabel->setText(randomMode ? tr("&Weight") : tr("&Repeat"));
    m_shareLabel->setBuddy(randomMode ? static_cast<QWidget *>(m_weight) : m_repeat);
    m_weight->setVisible(randomMode);
    m_repeat->setVisible(!randomMode);
    m_weight->setValue(scalarText(answer["weight"]));
    m_repeat->setNumber(answer["repeat"].isNull() ? 1 : scalarText(answer["repeat"]).toInt());

    const bool active = answer["is"].isObject();
    m_parts->setVisible(active);
    m_status->setEnabled(active);
    m_inactive->setVisible(!active);
    if (!active) {
        const QString kind = answer.size() ? qtext(answer.members()[0].first) : tr("empty");
        m_inactive->setText(tr("This is a \"%1\" answer. It is kept in the file, but this version does not run it: the mock answers 501. "
                               "The JSON view shows it.").arg(kind));
    }
}

// The first wait is the one the form shows; others stay as they are.
void AnswerForm::setDelay(const json::Value &delay)
{
    json::Value behaviors = m_answer["behaviors"].isArray() ? m_answer["behaviors"] : json::Value::array();
    std::size_t index = 0;
    while (index < behaviors.size() && !behaviors.at(index).find("wait"))
        ++index;
    if (index == behaviors.size()) {
        if (delay.isNull())
            return;
        behaviors = behaviors.withItemInserted(index, json::Value(json::Members{{"wait", delay}}));
    } else if (delay.isNull()) {
        behaviors = behaviors.withoutItem(index);
    } else {
        behaviors = behaviors.withItem(index, behaviors.at(index).withMember("wait", delay));
    }
    Q_EMIT edited(tr("Change delay"), {"behaviors"}, behaviors.size() ? behaviors : json::Value());
}

void AnswerForm::flush()
{
    m_body->flush();
}

} // namespace wardbench
