#pragma once

#include "json/value.h"
#include "model/workspaceedit.h"

#include <QElapsedTimer>
#include <QString>
#include <QUndoCommand>

namespace wardbench {

class WorkspaceDocument;

/// One undo step: an edit that was applied already, kept as its inverse. Undo and redo apply what is kept and keep
/// what comes back.
class EditCommand final : public QUndoCommand
{
public:
    EditCommand(WorkspaceDocument *document, const WorkspaceEdit &done, WorkspaceEdit inverse, json::Value before,
                const QString &mergeKey);

    void undo() override;
    void redo() override;
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand *other) override;

private:
    void exchange();

    WorkspaceDocument *m_document;
    WorkspaceEdit m_next; ///< what undo or redo applies
    json::Value m_before; ///< the tree before the step
    QString m_mergeKey;
    QElapsedTimer m_age; ///< since the last edit merged in
    bool m_first = true; ///< push() calls redo() once for the edit that is done already
};

} // namespace wardbench
