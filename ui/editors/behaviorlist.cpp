#include "editors/behaviorlist.h"

#include "editors/answerbehaviors.h"
#include "editors/codeeditor.h"
#include "editors/delayfield.h"
#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "editors/memberform.h"
#include "editors/rowlist.h"
#include "shell/theme.h"
#include "widgets/elidedlabel.h"
#include "widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

bool takesName(const QString &field)
{
    return field == u"query" || field == u"headers" || field == u"form";
}

QToolButton *stepButton(const QString &icon, const QString &name, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setIcon(Theme::icon(icon));
    button->setAutoRaise(true);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

void addExtraction(MemberForm *form, const json::Path &at)
{
    form->addChoice(BehaviorList::tr("Find by"), at / "method",
                    {{u"regex"_s, BehaviorList::tr("regular expression")},
                     {u"jsonpath"_s, BehaviorList::tr("JSONPath")},
                     {u"xpath"_s, BehaviorList::tr("XPath")}},
                    {}, MemberForm::Empty::Stays);
    form->addText(BehaviorList::tr("Selector"), at / "selector", {}, MemberForm::Empty::Stays);
    form->addFlag(BehaviorList::tr("Ignore case"), at / "options" / "ignoreCase");
    form->addFlag(BehaviorList::tr("^ and $ match at lines"), at / "options" / "multiline");
    form->addNamespaces(BehaviorList::tr("Namespaces"), at / "ns");
}

void showExtraction(MemberForm *form, const json::Path &at)
{
    const json::Value *method = json::resolve(form->object(), at / "method");
    const std::string word = method ? method->text() : "regex";
    form->setRowVisible(at / "options" / "ignoreCase", word == "regex");
    form->setRowVisible(at / "options" / "multiline", word == "regex");
    form->setRowVisible(at / "ns", word == "xpath");
}

void addPart(MemberForm *form, const QString &prefix, const json::Path &at)
{
    auto *field = new RequestPartField(prefix + BehaviorList::tr(": from"), form);
    form->addRow(BehaviorList::tr("From"), field, at, {}, [field, at](const json::Value &object) {
        const json::Value *part = json::resolve(object, at);
        field->setPart(part ? *part : json::Value());
    });
    QObject::connect(field, &RequestPartField::partEdited, form, [form, at](const json::Value &part) {
        Q_EMIT form->edited(BehaviorList::tr("Change part of the request"), at, part);
    });
}

} // namespace

RequestPartField::RequestPartField(const QString &accessibleName, QWidget *parent)
    : QWidget(parent), m_field(new ChoiceField(accessibleName, this)),
      m_name(new TextField(accessibleName + tr(", name"), this))
{
    const std::pair<const char *, QString> fields[] = {
        {"method", tr("method")}, {"path", tr("path")}, {"query", tr("query")}, {"headers", tr("header")},
        {"body", tr("body")},     {"form", tr("form")}, {"data", tr("data")},   {"requestFrom", tr("client")}};
    for (const auto &[word, label] : fields)
        m_field->addChoice(label, QString::fromLatin1(word));
    m_name->setWidthInCharacters(18);
    m_name->setPlaceholderText(tr("name"));
    auto *row = rowLayout();
    setLayout(row);
    row->addWidget(m_field);
    row->addWidget(m_name);
    row->addStretch();
    setFocusProxy(m_field);
    connect(m_field, &ChoiceField::chosen, this, [this](const QString &word) {
        if (takesName(word) && m_name->text().isEmpty())
            m_name->setValue(u"id"_s);
        m_name->setVisible(takesName(word));
        publish();
    });
    connect(m_name, &TextField::edited, this, [this](const QString &text) {
        m_name->setProblem(text.isEmpty() ? tr("Expected a name") : QString());
        if (!text.isEmpty())
            publish();
    });
}

void RequestPartField::setPart(const json::Value &part)
{
    m_part = part;
    const bool named = part.isObject() && part.size() > 0;
    const QString word = named ? qtext(part.members()[0].first) : scalarText(part);
    m_field->setWord(word.isEmpty() ? u"path"_s : word);
    m_name->setVisible(named);
    if (named)
        m_name->setValue(scalarText(part.members()[0].second));
}

void RequestPartField::publish()
{
    const std::string field = utf8(m_field->word());
    const bool named = takesName(m_field->word());
    m_part =
        named ? json::Value(json::Members{{field, scalarValue(m_name->text(), m_part[field])}}) : json::Value(field);
    Q_EMIT partEdited(m_part);
}

