#include "editors/bodyeditor.h"

#include "editors/codeeditor.h"
#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "json/parser.h"
#include "json/writer.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype immediateSize = 64 * 1024; // beyond it, parsing at every key would be felt

bool looksLikeJson(const QString &text)
{
    const QString start = text.trimmed().left(1);
    return start == u"{" || start == u"[";
}

} // namespace

BodyEditor::BodyEditor(const QString &accessibleName, bool offersBase64, QWidget *parent)
    : QWidget(parent), m_choice(new ChoiceField(accessibleName + tr(", kept as"), this)), m_state(new QLabel(this)),
      m_format(new QPushButton(tr("Format"), this)), m_editor(new CodeEditor(accessibleName, this))
{
    m_choice->addChoice(tr("Text"), u"text"_s);
    m_choice->addChoice(tr("JSON"), u"json"_s);
    if (offersBase64)
        m_choice->addChoice(tr("Base64"), u"base64"_s);
    m_format->setToolTip(tr("Indent the JSON anew"));
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_state->setFocusPolicy(Qt::NoFocus);
    auto *head = rowLayout();
    head->addWidget(m_choice);
    head->addStretch();
    head->addWidget(m_state);
    head->addWidget(m_format);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addLayout(head);
    auto *frame = new QFrame(this);
    frame->setFrameShape(QFrame::StyledPanel);
    auto *inner = new QVBoxLayout(frame);
    inner->setContentsMargins(1, 1, 1, 1);
    inner->addWidget(m_editor);
    layout->addWidget(frame, 1);

    m_later.setSingleShot(true);
    m_later.setInterval(250);
    connect(&m_later, &QTimer::timeout, this, &BodyEditor::publish);
    connect(m_choice, &ChoiceField::chosen, this, &BodyEditor::formChosen);
    connect(m_editor, &CodeEditor::edited, this, &BodyEditor::textEdited);
    connect(m_format, &QPushButton::clicked, this, &BodyEditor::format);
    setFocusProxy(m_editor);
}

void BodyEditor::setBody(const json::Value &body, bool binary, bool fresh)
{
    const bool tree = !body.isNull() && !body.isString();
    if (fresh || binary != (m_form == Form::Base64) || (tree && m_form == Form::Text))
        m_form = binary ? Form::Base64 : tree ? Form::Json : Form::Text;
    m_choice->setWord(m_form == Form::Json ? u"json"_s : m_form == Form::Text ? u"text"_s : u"base64"_s);
    if (fresh || !(typedValue() == body))
        m_editor->setContent(tree ? qtext(json::writePretty(body, 2)) : qtext(body.text()));
    check();
}

json::Value BodyEditor::typedValue() const
{
    const std::string text = utf8(m_editor->text());
    if (m_form == Form::Json) {
        auto parsed = json::parse(text);
        if (auto *value = std::get_if<json::Value>(&parsed))
            return *value;
    }
    return text.empty() ? json::Value() : json::Value(text);
}

void BodyEditor::formChosen(const QString &word)
{
    flush();
    const Form before = m_form;
    m_form = word == u"json" ? Form::Json : word == u"base64" ? Form::Base64 : Form::Text;
    if (before == m_form)
        return;
    check();
    if (before == Form::Base64 || m_form == Form::Base64)
        Q_EMIT binaryChosen(m_form == Form::Base64, typedValue());
    else
        Q_EMIT bodyEdited(typedValue());
}

void BodyEditor::textEdited()
{
    if (m_editor->length() > immediateSize) {
        m_later.start();
        return;
    }
    publish();
}

void BodyEditor::publish()
{
    m_later.stop();
    check();
    Q_EMIT bodyEdited(typedValue());
}

void BodyEditor::flush()
{
    if (m_later.isActive())
        publish();
}

// JSON is checked where it is meant: in the JSON form, and in text that starts like it.
void BodyEditor::check()
{
    const QString text = m_editor->text();
    const bool meant = m_form == Form::Json || (m_form == Form::Text && looksLikeJson(text));
    m_editor->setLanguage(meant ? CodeEditor::Language::Json : CodeEditor::Language::Text);
    m_format->setVisible(meant);
    QString message;
    bool good = true;
    int line = 0, column = 0;
    if (meant && !text.isEmpty()) {
        const auto parsed = json::parse(utf8(text));
        if (const auto *error = std::get_if<json::ParseError>(&parsed)) {
            good = false;
            line = static_cast<int>(error->position.line);
            column = static_cast<int>(error->position.column);
            message = tr("line %1, column %2: %3").arg(line).arg(column).arg(qtext(error->message));
        } else {
            message = tr("valid");
        }
    }
    m_format->setEnabled(good && !text.isEmpty());
    m_editor->setProblemAt(line, column);
    m_state->setText(m_state->fontMetrics().elidedText(message, Qt::ElideRight, 480));
    m_state->setToolTip(good ? QString() : message);
    QPalette colours = m_state->palette();
    colours.setColor(QPalette::WindowText, Theme::instance().color(good ? Theme::Role::Good : Theme::Role::Bad));
    m_state->setPalette(colours);
}

void BodyEditor::format()
{
    auto parsed = json::parse(utf8(m_editor->text()));
    if (const auto *value = std::get_if<json::Value>(&parsed)) {
        m_editor->setContent(qtext(json::writePretty(*value, 2)));
        publish();
    }
}

} // namespace wardbench
