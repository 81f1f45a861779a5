#include "shell/pageheader.h"

#include "shell/theme.h"
#include "widgets/elidedlabel.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

void clearLayout(QHBoxLayout *layout)
{
    while (QLayoutItem *item = layout->takeAt(0)) {
        if (QWidget *widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

QToolButton *viewButton(const QString &icon, const QString &text, const QString &tip, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setIcon(Theme::icon(icon));
    button->setText(text);
    button->setToolTip(tip);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setCheckable(true);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

PageHeader::PageHeader(QWidget *parent)
    : QWidget(parent), m_crumbs(new QHBoxLayout), m_actions(new QHBoxLayout),
      m_form(viewButton(u"form"_s, tr("Form"), tr("Edit as a form"), this)),
      m_json(viewButton(u"json"_s, tr("JSON"), tr("The same as it stands in the file"), this)), m_send(new QPushButton(this))
{
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 6, 16, 6);
    layout->setSpacing(8);
    m_crumbs->setSpacing(2);
    layout->addLayout(m_crumbs, 1);
    auto *group = new QButtonGroup(this);
    group->addButton(m_form, static_cast<int>(EditorPage::View::Form));
    group->addButton(m_json, static_cast<int>(EditorPage::View::Json));
    m_form->setChecked(true);
    auto *switchBox = new QHBoxLayout;
    switchBox->setSpacing(2);
    switchBox->addWidget(m_form);
    switchBox->addWidget(m_json);
    layout->addLayout(switchBox);
    m_actions->setSpacing(8);
    layout->addLayout(m_actions);
    layout->addWidget(m_send);
    m_send->setIcon(Theme::icon(u"send"_s));
    connect(group, &QButtonGroup::idClicked, this, [this](int id) { Q_EMIT viewChanged(static_cast<EditorPage::View>(id)); });
    connect(m_send, &QPushButton::clicked, this, [this] {
        if (m_sendAction)
            m_sendAction->trigger();
    });
    setSend(nullptr);
    setFixedHeight(sizeHint().height());
}

void PageHeader::setCrumbs(const std::vector<Crumb> &crumbs)
{
    clearLayout(m_crumbs);
    for (std::size_t i = 0; i < crumbs.size(); ++i) {
        const bool last = i + 1 == crumbs.size();
        if (!last && !crumbs[i].path.empty()) {
            auto *link = new QToolButton(this);
            link->setText(fontMetrics().elidedText(crumbs[i].text, Qt::ElideRight, 220));
            link->setAutoRaise(true);
            link->setFocusPolicy(Qt::StrongFocus);
            link->setAccessibleName(tr("Go to %1").arg(crumbs[i].text));
            connect(link, &QToolButton::clicked, this, [this, path = crumbs[i].path] { Q_EMIT crumbRequested(path); });
            m_crumbs->addWidget(link);
        } else {
            auto *label = new ElidedLabel(this);
            label->setFullText(crumbs[i].text);
            if (last) {
                QFont bold = label->font();
                bold.setWeight(QFont::DemiBold);
                label->setFont(bold);
            } else {
                label->setForegroundRole(QPalette::PlaceholderText);
            }
            m_crumbs->addWidget(label);
        }
        if (!last) {
            auto *arrow = new QLabel(u"\u203a"_s, this);
            arrow->setForegroundRole(QPalette::PlaceholderText);
            arrow->setContentsMargins(0, 0, 4, 0);
            m_crumbs->addWidget(arrow);
        }
    }
    m_crumbs->addStretch(1);
}

void PageHeader::setActions(const QList<QAction *> &actions)
{
    if (actions == m_shown)
        return;
    m_shown = actions;
    clearLayout(m_actions);
    for (QAction *action : actions) {
        auto *button = new QPushButton(this);
        const auto dress = [button, action] {
            button->setText(action->text());
            button->setIcon(action->icon());
            button->setToolTip(action->toolTip());
            button->setEnabled(action->isEnabled());
            button->setVisible(action->isVisible());
        };
        dress();
        connect(action, &QAction::changed, button, dress);
        connect(button, &QPushButton::clicked, action, &QAction::trigger);
        m_actions->addWidget(button);
    }
}

void PageHeader::setSend(QAction *send)
{
    m_sendAction = send;
    m_send->setVisible(send != nullptr);
    if (send) {
        m_send->setText(tr("Send  %1").arg(send->shortcut().toString(QKeySequence::NativeText)));
        m_send->setToolTip(send->toolTip());
    }
}

void PageHeader::setViewSwitch(bool shown)
{
    m_form->setVisible(shown);
    m_json->setVisible(shown);
}

EditorPage::View PageHeader::view() const
{
    return m_json->isChecked() ? EditorPage::View::Json : EditorPage::View::Form;
}

void PageHeader::setView(EditorPage::View view)
{
    (view == EditorPage::View::Json ? m_json : m_form)->setChecked(true);
}

void PageHeader::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(QRect(0, height() - 1, width(), 1), Theme::instance().color(Theme::Role::Line));
}

} // namespace wardbench
