#pragma once

#include "editors/editorpage.h"
#include "editors/jsonfields.h"
#include "editors/responseform.h"
#include "model/workspaceedit.h"

#include <QHash>
#include <QVBoxLayout>

class QLabel;
class QScrollArea;
class QStackedWidget;

namespace wardbench {

class JsonView;

/// An editor page with a form that scrolls and the same thing as JSON. Every change is an edit of the
/// document's tree below the page's target.
class FormPage : public EditorPage
{
    Q_OBJECT

public:
    FormPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent);
    ~FormPage() override;

    void setTarget(const json::Path &path) override;
    void refresh(const json::Path &path) override;
    void setView(View view) override;
    bool commit() override;
    void discardDrafts() override;

protected:
    /// The form's column; sections are added top to bottom, 16 pixels apart by `addSection`.
    QVBoxLayout *form() const { return m_form; }
    const json::Path &target() const { return m_target; }
    /// The target's subtree, Null when it is gone.
    const json::Value &value() const;
    const json::Value &valueAt(const json::Path &relative) const; ///< Null when absent

    /// Sets a member below the target, making the objects on the way to it. Null removes it (and nothing else).
    /// Typing in one field merges to one undo step.
    bool set(const QString &what, const json::Path &relative, const json::Value &value);
    bool edit(const WorkspaceEdit &edit);

    /// The mock that the target is or belongs to; 0: none.
    quint64 mockId() const;
    /// Of that mock; what its answers' forms need to know.
    ResponseForm::Setting responseSetting() const;

    virtual void targetChanged() {} ///< another thing is shown: forget selections
    virtual void showValue() = 0;   ///< fill the fields

private:
    void keepDraft();
    Issues issuesOf(const json::Value &value) const; ///< as if the target were `value`

    json::Path m_target;
    ItemRef m_item; ///< what is at m_target
    QHash<ItemRef, QString> m_drafts;
    QStackedWidget *m_stack;
    QScrollArea *m_scroll = nullptr;
    JsonView *m_json;
    QVBoxLayout *m_form;
    View m_view = View::Form;
};

} // namespace wardbench
