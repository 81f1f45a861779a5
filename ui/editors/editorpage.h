#pragma once

#include "document/workspaceids.h"
#include "json/pointer.h"

#include <QList>
#include <QWidget>

class QAction;

namespace wardbench {

class MockController;
class WorkspaceDocument;

/// One editor of the middle area. The window makes one page per kind, shows it for what is selected in the tree, and
/// draws the line above it (breadcrumb, Form and JSON, the page's actions, Send). A page changes the workspace only through
/// WorkspaceDocument::edit.
class EditorPage : public QWidget
{
    Q_OBJECT

public:
    using Kind = ItemKind;
    enum class View { Form, Json };

    EditorPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent)
        : QWidget(parent), m_document(document), m_mocks(mocks)
    {
    }

    /// Shows what is at `path` (/imposters/0, /imposters/0/stubs/2, /policies/1, /scenarios/0).
    virtual void setTarget(const json::Path &path) = 0;
    /// The workspace changed and the same thing is at `path` now. Fields whose value differs are rewritten; focus,
    /// cursor and selection of the others stay.
    virtual void refresh(const json::Path &path) = 0;
    virtual void setView(View view) = 0;
    /// Puts the focus on the first field (a new item: its name, selected).
    virtual void focusFirstField() = 0;
    /// Actions of this page, drawn as buttons right of Form and JSON ("Run once"). Owned by the page.
    virtual QList<QAction *> headerActions() const { return {}; }
    /// Puts what was typed last into the document. False: something typed is not right yet, and waits here.
    virtual bool commit() { return true; }
    virtual void discardDrafts() {} ///< forgets what waits
    /// F6 on this page. False: not for this page, the window sends the selected stub's example.
    virtual bool sendTest() { return false; }

Q_SIGNALS:
    /// Select and show something else ("Edit policy").
    void openRequested(const wardbench::json::Path &path);
    /// A button on the page asks for what F6 does.
    void sendTestRequested();
    /// Run the scenario at `path` (F5).
    void runRequested(const wardbench::json::Path &path);
    /// Show this sentence above the page; `error` colours it.
    void notice(const QString &text, bool error);

protected:
    WorkspaceDocument *document() const { return m_document; }
    MockController *mocks() const { return m_mocks; }

private:
    WorkspaceDocument *m_document;
    MockController *m_mocks;
};

/// Makes the page for one kind of thing.
EditorPage *createEditorPage(ItemKind kind, WorkspaceDocument *document, MockController *mocks, QWidget *parent);

} // namespace wardbench
