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

EditCommand::EditCommand(WorkspaceDocument *document, WorkspaceEdit inverse, json::Value before,
                         const QString &mergeKey, Merge merge)
    : QUndoCommand(QString::fromStdString(inverse.text())), m_document(document), m_next{std::move(inverse)},
      m_before(std::move(before)), m_mergeKey(mergeKey), m_merge(merge)
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

WorkspaceEdit EditCommand::next() const
{
    WorkspaceEdit all(m_next.front().text());
    for (auto one = m_next.rbegin(); one != m_next.rend(); ++one) {
        for (const WorkspaceEdit::Step &step : one->steps())
            all.add(step);
    }
    return all;
}

void EditCommand::exchange()
{
    WorkspaceEdit inverse;
    const WorkspaceEdit edit = next();
    if (m_document->replay(edit, inverse)) {
        const json::Path path = edit.steps().empty() ? json::Path() : edit.steps().front().path;
        m_next = {std::move(inverse)};
        Q_EMIT m_document->touched(path);
    }
}

bool EditCommand::mergeWith(const QUndoCommand *other)
{
    const auto *later = static_cast<const EditCommand *>(other);
    if (later->m_mergeKey != m_mergeKey)
        return false;
    if (m_merge == Merge::Always) {
        m_next.insert(m_next.end(), later->m_next.begin(), later->m_next.end());
        return true;
    }
    if (m_age.elapsed() > mergeWindowMs)
        return false;
    const bool samePlace = setsOnlyOnePlace(m_next.front()) && setsOnlyOnePlace(later->m_next.front())
        && m_next.front().steps().front().path == later->m_next.front().steps().front().path;
    if (!samePlace)
        m_next.push_back(later->m_next.front());
    m_age.restart();
    if (m_document->workspace()->root == m_before)
        setObsolete(true); // typed and taken back: nothing to undo
    return true;
}

} // namespace wardbench
