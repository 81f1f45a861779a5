#include "editors/memberform.h"

#include "editors/codeeditor.h"
#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "widgets/text.h"
#include "json/parser.h"

#include <QCheckBox>
#include <QFile>
#include <QFileDialog>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 largestPem = 256 * 1024;

QString withoutMnemonic(QString label)
{
    return label.remove(u'&');
}

QString pemText(const json::Value &value)
{
    QStringList texts;
    for (const json::Value &item : value.items())
        texts << qtext(item.text());
    return value.isArray() ? texts.join(u'\n') : qtext(value.text());
}

json::Value pemValue(const QString &text, bool several)
{
    if (text.isEmpty())
        return {};
    const QString begin = u"-----BEGIN"_s;
    if (!several || text.count(begin) < 2)
        return json::Value(utf8(text));
    json::Array items;
    for (const QString &part : text.split(begin, Qt::SkipEmptyParts))
        items.push_back(json::Value(utf8(begin + part)));
    return json::Value(std::move(items));
}

} // namespace

MemberForm::MemberForm(QWidget *parent, const QString &prefix)
    : QWidget(parent), m_prefix(prefix), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(8);
    m_grid->setColumnMinimumWidth(0, labelWidth);
    m_grid->setColumnMinimumWidth(1, fieldWidth);
    m_grid->setColumnStretch(2, 1);
}

QString MemberForm::nameOf(const QString &label) const
{
    const QString plain = withoutMnemonic(label);
    return m_prefix.isEmpty() ? plain : m_prefix + u": "_s + plain.left(1).toLower() + plain.mid(1);
}

void MemberForm::addRow(const QString &label, QWidget *field, const json::Path &member, const QString &hint,
                        std::function<void(const json::Value &)> show)
{
    const int at = m_grid->rowCount();
    Row row{member, {field}, std::move(show)};
    field->setParent(this);
    if (!label.isEmpty()) {
        auto *name = new QLabel(label, this);
        name->setBuddy(field);
        const bool tall =
            qobject_cast<CodeEditor *>(field) || field->sizePolicy().verticalPolicy() == QSizePolicy::Expanding;
        m_grid->addWidget(name, at, 0, tall ? Qt::AlignTop : Qt::AlignVCenter);
        row.widgets.push_back(name);
    }
    const bool choice = qobject_cast<ChoiceField *>(field);
    m_grid->addWidget(field, at, 1, 1, hint.isEmpty() ? 2 : 1, choice ? Qt::AlignLeft : Qt::Alignment());
    if (!hint.isEmpty()) {
        auto *words = mutedLabel(hint, this);
        words->setWordWrap(true);
        m_grid->addWidget(words, at, 2);
        row.widgets.push_back(words);
    }
    m_rows.push_back(std::move(row));
}

const json::Value &MemberForm::valueAt(const json::Path &member) const
{
    static const json::Value nothing;
    const json::Value *found = json::resolve(m_object, member);
    return found ? *found : nothing;
}

void MemberForm::change(const QString &label, const json::Path &member, const json::Value &value)
{
    m_object = withPart(m_object, member, value); // the document's answer may come later
    const QString plain = withoutMnemonic(label);
    Q_EMIT edited(tr("Change %1").arg(plain.left(1).toLower() + plain.mid(1)), member, value);
}

TextField *MemberForm::addText(const QString &label, const json::Path &member, const QString &hint, Empty empty)
{
    auto *field = new TextField(nameOf(label), this);
    field->setMinimumWidth(200);
    addRow(label, field, member, hint, [this, field, member](const json::Value &) {
        if (!(scalarValue(field->text(), valueAt(member)) == valueAt(member)))
            field->setValue(scalarText(valueAt(member)));
    });
    connect(field, &TextField::edited, this, [this, label, member, empty](const QString &text) {
        change(label, member,
               text.isEmpty() && empty == Empty::Removes ? json::Value() : scalarValue(text, valueAt(member)));
    });
    return field;
}

TextField *MemberForm::addNumber(const QString &label, const json::Path &member, double low, double high, bool whole,
                                 const QString &hint)
{
    auto *field = new TextField(nameOf(label), this);
    field->setAlignment(Qt::AlignRight);
    field->setWidthInCharacters(10);
    addRow(label, field, member, hint, [this, field, member](const json::Value &) {
        if (scalarText(valueAt(member)) != field->text())
            field->setProblem({});
        field->setValue(scalarText(valueAt(member)));
    });
    connect(field, &TextField::edited, this, [=, this](const QString &text) {
        auto parsed = json::parse(utf8(text));
        const auto *number = std::get_if<json::Value>(&parsed);
        const bool good = text.isEmpty() || (number && number->isNumber() && number->toDouble() >= low &&
                                             number->toDouble() <= high && (!whole || number->toInteger()));
        field->setProblem(good    ? QString()
                          : whole ? tr("Expected a whole number from %1").arg(low)
                                  : tr("Expected a number from %1 to %2").arg(low).arg(high));
        if (good)
            change(label, member, text.isEmpty() ? json::Value() : *number);
    });
    return field;
}

DurationField *MemberForm::addDuration(const QString &label, const json::Path &member, const QString &hint)
{
    auto *field = new DurationField(nameOf(label), true, this);
    addRow(label, field, member, hint,
           [this, field, member](const json::Value &) { field->setDuration(valueAt(member)); });
    connect(field, &DurationField::durationEdited, this,
            [this, label, member](const json::Value &value) { change(label, member, value); });
    return field;
}