/// One behavior: what it is, its place in the order, its form.
class BehaviorList::Row : public QWidget
{
public:
    Row(BehaviorList *list, std::size_t index, const QString &kind) : QWidget(list), kind(kind), m_index(index)
    {
        const QString prefix = tr("Behavior %1").arg(index + 1);
        auto *layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(4);
        layout->addLayout(makeHead(list, prefix));
        m_form = new MemberForm(this, prefix);
        m_form->setContentsMargins(16, 0, 0, 4);
        build(prefix);
        layout->addWidget(m_form);
        QObject::connect(m_form, &MemberForm::edited, list,
                         [list, index](const QString &what, const json::Path &path, const json::Value &value) {
                             list->setPart(index, what, path, value);
                         });
    }

    void show(const json::Value &behavior, std::size_t count)
    {
        m_summary->setFullText(behaviors::summary(behavior));
        m_form->setObject(behavior);
        m_up->setEnabled(m_index > 0);
        m_down->setEnabled(m_index + 1 < count);
        if (kind == u"copy")
            showExtraction(m_form, {"copy", "using"});
        if (kind == u"lookup")
            showExtraction(m_form, {"lookup", "key", "using"});
    }
    void focus() { m_form->nextInFocusChain()->setFocus(); }
    void focusMover(int by) { (by < 0 ? m_up : m_down)->setFocus(); }

    const QString kind;

private:
    QHBoxLayout *makeHead(BehaviorList *list, const QString &prefix);
    void build(const QString &prefix);
    void buildWait(const QString &prefix);
    void buildLookup(const QString &prefix);

    std::size_t m_index;
    MemberForm *m_form;
    ElidedLabel *m_summary;
    QToolButton *m_up, *m_down;
};

QHBoxLayout *BehaviorList::Row::makeHead(BehaviorList *list, const QString &prefix)
{
    auto *head = rowLayout();
    QString label = kind;
    for (const auto &[word, words] : behaviors::kinds()) {
        if (word == kind)
            label = words;
    }
    head->addWidget(new QLabel(u"%1  %2"_s.arg(m_index + 1).arg(label), this));
    m_summary = new ElidedLabel(this);
    m_summary->setForegroundRole(QPalette::PlaceholderText);
    head->addWidget(m_summary, 1);
    m_up = stepButton(u"up"_s, tr("%1: move up").arg(prefix), this);
    m_down = stepButton(u"down"_s, tr("%1: move down").arg(prefix), this);
    auto *gone = removeButton(tr("%1: remove").arg(prefix), this);
    for (QToolButton *button : {m_up, m_down, gone})
        head->addWidget(button);
    QObject::connect(m_up, &QToolButton::clicked, list, [list, index = m_index] { list->move(index, -1); });
    QObject::connect(m_down, &QToolButton::clicked, list, [list, index = m_index] { list->move(index, 1); });
    QObject::connect(gone, &QToolButton::clicked, list, [list, index = m_index] { list->remove(index); });
    return head;
}

void BehaviorList::Row::build(const QString &prefix)
{
    using Empty = MemberForm::Empty;
    if (kind == u"wait") {
        buildWait(prefix);
    } else if (kind == u"copy") {
        addPart(m_form, prefix, {"copy", "from"});
        addExtraction(m_form, {"copy", "using"});
        m_form->addText(tr("Into"), {"copy", "into"}, tr("the token that is replaced in headers and body"),
                        Empty::Stays);
    } else if (kind == u"lookup") {
        buildLookup(prefix);
    } else if (kind == u"decorate") {
        m_form->addScript(tr("Script"), {"decorate"}, tr("changes config.response, or returns another one"),
                          Empty::Stays);
    } else if (kind == u"shellTransform") {
        m_form->addText(tr("Command"), {"shellTransform"}, {}, Empty::Stays);
    } else {
        m_form->addRow(
            {}, mutedLabel(tr("Not known to this version; it is kept as it is. The JSON view shows it."), m_form));
    }
}

void BehaviorList::Row::buildWait(const QString &prefix)
{
    auto *delay = new DelayField(prefix + tr(": wait"), m_form, true);
    m_form->addRow(tr("Wait"), delay, {"wait"}, {},
                   [delay](const json::Value &behavior) { delay->setDelay(behavior["wait"]); });
    QObject::connect(delay, &DelayField::delayEdited, m_form, [form = m_form](const json::Value &value) {
        Q_EMIT form->edited(tr("Change wait"), {"wait"}, value.isNull() ? json::Value(0) : value);
    });
    auto *script = new CodeEditor(prefix + tr(": script"), m_form);
    script->setLanguage(CodeEditor::Language::JavaScript);
    script->setFrameShape(QFrame::StyledPanel);
    script->setMinimumHeight(72);
    m_form->addRow({}, script, {"wait"}, {}, [script](const json::Value &behavior) {
        script->setVisible(isScriptDelay(behavior["wait"]));
        if (isScriptDelay(behavior["wait"]))
            script->setContent(qtext(behavior["wait"].text()));
    });
    QObject::connect(script, &CodeEditor::edited, m_form, [form = m_form](const QString &text) {
        Q_EMIT form->edited(tr("Change wait script"), {"wait"}, json::Value(utf8(text)));
    });
}

