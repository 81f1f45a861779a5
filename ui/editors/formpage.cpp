#include "editors/formpage.h"

#include "codec/workspacefile.h"
#include "document/workspacedocument.h"
#include "editors/jsonview.h"
#include "match/examplerequest.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QFileInfo>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>

namespace wardbench {

using namespace Qt::StringLiterals;

FormPage::FormPage(WorkspaceDocument *document, MockController *mocks, QWidget *parent)
    : EditorPage(document, mocks, parent), m_stack(new QStackedWidget(this)),
      m_json(new JsonView([this](const json::Value &value) { return issuesOf(value); }, this))
{
    auto *scroll = new QScrollArea(m_stack);
    m_scroll = scroll;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto *content = new QWidget(scroll);
    m_form = new QVBoxLayout(content);
    m_form->setContentsMargins(24, 16, 24, 24);
    m_form->setSpacing(8);
    scroll->setWidget(content);
    m_stack->addWidget(scroll);
    m_stack->addWidget(m_json);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    connect(m_json, &JsonView::applied, this, [this](const json::Value &applied) {
        m_drafts.remove(this->document()->refAt(m_target));
        if (this->document()->pathOf(m_item) == m_target && !(applied == value())) // it may be gone
            edit(WorkspaceEdit::set(utf8(tr("Edit JSON")), m_target, applied));
        m_json->setValue(value());
    });
    connect(document, &WorkspaceDocument::opened, this, [this] { m_drafts.clear(); });
    connect(&Theme::instance(), &Theme::changed, this,
            [this] { refresh(m_target); }); // statuses, hints have its colours
}

// The view may still be asked what it thinks while it loses the focus.
FormPage::~FormPage()
{
    delete m_json;
}

void FormPage::setTarget(const json::Path &path)
{
    keepDraft();
    m_target = path;
    const ItemRef item = document()->refAt(path);
    if (!(item == m_item))
        m_scroll->verticalScrollBar()->setValue(0);
    m_item = item;
    targetChanged();
    m_json->setTarget(value(), m_drafts.value(m_item));
    refresh(path);
}

void FormPage::refresh(const json::Path &path)
{
    m_target = path;
    if (value().isNull())
        return;
    showValue();
    if (m_view == View::Json)
        m_json->setValue(value());
}

void FormPage::setView(View view)
{
    if (m_view == View::Json)
        m_json->apply();
    m_view = view;
    m_stack->setCurrentIndex(view == View::Json ? 1 : 0);
    if (view == View::Json)
        m_json->setValue(value());
}

bool FormPage::commit()
{
    keepDraft();
    return m_drafts.isEmpty();
}

void FormPage::discardDrafts()
{
    m_drafts.clear();
    m_json->setTarget(value(), {});
}

// What was typed and is not right yet waits for its thing to be shown again.
void FormPage::keepDraft()
{
    if (m_item.isNull())
        return;
    if (document()->pathOf(m_item) == m_target)
        m_json->apply();
    if (m_json->draft().isEmpty())
        m_drafts.remove(m_item);
    else
        m_drafts.insert(m_item, m_json->draft());
}

Issues FormPage::issuesOf(const json::Value &value) const
{
    Issues found;
    const Result<WorkspaceEdit::Applied> trial =
        WorkspaceEdit::set({}, m_target, value).apply(document()->workspace()->root);
    if (!trial)
        return found;
    const std::string base = json::toPointer(m_target);
    const WorkspacePtr decoded = codec::decodeWorkspace(trial->root, document()->workspace());
    for (Issue issue : decoded->issues) {
        if (issue.pointer != base && issue.pointer.rfind(base + '/', 0) != 0)
            continue;
        issue.pointer.erase(0, base.size());
        found.push_back(std::move(issue));
    }
    return found;
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

quint64 FormPage::mockId() const
{
    const bool belongs = m_target.size() > 1 && m_target[0] == "imposters";
    return belongs ? document()->refAt({m_target[0], m_target[1]}).id : 0;
}

ResponseForm::Setting FormPage::responseSetting() const
{
    ResponseForm::Setting setting;
    const WorkspacePtr now = document()->workspace();
    const std::size_t mock = m_target.size() > 1 && m_target[0] == "imposters" ? std::stoul(m_target[1]) : 0;
    if (mock >= now->imposters.size())
        return setting;
    const Imposter &imposter = *now->imposters[mock];
    setting.protocol = qtext(imposter.protocol);
    setting.binary = imposter.binary;
    if (!document()->filePath().isEmpty())
        setting.folder = QFileInfo(document()->filePath()).absolutePath();
    ExampleRequest example;
    if (m_target.size() == 4) {
        const std::size_t stub = std::stoul(m_target[3]);
        if (stub < imposter.stubs.size())
            example = draftFor(*imposter.stubs[stub]);
    }
    setting.example = toRequest(example);
    return setting;
}

bool FormPage::edit(const WorkspaceEdit &edit)
{
    return document()->edit(edit);
}

} // namespace wardbench
