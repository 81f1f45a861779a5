#include "editors/bodyeditor.h"

#include "editors/codeeditor.h"
#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "json/parser.h"
#include "json/writer.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QDir>
#include <QFileDialog>
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

BodyEditor::BodyEditor(const QString &accessibleName, bool ofAnswer, QWidget *parent)
    : QWidget(parent), m_choice(new ChoiceField(accessibleName + tr(", kept as"), this)), m_state(new QLabel(this)),
      m_format(new QPushButton(tr("Format"), this)), m_editor(new CodeEditor(accessibleName, this))
{
    m_choice->addChoice(tr("Text"), u"text"_s);
    m_choice->addChoice(tr("JSON"), u"json"_s);
    if (ofAnswer) {
        m_choice->addChoice(tr("Base64"), u"base64"_s);
        m_choice->addChoice(tr("File"), u"file"_s);
    }
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
    m_fileRow = new QWidget(this);
    auto *fileRow = rowLayout();
    m_fileRow->setLayout(fileRow);
    m_file = new TextField(accessibleName + tr(", file"), m_fileRow);
    m_file->setPlaceholderText(tr("a file beside or below the workspace"));
    auto *choose = new QPushButton(tr("Choose\u2026"), m_fileRow);
    choose->setAccessibleName(tr("Choose a file for the body"));
    fileRow->addWidget(m_file, 1);
    fileRow->addWidget(choose);
    layout->addWidget(m_fileRow);
    m_fileRow->hide();
    connect(m_file, &TextField::edited, this, &BodyEditor::fileEdited);
    connect(choose, &QPushButton::clicked, this, &BodyEditor::chooseFile);
    auto *frame = new QFrame(this);
    m_frame = frame;
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

void BodyEditor::setBody(const json::Value &body, bool binary, bool fresh, const QString &file)
{
    const bool tree = !body.isNull() && !body.isString();
    const bool naming = !fresh && m_form == Form::File && m_file->text().isEmpty();
    const bool other = m_form == Form::File || binary != (m_form == Form::Base64) || (tree && m_form == Form::Text);
    if (!file.isEmpty())
        m_form = Form::File;
    else if (!naming && (fresh || other))
        m_form = binary ? Form::Base64 : tree ? Form::Json : Form::Text;
    m_file->setValue(file);
    if (fresh || !(typedValue() == body))
        m_editor->setContent(tree ? qtext(json::writePretty(body, 2)) : qtext(body.text()));
    showForm();
    check();
}

void BodyEditor::showForm()
{
    const char *const words[] = {"text", "json", "base64", "file"};
    m_choice->setWord(QString::fromLatin1(words[static_cast<int>(m_form)]));
    m_fileRow->setVisible(m_form == Form::File);
    m_frame->setVisible(m_form != Form::File);
}

void BodyEditor::chooseFile()
{
    if (m_folder.isEmpty()) {
        m_file->setProblem(tr("Save the workspace first: the file stands beside or below it"));
        m_file->setFocus();
        return;
    }
    auto *dialog = new QFileDialog(this, tr("Choose the Body's File"), m_folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        const QString name = QDir(m_folder).relativeFilePath(path);
        const bool inside = !name.startsWith(u"../"_s) && QDir::isRelativePath(name);
        m_file->setProblem(inside ? QString() : tr("%1 is not beside or below the workspace").arg(path));
        if (inside) {
            m_file->setValue(name);
            Q_EMIT fileEdited(name);
        }
    });
    dialog->open();
}

void BodyEditor::markProblem(int line, int column)
{
    if (!m_broken)
        m_editor->setProblemAt(line, column);
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
    m_form = word == u"json"     ? Form::Json
             : word == u"base64" ? Form::Base64
             : word == u"file"   ? Form::File
                                 : Form::Text;
    if (before == m_form)
        return;
    showForm();
    check();
    if (m_form == Form::File) {
        m_file->setFocus();
        return; // the body stays until a file is named
    }
    if (before == Form::File && !m_file->text().isEmpty()) {
        m_file->setValue({});
        Q_EMIT fileEdited({});
    }
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
    m_broken = !good;
    m_state->setVisible(m_form != Form::File);
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
