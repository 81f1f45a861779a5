#pragma once

#include "json/value.h"
#include "model/workspaceedit.h"

#include <QElapsedTimer>
#include <QString>
#include <QUndoCommand>

#include <vector>

namespace wardbench {

class WorkspaceDocument;

/// One undo step: edits that were applied already, kept as their inverses. Undo and redo apply what is kept and keep
/// what comes back.
class EditCommand final : public QUndoCommand
{
public:
    /// Takes in those that follow with the same `mergeKey`: within a second, or always.
    enum class Merge { Soon, Always };
    EditCommand(WorkspaceDocument *document, WorkspaceEdit inverse, json::Value before, const QString &mergeKey,
                Merge merge = Merge::Soon);

    void undo() override;
    void redo() override;
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand *other) override;

private:
    void exchange();
    WorkspaceEdit next() const;

    WorkspaceDocument *m_document;
    std::vector<WorkspaceEdit> m_next; ///< what undo or redo applies, the last one first
    json::Value m_before; ///< the tree before the step
    const QString m_mergeKey;
    const Merge m_merge;
    QElapsedTimer m_age; ///< since the last edit merged in
    bool m_first = true; ///< push() calls redo() once for the edit that is done already
};

} // namespace wardbench