void BehaviorList::Row::buildLookup(const QString &prefix)
{
    using Empty = MemberForm::Empty;
    const json::Path key{"lookup", "key"}, csv{"lookup", "fromDataSource", "csv"};
    addPart(m_form, prefix, key / "from");
    addExtraction(m_form, key / "using");
    m_form->addNumber(tr("Which find"), key / "index", 0, 1e6, true, tr("from 0, the default"));
    m_form->addText(tr("CSV file"), csv / "path", tr("beside the workspace, or a whole path"), Empty::Stays);
    m_form->addText(tr("Key column"), csv / "keyColumn", {}, Empty::Stays);
    m_form->addText(tr("Delimiter"), csv / "delimiter")->setPlaceholderText(u","_s);
    m_form->addText(tr("Into"), {"lookup", "into"}, tr("write ${row}['column'] where a value shall stand"),
                    Empty::Stays);
}

BehaviorList::BehaviorList(QWidget *parent)
    : QWidget(parent), m_layout(new QVBoxLayout(this)),
      m_add(new QPushButton(Theme::icon(u"plus"_s), tr("Behavior"), this)), m_none(mutedLabel({}, this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
    auto *row = rowLayout();
    row->addWidget(m_add);
    row->addWidget(m_none);
    row->addStretch();
    m_layout->addLayout(row);
    m_add->setAccessibleName(tr("Add behavior"));
    m_none->setText(tr("what happens to the answer on its way, in this order"));
    auto *menu = new QMenu(m_add);
    for (const auto &[word, label] : behaviors::kinds())
        connect(menu->addAction(label), &QAction::triggered, this, [this, word = word] { add(word); });
    m_add->setMenu(menu);
}

void BehaviorList::setAnswer(const json::Value &answer)
{
    m_answer = answer;
    m_list = behaviors::listOf(answer);
    // A lone delay has its own field in the answer's first row.
    const bool onlyDelay = m_list.size() == 1 && m_list.at(0).size() == 1 && m_list.at(0).find("wait") &&
                           !isScriptDelay(m_list.at(0)["wait"]);
    const std::size_t count = onlyDelay ? 0 : m_list.size();
    bool same = count == m_rows.size();
    for (std::size_t i = 0; same && i < count; ++i)
        same = m_rows[i]->kind == behaviors::kindOf(m_list.at(i));
    if (!same) {
        clearRows(*m_layout, m_rows);
        for (std::size_t i = 0; i < count; ++i) {
            m_rows.push_back(new Row(this, i, behaviors::kindOf(m_list.at(i))));
            m_layout->insertWidget(static_cast<int>(i), m_rows.back());
        }
    }
    for (std::size_t i = 0; i < count; ++i)
        m_rows[i]->show(m_list.at(i), count);
    m_none->setVisible(count == 0);
}

void BehaviorList::setList(const QString &what, const json::Value &list)
{
    const json::Value answer = behaviors::withList(m_answer, list);
    if (behaviors::isOldForm(m_answer))
        Q_EMIT edited(what, {}, answer);
    else
        Q_EMIT edited(what, {"behaviors"}, answer["behaviors"]);
}

void BehaviorList::setPart(std::size_t index, const QString &what, const json::Path &path, const json::Value &value)
{
    if (behaviors::isOldForm(m_answer)) {
        setList(what, m_list.withItem(index, withPart(m_list.at(index), path, value)));
        return;
    }
    json::Path whole{"behaviors", std::to_string(index)};
    whole.insert(whole.end(), path.begin(), path.end());
    Q_EMIT edited(what, whole, value);
}

void BehaviorList::add(const QString &kind)
{
    setList(tr("Add behavior"), m_list.withItemInserted(m_list.size(), behaviors::fresh(kind)));
    if (!m_rows.empty())
        m_rows.back()->focus();
}

void BehaviorList::move(std::size_t index, int by)
{
    const std::size_t to = by < 0 ? index - 1 : index + 1;
    if (to >= m_list.size())
        return;
    const json::Value moved = m_list.at(index);
    setList(tr("Move behavior"), m_list.withoutItem(index).withItemInserted(to, moved));
    if (to < m_rows.size())
        m_rows[to]->focusMover(by);
}

void BehaviorList::remove(std::size_t index)
{
    setList(tr("Remove behavior"), m_list.withoutItem(index));
    m_add->setFocus();
}

} // namespace wardbench
