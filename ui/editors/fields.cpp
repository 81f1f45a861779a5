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

json::Value numberFrom(const QString &text)
{
    bool valid = false;
    text.toDouble(&valid);
    return valid ? json::Value::number(utf8(text)) : json::Value();
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

DelayField::DelayField(const QString &accessibleName, QWidget *parent) : QWidget(parent)
{
    const auto number = [&](const QString &name, int width, QWidget *owner) {
        auto *field = new TextField(accessibleName + u", "_s + name, owner);
        field->setAlignment(Qt::AlignRight);
        field->setWidthInCharacters(width);
        return field;
    };
    m_kind = new ChoiceField(accessibleName, this);
    m_kind->addChoice(tr("none"), u"none"_s);
    m_kind->addChoice(tr("fixed"), u"fixed"_s);
    m_kind->addChoice(tr("uniform"), u"uniform"_s);
    m_kind->addChoice(tr("lognormal"), u"lognormal"_s);
    m_fixed = new DurationField(accessibleName + tr(", fixed"), false, this);
    m_uniform = new QWidget(this);
    m_lower = number(tr("lower"), 5, m_uniform);
    m_upper = number(tr("upper"), 5, m_uniform);
    auto *uniform = rowLayout();
    m_uniform->setLayout(uniform);
    uniform->addWidget(m_lower);
    uniform->addWidget(mutedLabel(tr("to"), m_uniform));
    uniform->addWidget(m_upper);
    uniform->addWidget(mutedLabel(tr("ms"), m_uniform));
    m_lognormal = new QWidget(this);
    m_median = number(tr("median"), 5, m_lognormal);
    m_sigma = number(tr("sigma"), 4, m_lognormal);
    m_max = number(tr("at most"), 6, m_lognormal);
    m_max->setPlaceholderText(tr("no limit"));
    auto *lognormal = rowLayout();
    m_lognormal->setLayout(lognormal);
    lognormal->addWidget(mutedLabel(tr("median"), m_lognormal));
    lognormal->addWidget(m_median);
    lognormal->addWidget(mutedLabel(tr("ms, sigma"), m_lognormal));
    lognormal->addWidget(m_sigma);
    lognormal->addWidget(mutedLabel(tr("at most"), m_lognormal));
    lognormal->addWidget(m_max);
    lognormal->addWidget(mutedLabel(tr("ms"), m_lognormal));

    auto *row = rowLayout();
    setLayout(row);
    for (QWidget *part : std::initializer_list<QWidget *>{m_kind, m_fixed, m_uniform, m_lognormal})
        row->addWidget(part);
    row->addStretch();

    connect(m_kind, &ChoiceField::chosen, this, &DelayField::kindChosen);
    connect(m_fixed, &DurationField::durationEdited, this, [this](const json::Value &value) {
        m_value = m_value.isObject() ? m_value.withMember("milliseconds", value) : value;
        Q_EMIT delayEdited(m_value);
    });
    const std::pair<TextField *, const char *> parts[] = {
        {m_lower, "lower"}, {m_upper, "upper"}, {m_median, "median"}, {m_sigma, "sigma"}, {m_max, "maxValue"}};
    for (const auto &[field, member] : parts)
        connect(field, &TextField::edited, this, [this, member = member](const QString &text) { partEdited(member, text); });
    setFocusProxy(m_kind);
    showParts();
}

void DelayField::setDelay(const json::Value &value)
{
    m_value = value;
    const bool object = value.isObject();
    m_kind->setWord(object ? scalarText(value["type"]) : value.isNull() ? u"none"_s : u"fixed"_s);
    m_fixed->setDuration(object ? value["milliseconds"] : value);
    m_lower->setValue(scalarText(value["lower"]));
    m_upper->setValue(scalarText(value["upper"]));
    m_median->setValue(scalarText(value["median"]));
    m_sigma->setValue(scalarText(value["sigma"]));
    m_max->setValue(scalarText(value["maxValue"]));
    showParts();
}

void DelayField::kindChosen(const QString &kind)
{
    using json::Value;
    if (kind == u"none")
        m_value = Value();
    else if (kind == u"fixed")
        m_value = Value(50);
    else if (kind == u"uniform")
        m_value = Value(json::Members{{"type", Value("uniform")}, {"lower", Value(20)}, {"upper", Value(60)}});
    else
        m_value = Value(json::Members{{"type", Value("lognormal")}, {"median", Value(40)}, {"sigma", Value::number("0.4")}});
    setDelay(Value(m_value));
    Q_EMIT delayEdited(m_value);
}

void DelayField::partEdited(const char *member, const QString &text)
{
    const json::Value number = numberFrom(text);
    const bool optional = std::string_view(member) == "maxValue";
    auto *field = qobject_cast<TextField *>(sender());
    if (number.isNull() && !(optional && text.isEmpty())) {
        if (field)
            field->setProblem(tr("Expected a number"));
        return;
    }
    if (field)
        field->setProblem({});
    m_value = number.isNull() ? m_value.withoutMember(member) : m_value.withMember(member, number);
    Q_EMIT delayEdited(m_value);
}

void DelayField::showParts()
{
    const QString kind = m_kind->word();
    m_fixed->setVisible(kind == u"fixed");
    m_uniform->setVisible(kind == u"uniform");
    m_lognormal->setVisible(kind == u"lognormal");
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