QCheckBox *MemberForm::addFlag(const QString &label, const json::Path &member, const QString &hint)
{
    auto *box = new QCheckBox(label, this);
    box->setAccessibleName(nameOf(label));
    addRow({}, box, member, hint,
           [this, box, member](const json::Value &) { box->setChecked(valueAt(member).isTruthy()); });
    connect(box, &QCheckBox::clicked, this,
            [this, label, member](bool on) { change(label, member, on ? json::Value(true) : json::Value()); });
    return box;
}

ChoiceField *MemberForm::addChoice(const QString &label, const json::Path &member, const Choices &choices,
                                   const QString &hint, Empty empty)
{
    auto *field = new ChoiceField(nameOf(label), this);
    for (const auto &[word, words] : choices)
        field->addChoice(words, word);
    const QString first = choices.front().first;
    addRow(label, field, member, hint, [this, field, member, first](const json::Value &) {
        const json::Value &value = valueAt(member);
        field->setWord(value.isNull() ? first : scalarText(value));
    });
    connect(field, &ChoiceField::chosen, this, [=, this](const QString &word) {
        change(label, member, word == first && empty == Empty::Removes ? json::Value() : json::Value(utf8(word)));
    });
    return field;
}

CodeEditor *MemberForm::addScript(const QString &label, const json::Path &member, const QString &hint, Empty empty)
{
    auto *editor = new CodeEditor(nameOf(label), this);
    editor->setLanguage(CodeEditor::Language::JavaScript);
    editor->setFrameShape(QFrame::StyledPanel);
    editor->setFixedHeight(96);
    addRow(label, editor, member, {},
           [this, editor, member](const json::Value &) { editor->setContent(scalarText(valueAt(member))); });
    if (!hint.isEmpty())
        addRow({}, mutedLabel(hint, this), member);
    connect(editor, &CodeEditor::edited, this, [this, label, member, empty](const QString &text) {
        change(label, member, text.isEmpty() && empty == Empty::Removes ? json::Value() : json::Value(utf8(text)));
    });
    return editor;
}

void MemberForm::addPem(const QString &label, const json::Path &member, const QString &hint, bool several)
{
    auto *box = new QWidget(this);
    auto *row = rowLayout();
    box->setLayout(row);
    auto *editor = new CodeEditor(nameOf(label), box);
    editor->setFrameShape(QFrame::StyledPanel);
    editor->setFixedHeight(72);
    editor->setToolTip(hint);
    auto *open = new QPushButton(tr("From file\u2026"), box);
    open->setAccessibleName(nameOf(label) + tr(", from a file"));
    row->addWidget(editor, 1);
    row->addWidget(open, 0, Qt::AlignTop);
    box->setFocusProxy(editor);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    addRow(label, box, member, {},
           [this, editor, member](const json::Value &) { editor->setContent(pemText(valueAt(member))); });
    if (!hint.isEmpty())
        addRow({}, mutedLabel(hint, this), member);
    connect(editor, &CodeEditor::edited, this,
            [this, label, member, several](const QString &text) { change(label, member, pemValue(text, several)); });
    connect(open, &QPushButton::clicked, this, [this, label, member, several] { readPem(label, member, several); });
}

void MemberForm::readPem(const QString &label, const json::Path &member, bool several)
{
    auto *dialog = new QFileDialog(this, tr("Open %1").arg(withoutMnemonic(label).toLower()), {},
                                   tr("PEM files (*.pem *.crt *.cer *.key);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, [this, label, member, several](const QString &path) {
        QFile file(path);
        if (file.open(QIODevice::ReadOnly))
            change(label, member, pemValue(QString::fromUtf8(file.read(largestPem)), several));
        setObject(m_object);
    });
    dialog->open();
}

void MemberForm::addNamespaces(const QString &label, const json::Path &member)
{
    auto *field = new TextField(nameOf(label), this);
    field->setPlaceholderText(tr("a=urn:example"));
    addRow(label, field, member, {}, [this, field, member](const json::Value &) {
        const auto typed = namespacesValue(field->text());
        if (!typed || !(*typed == valueAt(member))) {
            field->setValue(namespacesText(valueAt(member)));
            field->setProblem({});
        }
    });
    connect(field, &TextField::edited, this, [this, field, label, member](const QString &text) {
        const auto value = namespacesValue(text);
        field->setProblem(value ? QString() : tr("Expected prefix=URI, several separated by blanks"));
        if (value)
            change(label, member, *value);
    });
}

void MemberForm::setObject(const json::Value &object)
{
    m_object = object;
    for (const Row &row : m_rows) {
        if (row.show)
            row.show(m_object);
    }
}

void MemberForm::setRowVisible(const json::Path &member, bool visible)
{
    for (const Row &row : m_rows) {
        if (row.member != member)
            continue;
        for (QWidget *widget : row.widgets)
            widget->setVisible(visible);
    }
}

QString namespacesText(const json::Value &namespaces)
{
    QStringList pairs;
    for (const auto &[prefix, uri] : namespaces.members())
        pairs << qtext(prefix) + u'=' + scalarText(uri);
    return pairs.join(u' ');
}

std::optional<json::Value> namespacesValue(const QString &text)
{
    json::Members members;
    for (const QString &pair : text.split(u' ', Qt::SkipEmptyParts)) {
        const qsizetype sign = pair.indexOf(u'=');
        if (sign <= 0 || sign + 1 == pair.size())
            return std::nullopt;
        members.emplace_back(utf8(pair.left(sign)), json::Value(utf8(pair.mid(sign + 1))));
    }
    return members.empty() ? json::Value() : json::Value(std::move(members));
}

} // namespace wardbench
