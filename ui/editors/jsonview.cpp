#include "editors/jsonview.h"

#include "editors/codeeditor.h"
#include "editors/fields.h"
#include "shell/theme.h"
#include "widgets/text.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

qsizetype errorsOf(const Issues &issues)
{
    return std::count_if(issues.begin(), issues.end(),
                         [](const Issue &issue) { return issue.severity == Issue::Severity::Error; });
}

} // namespace

JsonView::JsonView(Check check, QWidget *parent)
    : QWidget(parent), m_check(std::move(check)), m_editor(new CodeEditor(tr("JSON"), this)), m_state(new QLabel(this)),
      m_apply(new QPushButton(tr("Apply  Ctrl+Enter"), this)), m_discard(new QPushButton(tr("Discard"), this))
{
    m_editor->setLanguage(CodeEditor::Language::Json);
    m_editor->setSubmits(true);
    m_state->setWordWrap(true);
    m_apply->setAccessibleName(tr("Apply the JSON"));
    m_discard->setAccessibleName(tr("Discard what was typed"));
    m_discard->setFocusPolicy(Qt::TabFocus); // a click must not apply first what it is to discard
    auto *row = rowLayout();
    row->setContentsMargins(16, 6, 16, 6);
    row->addWidget(m_state, 1);
    row->addWidget(m_discard);
    row->addWidget(m_apply);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_editor, 1);
    layout->addLayout(row);
    m_later.setSingleShot(true);
    m_later.setInterval(250);
    connect(&m_later, &QTimer::timeout, this, &JsonView::check);
    connect(m_editor, &CodeEditor::edited, this, &JsonView::typed);
    connect(m_editor, &CodeEditor::submitted, this, &JsonView::apply);
    connect(m_editor, &CodeEditor::left, this, [this] {
        if (!m_discard->hasFocus())
            apply();
    });
    connect(m_apply, &QPushButton::clicked, this, &JsonView::apply);
    connect(m_discard, &QPushButton::clicked, this, &JsonView::discard);
    showState();
}

void JsonView::setValue(const json::Value &value)
{
    if (m_draft.isEmpty()) {
        int line = 0, column = 0;
        m_editor->getCursorPosition(&line, &column);
        const int top = m_editor->firstVisibleLine();
        m_editor->setContent(qtext(json::writeDocument(value)));
        m_editor->setCursorPosition(line, column);
        m_editor->setFirstVisibleLine(top);
    }
    m_value = value;
    if (!m_draft.isEmpty())
        check();
}

void JsonView::setTarget(const json::Value &value, const QString &draft)
{
    m_later.stop();
    m_value = value;
    m_draft = draft;
    m_good.reset();
    m_editor->setContent(draft.isEmpty() ? qtext(json::writeDocument(value)) : draft);
    m_editor->setProblemAt(0, 0);
    if (draft.isEmpty())
        showState();
    else
        check();
}

void JsonView::typed()
{
    m_draft = m_editor->text();
    m_good.reset();
    showState();
    m_later.start();
}

void JsonView::check()
{
    m_later.stop();
    m_good.reset();
    const std::string text = utf8(m_draft);
    auto parsed = json::parse(text);
    json::Position place;
    QString problem;
    if (const auto *error = std::get_if<json::ParseError>(&parsed)) {
        place = error->position;
        problem = qtext(error->message);
    } else if (const json::Value &value = std::get<json::Value>(parsed); !value.isObject()) {
        problem = tr("Expected an object");
    } else if (Issues issues = m_check(value); errorsOf(issues) > errorsOf(m_check(m_value))) {
        const auto worst = std::find_if(issues.begin(), issues.end(),
                                        [](const Issue &issue) { return issue.severity == Issue::Severity::Error; });
        place = json::locate(text, worst->pointer);
        problem = qtext(worst->pointer) + u": "_s + qtext(worst->message);
    } else {
        m_good = value;
    }
    m_editor->setProblemAt(problem.isEmpty() ? 0 : static_cast<int>(place.line), static_cast<int>(place.column));
    showState();
    if (!problem.isEmpty())
        say(tr("line %1, column %2: %3").arg(place.line).arg(place.column).arg(problem), false);
}

void JsonView::apply()
{
    if (m_draft.isEmpty())
        return;
    check();
    if (!m_good)
        return;
    const json::Value value = *m_good;
    m_draft.clear();
    m_good.reset();
    m_value = value;
    Q_EMIT applied(value);
    showState();
}

void JsonView::discard()
{
    setTarget(m_value, {});
    m_editor->setFocus();
}

void JsonView::showState()
{
    const bool typedOn = !m_draft.isEmpty();
    m_apply->setEnabled(typedOn && m_good);
    m_discard->setEnabled(typedOn);
    say(!typedOn ? tr("as it stands in the file") : m_good ? tr("right, not applied yet") : QString(), true);
}

void JsonView::say(const QString &text, bool good)
{
    m_state->setText(text);
    QPalette colours = m_state->palette();
    colours.setColor(QPalette::WindowText, Theme::instance().color(good ? Theme::Role::Muted : Theme::Role::Bad));
    m_state->setPalette(colours);
}

} // namespace wardbench
