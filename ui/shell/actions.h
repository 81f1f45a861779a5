#pragma once

#include <QAction>
#include <QHash>
#include <QKeySequence>
#include <QObject>

namespace wardbench {

/// Every action of the window by its id: texts, keys, icons. Pages add none that has a key of its own here.
class Actions : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// `text` has its mnemonic; the tool tip is the text with the first key.
    QAction *add(const QString &id, const QString &text, const QList<QKeySequence> &keys = {}, const QString &icon = {});
    QAction *adopt(const QString &id, QAction *action, const QList<QKeySequence> &keys, const QString &icon); ///< undo, redo
    QAction *operator[](const QString &id) const;
    const QList<QAction *> &all() const { return m_all; }
    /// Keys that two actions have, as text; empty when every key is one action's.
    QStringList conflicts() const;

private:
    void dress(QAction *action, const QString &id, const QList<QKeySequence> &keys, const QString &icon);

    QHash<QString, QAction *> m_byId;
    QList<QAction *> m_all;
};

/// "Run Scenario (F5)" for a tool tip.
QString toolTipOf(const QAction &action);

} // namespace wardbench
