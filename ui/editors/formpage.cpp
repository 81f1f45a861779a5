#include "editors/formpage.h"

#include "document/workspacedocument.h"
#include "editors/codeeditor.h"
#include "json/writer.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QScrollArea>
#include <QStackedWidget>

namespace wardbench {

using namespace Qt::StringLiterals;

FormPage::FormPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent)
    : EditorPage(document, mocks, parent), m_stack(new QStackedWidget(this)), m_json(new CodeEditor(tr("JSON"), this))
{
    auto *scroll = new QScrollArea(m_stack);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto *content = new QWidget(scroll);
    m_form = new QVBoxLayout(content);
    m_form->setContentsMargins(24, 16, 24, 24);
    m_form->setSpacing(8);
    scroll->setWidget(content);
    m_json->setReadOnly(true);
    m_json->setLanguage(CodeEditor::Language::Json);
    m_stack->addWidget(scroll);
    m_stack->addWidget(m_json);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    connect(&Theme::instance(), &Theme::changed, this, [this] { refresh(m_target); }); // statuses, hints have its colours
}

void FormPage::setTarget(const json::Path &path)
{
    m_target = path;
    targetChanged();
    refresh(path);
}

void FormPage::refresh(const json::Path &path)
{
    m_target = path;
    if (value().isNull())
        return;
    showValue();
    if (m_view == View::Json)
        showJson();
}

void FormPage::setView(View view)
{
    m_view = view;
    m_stack->setCurrentIndex(view == View::Json ? 1 : 0);
    if (view == View::Json)
        showJson();
}

void FormPage::showJson()
{
    m_json->setContent(qtext(json::writeDocument(value())));
}

const json::Value &FormPage::value() const
{
    return valueAt({});
}

const json::Value &FormPage::valueAt(const json::Path &relative) const
{
    static const json::Value nothing;
    json::Path path = m_target;
    path.insert(path.end(), relative.begin(), relative.end());
    const json::Value *found = m_target.empty() ? nullptr : json::resolve(document()->workspace()->root, path);
    return found ? *found : nothing;
}

bool FormPage::set(const QString &what, const json::Path &relative, const json::Value &value)
{
    json::Path path = m_target;
    path.insert(path.end(), relative.begin(), relative.end());
    const json::Value &root = document()->workspace()->root;
    const json::Value *present = json::resolve(root, path);
    if (value.isNull()) {
        return !present || document()->edit(WorkspaceEdit::remove(utf8(what), path));
    }
    // Members on the way that do not exist yet come with the value, in one step.
    json::Value whole = value;
    json::Path parent(path.begin(), path.end() - 1);
    while (parent.size() > m_target.size()) {
        const json::Value *existing = json::resolve(root, parent);
        if (existing && (existing->isObject() || existing->isArray()))
            break;
        whole = json::Value(json::Members{{path.back(), whole}});
        path = parent;
        parent.pop_back();
    }
    return document()->edit(WorkspaceEdit::set(utf8(what), path, whole), qtext(json::toPointer(path)));
}

bool FormPage::edit(const WorkspaceEdit &edit)
{
    return document()->edit(edit);
}

} // namespace wardbench
