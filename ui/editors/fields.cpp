#include "editors/fields.h"

#include "editors/jsonfields.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QAbstractItemView>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QWheelEvent>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

// Follows the theme by asking again on every palette change.
class RoleLabel : public QLabel
{
public:
    RoleLabel(const QString &text, Theme::Role role, QWidget *parent) : QLabel(text, parent), m_role(role)
    {
        connect(&Theme::instance(), &Theme::changed, this, [this] { recolour(); });
        recolour();
    }

private:
    void recolour()
    {
        QPalette colours = palette();
        colours.setColor(QPalette::WindowText, Theme::instance().color(m_role));
        setPalette(colours);
    }
    Theme::Role m_role;
};

int widthOf(const QWidget *widget, int characters)
{
    return widget->fontMetrics().horizontalAdvance(u'0') * characters + 20;
}

} // namespace

TextField::TextField(const QString &accessibleName, QWidget *parent) : QLineEdit(parent)
{
    setAccessibleName(accessibleName);
    connect(this, &QLineEdit::textEdited, this, &TextField::edited);
}

void TextField::setValue(const QString &text)
{
    if (this->text() != text) {
        setText(text);
        setCursorPosition(0);
    }
}

void TextField::setProblem(const QString &problem)
{
    QPalette colours; // what the theme gives, unless something is wrong
    if (!problem.isEmpty())
        colours.setColor(QPalette::Text, Theme::instance().color(Theme::Role::Bad));
    setPalette(colours);
    setToolTip(problem);
    setAccessibleDescription(problem);
}

void TextField::setWidthInCharacters(int characters)
{
    setFixedWidth(widthOf(this, characters));
}

NumberField::NumberField(const QString &accessibleName, int low, int high, QWidget *parent) : QSpinBox(parent)
{
    setAccessibleName(accessibleName);
    setRange(low, high);
    setButtonSymbols(NoButtons);
    setGroupSeparatorShown(true);
    setAlignment(Qt::AlignRight);
    setFocusPolicy(Qt::StrongFocus);
    connect(this, &QSpinBox::valueChanged, this, &NumberField::edited);
}

void NumberField::setNumber(int number)
{
    const QSignalBlocker quiet(this);
    if (value() != number)
        setValue(number);
}

void NumberField::setWidthInCharacters(int characters)
{
    setFixedWidth(widthOf(this, characters));
}

void NumberField::wheelEvent(QWheelEvent *event)
{
    hasFocus() ? QSpinBox::wheelEvent(event) : event->ignore();
}

DurationField::DurationField(const QString &accessibleName, bool optional, QWidget *parent)
    : TextField(accessibleName, parent), m_optional(optional)
{
    setAlignment(Qt::AlignRight);
    setWidthInCharacters(8);
    connect(this, &TextField::edited, this, [this](const QString &text) {
        const auto value = durationValue(text);
        const bool good = value && (m_optional || !value->isNull());
        setProblem(good ? QString() : tr("Not a duration; write 80 ms, 2s, 1m30s or 1h"));
        if (good)
            Q_EMIT durationEdited(*value);
    });
}

void DurationField::setDuration(const json::Value &value)
{
    const auto typed = durationValue(text());
    if (typed && *typed == value && !(value.isNull() && !text().isEmpty()))
        return; // the same duration, perhaps written another way
    setValue(durationText(value));
    setProblem({});
}

ChoiceField::ChoiceField(const QString &accessibleName, QWidget *parent) : QComboBox(parent)
{
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    view()->setAccessibleName(accessibleName);
    connect(this, &QComboBox::activated, this, [this] { Q_EMIT chosen(word()); });
}

void ChoiceField::addChoice(const QString &text, const QString &word)
{
    addItem(text, word);
}

void ChoiceField::setWord(const QString &word)
{
    int index = findData(word);
    if (index < 0) {
        addItem(word, word);
        index = count() - 1;
    }
    setCurrentIndex(index);
}

void ChoiceField::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // scrolling the page must not change an answer
}

QToolButton *removeButton(const QString &accessibleName, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setIcon(Theme::icon(u"close"_s));
    button->setAutoRaise(true);
    button->setAccessibleName(accessibleName);
    button->setToolTip(accessibleName);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

QLabel *mutedLabel(const QString &text, QWidget *parent)
{
    return new RoleLabel(text, Theme::Role::Muted, parent);
}

QLabel *sectionLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    QFont font = label->font();
    font.setBold(true);
    label->setFont(font);
    return label;
}

QWidget *sectionLine(QWidget *parent)
{
    auto *line = new QFrame(parent);
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setFixedHeight(1);
    const auto recolour = [line] {
        QPalette colours = line->palette();
        colours.setColor(QPalette::WindowText, Theme::instance().color(Theme::Role::Line));
        line->setPalette(colours);
    };
    QObject::connect(&Theme::instance(), &Theme::changed, line, recolour);
    recolour();
    return line;
}

QHBoxLayout *rowLayout()
{
    auto *layout = new QHBoxLayout;
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    return layout;
}

} // namespace wardbench
