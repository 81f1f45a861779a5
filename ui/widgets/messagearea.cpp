#include "widgets/messagearea.h"

#include "shell/theme.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t mostBars = 3;

/// One message; draws its tint from the theme of the moment.
class Bar final : public QWidget
{
public:
    Bar(MessageArea::Kind kind, QWidget *parent) : QWidget(parent), m_kind(kind) {}

protected:
    void paintEvent(QPaintEvent *) override
    {
        const bool info = m_kind == MessageArea::Kind::Info;
        const bool warning = m_kind == MessageArea::Kind::Warning;
        const Theme &theme = Theme::instance();
        QPainter painter(this);
        painter.fillRect(rect(), theme.color(info ? Theme::Role::InfoBack : warning ? Theme::Role::WarnBack : Theme::Role::BadBack));
        painter.fillRect(QRect(0, 0, 3, height()), theme.color(info ? Theme::Role::Accent : warning ? Theme::Role::Warn : Theme::Role::Bad));
        painter.fillRect(QRect(0, height() - 1, width(), 1), theme.color(Theme::Role::Line));
    }

private:
    MessageArea::Kind m_kind;
};

} // namespace

MessageArea::MessageArea(QWidget *parent) : QWidget(parent), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    setVisible(false);
}

QWidget *MessageArea::bar(const QString &key) const
{
    for (int i = 0; i < m_layout->count(); ++i) {
        if (QWidget *widget = m_layout->itemAt(i)->widget(); widget && widget->objectName() == key)
            return widget;
    }
    return nullptr;
}

QString MessageArea::text(const QString &key) const
{
    const QWidget *widget = bar(key);
    return widget ? widget->accessibleName() : QString();
}

void MessageArea::show(const QString &key, Kind kind, const QString &text, const std::vector<Choice> &choices)
{
    dismiss(key);
    while (m_layout->count() >= static_cast<int>(mostBars))
        dismiss(m_layout->itemAt(0)->widget()->objectName());
    auto *bar = new Bar(kind, this);
    bar->setObjectName(key);
    bar->setAccessibleName(text);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(16, 4, 8, 4);
    auto *icon = new QLabel(bar);
    const QString name = kind == Kind::Info ? u"info"_s : kind == Kind::Warning ? u"warning"_s : u"error"_s;
    const Theme::Role role = kind == Kind::Info ? Theme::Role::Accent : kind == Kind::Warning ? Theme::Role::Warn : Theme::Role::Bad;
    icon->setPixmap(Theme::icon(name, role).pixmap(QSize(16, 16), devicePixelRatioF()));
    row->addWidget(icon);
    auto *label = new QLabel(text, bar);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(label, 1);
    for (const Choice &choice : choices) {
        auto *button = new QPushButton(choice.text, bar);
        connect(button, &QPushButton::clicked, this, [this, key, act = choice.act] {
            dismiss(key);
            if (act)
                act();
        });
        row->addWidget(button);
    }
    auto *close = new QToolButton(bar);
    close->setIcon(Theme::icon(u"close"_s));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Dismiss: %1").arg(text));
    close->setToolTip(tr("Dismiss"));
    connect(close, &QToolButton::clicked, this, [this, key] { dismiss(key); });
    row->addWidget(close);
    m_layout->addWidget(bar);
    setVisible(true);
    QAccessibleEvent event(bar, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void MessageArea::dismiss(const QString &key)
{
    QWidget *gone = bar(key);
    if (!gone)
        return;
    m_layout->removeWidget(gone);
    gone->hide();
    gone->deleteLater();
    setVisible(m_layout->count() > 0);
}

void MessageArea::dismissAll()
{
    while (m_layout->count() > 0)
        dismiss(m_layout->itemAt(0)->widget()->objectName());
}

} // namespace wardbench
