#include "document/editcommand.h"

#include "document/workspacedocument.h"

namespace wardbench {

namespace {

constexpr qint64 mergeWindowMs = 1000;

bool setsOnlyOnePlace(const WorkspaceEdit &edit)
{
    return edit.steps().size() == 1
        && (edit.steps().front().kind == WorkspaceEdit::Step::Kind::Set
            || edit.steps().front().kind == WorkspaceEdit::Step::Kind::Remove);
}

} // namespace

EditCommand::EditCommand(WorkspaceDocument *document, const WorkspaceEdit &done, WorkspaceEdit inverse,
                         json::Value before, const QString &mergeKey)
    : QUndoCommand(QString::fromStdString(done.text())), m_document(document), m_next(std::move(inverse)),
      m_before(std::move(before)), m_mergeKey(mergeKey)
{
    m_age.start();
}

void EditCommand::undo()
{
    exchange();
}

void EditCommand::redo()
{
    if (m_first)
        m_first = false;
    else
        exchange();
}

void EditCommand::exchange()
{
    WorkspaceEdit inverse;
    if (m_document->applyEdit(m_next, inverse)) {
        const json::Path path = m_next.steps().empty() ? json::Path() : m_next.steps().front().path;
        m_next = inverse;
        Q_EMIT m_document->touched(path);
    }
}

bool EditCommand::mergeWith(const QUndoCommand *other)
{
    const auto *later = static_cast<const EditCommand *>(other);
    if (later->m_mergeKey != m_mergeKey || m_age.elapsed() > mergeWindowMs)
        return false;
    const bool samePlace = setsOnlyOnePlace(m_next) && setsOnlyOnePlace(later->m_next)
        && m_next.steps().front().path == later->m_next.steps().front().path;
    if (!samePlace) {
        WorkspaceEdit both = later->m_next;
        for (const WorkspaceEdit::Step &step : m_next.steps())
            both.add(step);
        m_next = both;
    }
    m_age.restart();
    if (m_document->workspace()->root == m_before)
        setObsolete(true); // typed and taken back: nothing to undo
    return true;
}

} // namespace wardbench
