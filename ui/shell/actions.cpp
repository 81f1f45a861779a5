#include "shell/actions.h"

#include "shell/theme.h"

#include <QMap>

namespace wardbench {

using namespace Qt::StringLiterals;

QString toolTipOf(const QAction &action)
{
    QString text = action.text();
    text.remove(u'&');
    if (text.endsWith(u'\u2026'))
        text.chop(1);
    return action.shortcut().isEmpty() ? text : u"%1 (%2)"_s.arg(text, action.shortcut().toString(QKeySequence::NativeText));
}

void Actions::dress(QAction *action, const QString &id, const QList<QKeySequence> &keys, const QString &icon)
{
    action->setObjectName(id);
    action->setShortcuts(keys);
    if (!icon.isEmpty())
        action->setIcon(Theme::icon(icon));
    action->setToolTip(toolTipOf(*action));
    m_byId.insert(id, action);
    m_all.append(action);
}

QAction *Actions::add(const QString &id, const QString &text, const QList<QKeySequence> &keys, const QString &icon)
{
    auto *action = new QAction(text, this);
    dress(action, id, keys, icon);
    return action;
}

QAction *Actions::adopt(const QString &id, QAction *action, const QList<QKeySequence> &keys, const QString &icon)
{
    dress(action, id, keys, icon);
    return action;
}

QAction *Actions::operator[](const QString &id) const
{
    QAction *action = m_byId.value(id);
    Q_ASSERT_X(action, "Actions", qPrintable(id));
    return action;
}

QStringList Actions::conflicts() const
{
    QMap<QString, QStringList> users;
    for (const QAction *action : m_all) {
        for (const QKeySequence &key : action->shortcuts())
            users[key.toString(QKeySequence::PortableText)] << action->objectName();
    }
    QStringList found;
    for (auto it = users.cbegin(); it != users.cend(); ++it) {
        if (it->size() > 1)
            found << u"%1: %2"_s.arg(it.key(), it->join(u", "_s));
    }
    return found;
}

} // namespace wardbench
