#include "editors/conditionlist.h"

#include "editors/codeeditor.h"
#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "editors/memberform.h"
#include "editors/rowlist.h"
#include "shell/theme.h"
#include "widgets/text.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

const char *const newScript = "function (config) {\n  return config.request.path === '/';\n}";

} // namespace

/// One condition's widgets.
class ConditionList::Row : public QWidget
{
public:
    Row(ConditionList *list, std::size_t index);
    Condition::Form form() const { return m_form; }
    void show(const Condition &condition);
    void focus() { (m_script ? static_cast<QWidget *>(m_script) : m_value)->setFocus(); }

private:
    void buildField(QHBoxLayout *row);
    void connectField();
    QWidget *buildParameters();
    void buildScript(QHBoxLayout *row);
    void buildJson(QHBoxLayout *row);
    void fieldChosen(const QString &word);
    void showParameters(const Condition &condition);
    void selectorEdited();
    void setParameter(const char *name, const json::Value &value);
    const Condition &condition() const { return m_list->m_conditions[m_index]; }
    QString name(const QString &part) const { return tr("Condition %1: %2").arg(m_index + 1).arg(part); }
    void change(const Condition &by, const QString &what)
    {
        Q_EMIT m_list->predicatesEdited(conditions::replaced(m_list->m_predicates, condition(), by), what);
    }
    void jsonEdited(const QString &text);

    ConditionList *m_list;
    std::size_t m_index;
    const Condition::Form m_form;
    ChoiceField *m_field = nullptr;
    TextField *m_name = nullptr;
    ChoiceField *m_operator = nullptr;
    TextField *m_value = nullptr;
    QToolButton *m_case = nullptr, *m_more = nullptr;
    CodeEditor *m_script = nullptr;
    QWidget *m_parameters = nullptr;
    ChoiceField *m_selectorKind = nullptr;
    TextField *m_selector = nullptr, *m_namespaces = nullptr, *m_except = nullptr;
    QCheckBox *m_keyCase = nullptr;
};

ConditionList::Row::Row(ConditionList *list, std::size_t index)
    : QWidget(list), m_list(list), m_index(index), m_form(list->m_conditions[index].form)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto *row = rowLayout();
    column->addLayout(row);
    if (m_form == Condition::Form::Field)
        buildField(row);
    else if (m_form == Condition::Form::Script)
        buildScript(row);
    else
        buildJson(row);
    auto *remove = removeButton(tr("Remove condition %1").arg(index + 1), this);
    row->addWidget(remove, 0, m_script ? Qt::AlignTop : Qt::Alignment());
    if (m_form == Condition::Form::Field) {
        m_parameters = buildParameters();
        m_parameters->setVisible(false);
        column->addWidget(m_parameters);
        connectField();
    }
    QObject::connect(remove, &QToolButton::clicked, this, [this] {
        Q_EMIT m_list->predicatesEdited(conditions::removed(m_list->m_predicates, condition()), tr("Remove condition"));
    });
    show(condition());
}

void ConditionList::Row::buildJson(QHBoxLayout *row)
{
    m_value = new TextField(tr("Condition %1 as JSON").arg(m_index + 1), this);
    m_value->setFont(Theme::monospace());
    row->addWidget(m_value, 1);
    QObject::connect(m_value, &TextField::edited, this, [this](const QString &text) { jsonEdited(text); });
}

void ConditionList::Row::buildScript(QHBoxLayout *row)
{
    auto *label = new QLabel(tr("script"), this);
    label->setFixedWidth(96);
    m_script = new CodeEditor(name(tr("script")), this);
    m_script->setLanguage(CodeEditor::Language::JavaScript);
    m_script->setFrameShape(QFrame::StyledPanel);
    m_script->setFixedHeight(96);
    row->addWidget(label, 0, Qt::AlignTop);
    row->addWidget(m_script, 1);
    QObject::connect(m_script, &CodeEditor::edited, this, [this](const QString &text) {
        const json::Value &predicate = m_list->m_predicates.at(condition().predicate);
        Q_EMIT m_list->predicatesEdited(
            conditions::replacedPredicate(m_list->m_predicates, condition().predicate,
                                          predicate.withMember("inject", json::Value(utf8(text)))),
            tr("Change script"));
    });
}

void ConditionList::Row::buildField(QHBoxLayout *row)
{
    m_field = new ChoiceField(name(tr("part of the request")), this);
    const std::pair<const char *, QString> fields[] = {
        {"method", tr("method")}, {"path", tr("path")},    {"query", tr("query")}, {"headers", tr("header")},
        {"body", tr("body")},     {"form", tr("form")},    {"data", tr("data")},   {"requestFrom", tr("client")},
        {"ip", tr("ip")},         {"inject", tr("script")}};
    for (const auto &[word, label] : fields)
        m_field->addChoice(label, QString::fromLatin1(word));
    m_name = new TextField(name(tr("name")), this);
    m_name->setPlaceholderText(tr("name"));
    m_name->setWidthInCharacters(14);
    m_operator = new ChoiceField(name(tr("operator")), this);
    for (const auto &[word, label] : conditions::operators())
        m_operator->addChoice(label, word);
    m_value = new TextField(name(tr("expected")), this);
    m_case = new QToolButton(this);
    m_case->setText(u"Aa"_s);
    m_case->setAccessibleName(name(tr("upper and lower case differ")));
    m_case->setToolTip(tr("Upper and lower case differ"));
    m_more = new QToolButton(this);
    m_more->setText(u"\u2026"_s);
    m_more->setAccessibleName(name(tr("more parameters")));
    m_more->setToolTip(tr("A part of the value by JSONPath or XPath, an exception, the case of names"));
    for (QToolButton *button : {m_case, m_more}) {
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
    }
    m_field->setFixedWidth(96);
    m_operator->setFixedWidth(144);
    row->addWidget(m_field);
    row->addWidget(m_name);
    row->addWidget(m_operator);
    row->addWidget(m_value, 1);
    row->addWidget(m_case);
    row->addWidget(m_more);
}

QWidget *ConditionList::Row::buildParameters()
{
    auto *box = new QWidget(this);
    auto *row = rowLayout();
    box->setLayout(row);
    row->setContentsMargins(24, 0, 0, 0);
    m_selectorKind = new ChoiceField(name(tr("selector")), box);
    m_selectorKind->addChoice(tr("whole value"), {});
    m_selectorKind->addChoice(tr("JSONPath"), u"jsonpath"_s);
    m_selectorKind->addChoice(tr("XPath"), u"xpath"_s);
    m_selector = new TextField(name(tr("selector's path")), box);
    m_namespaces = new TextField(name(tr("namespaces")), box);
    m_namespaces->setPlaceholderText(tr("a=urn:example"));
    m_namespaces->setToolTip(tr("The prefixes of the XPath, as prefix=URI, several separated by blanks"));
    m_except = new TextField(name(tr("except")), box);
    m_except->setPlaceholderText(tr("nothing"));
    m_except->setToolTip(tr("A regular expression: what it finds is taken out of the value first"));
    m_keyCase = new QCheckBox(tr("Aa in names"), box);
    m_keyCase->setAccessibleName(name(tr("upper and lower case differ in names")));
    auto *except = mutedLabel(tr("except"), box);
    row->addWidget(mutedLabel(tr("of its"), box));
    row->addWidget(m_selectorKind);
    row->addWidget(m_selector, 2);
    row->addWidget(m_namespaces, 1);
    row->addWidget(except);
    row->addWidget(m_except, 1);
    row->addWidget(m_keyCase);
    QObject::connect(m_selectorKind, &ChoiceField::chosen, this, [this](const QString &kind) {
        if (!kind.isEmpty() && m_selector->text().isEmpty())
            m_selector->setValue(kind == u"xpath" ? u"/*"_s : u"$"_s);
        selectorEdited();
    });
    QObject::connect(m_selector, &TextField::edited, this, [this] { selectorEdited(); });
    QObject::connect(m_namespaces, &TextField::edited, this, [this] { selectorEdited(); });
    QObject::connect(m_except, &TextField::edited, this, [this](const QString &text) {
        setParameter("except", text.isEmpty() ? json::Value() : json::Value(utf8(text)));
    });
    // Names follow the value's case unless they say otherwise.
    QObject::connect(m_keyCase, &QCheckBox::clicked, this, [this](bool on) {
        setParameter("keyCaseSensitive", on == condition().caseSensitive ? json::Value() : json::Value(on));
    });
    QObject::connect(m_more, &QToolButton::toggled, box, &QWidget::setVisible);
    return box;
}

void ConditionList::Row::setParameter(const char *name, const json::Value &value)
{
    Condition by = condition();
    by.parameters = withPart(by.parameters, {name}, value);
    change(by, tr("Change condition"));
}

void ConditionList::Row::selectorEdited()
{
    const std::string kind = utf8(m_selectorKind->word());
    const auto namespaces = namespacesValue(m_namespaces->text());
    m_namespaces->setProblem(namespaces ? QString() : tr("Expected prefix=URI, several separated by blanks"));
    Condition by = condition();
    const json::Value before = by.parameters.find("xpath") ? by.parameters["xpath"] : by.parameters["jsonpath"];
    by.parameters = by.parameters.withoutMember("jsonpath").withoutMember("xpath");
    if (!kind.empty()) {
        json::Value selector = before.isObject() ? before : json::Value::object();
        selector = selector.withMember("selector", json::Value(utf8(m_selector->text())));
        if (namespaces)
            selector = withPart(selector, {"ns"}, kind == "xpath" ? *namespaces : json::Value());
        by.parameters = by.parameters.withMember(kind, selector);
    }
    change(by, tr("Change selector"));
}

void ConditionList::Row::connectField()
{
    QObject::connect(m_field, &ChoiceField::chosen, this, [this](const QString &word) { fieldChosen(word); });
    QObject::connect(m_name, &TextField::edited, this, [this](const QString &text) {
        m_name->setProblem(text.isEmpty() ? tr("Expected a name") : QString());
        if (text.isEmpty())
            return;
        Condition by = condition();
        by.field = {by.field[0], utf8(text)};
        change(by, tr("Change condition"));
    });
    QObject::connect(m_operator, &ChoiceField::chosen, this, [this](const QString &word) {
        Condition by = condition();
        by.word = word;
        if (by.expected.isBool())
            by.expected = json::Value("");
        change(by, tr("Change condition to \"%1\"").arg(m_operator->currentText()));
    });
    QObject::connect(m_value, &TextField::edited, this, [this](const QString &text) {
        Condition by = condition();
        const bool document =
            by.field.size() == 1 && by.field[0] == "body" && (text.startsWith(u'{') || text.startsWith(u'['));
        by.expected = scalarValue(text, document ? json::Value::object() : by.expected);
        change(by, tr("Change condition"));
    });
    QObject::connect(m_case, &QToolButton::clicked, this, [this](bool checked) {
        Condition by = condition();
        by.caseSensitive = checked;
        change(by, tr("Change case sensitivity"));
    });
}

void ConditionList::Row::fieldChosen(const QString &word)
{
    Condition by = condition();
    if (word == u"inject") {
        by = Condition{};
        by.form = Condition::Form::Script;
        by.predicate = condition().predicate;
        by.expected = json::Value(newScript);
        change(by, tr("Change condition to a script"));
        return;
    }
    by.field = {utf8(word)};
    if (word == u"query" || word == u"headers" || word == u"form")
        by.field.push_back(condition().field.size() == 2 ? condition().field[1] : "name");
    if (!by.expected.isString() && !by.expected.isNumber())
        by.expected = json::Value("");
    change(by, tr("Change condition"));
}

void ConditionList::Row::show(const Condition &condition)
{
    if (m_script) {
        m_script->setContent(qtext(condition.expected.text()));
        return;
    }
    if (m_form == Condition::Form::Json) {
        auto typed = json::parse(utf8(m_value->text()));
        const auto *value = std::get_if<json::Value>(&typed);
        if (!value || !(*value == condition.expected))
            m_value->setValue(qtext(json::writeCompact(condition.expected)));
        return;
    }
    m_field->setWord(qtext(condition.field[0]));
    m_name->setVisible(condition.field.size() == 2);
    if (condition.field.size() == 2)
        m_name->setValue(qtext(condition.field[1]));
    m_operator->setWord(condition.word);
    const bool presence = condition.word == u"exists" || condition.word == u"absent";
    m_value->setEnabled(!presence);
    m_value->setPlaceholderText(presence                                ? QString()
                                : condition.word.endsWith(u"matches"_s) ? tr("regular expression")
                                                                        : tr("text"));
    if (presence)
        m_value->setValue({});
    else if (!(scalarValue(m_value->text(), condition.expected) == condition.expected))
        m_value->setValue(scalarText(condition.expected));
    m_case->setChecked(condition.caseSensitive);
    showParameters(condition);
}

void ConditionList::Row::showParameters(const Condition &condition)
{
    const json::Value &parameters = condition.parameters;
    const QString kind = parameters.find("xpath")      ? u"xpath"_s
                         : parameters.find("jsonpath") ? u"jsonpath"_s
                                                       : QString();
    const json::Value &selector = parameters[utf8(kind)];
    m_selectorKind->setWord(kind);
    m_selector->setVisible(!kind.isEmpty());
    m_selector->setValue(scalarText(selector["selector"]));
    m_namespaces->setVisible(kind == u"xpath");
    if (const auto typed = namespacesValue(m_namespaces->text()); typed && !(*typed == selector["ns"]))
        m_namespaces->setValue(namespacesText(selector["ns"]));
    m_except->setValue(scalarText(parameters["except"]));
    const json::Value *names = parameters.find("keyCaseSensitive");
    m_keyCase->setChecked(names ? names->isTruthy() : condition.caseSensitive);
    if (!kind.isEmpty() || parameters.find("except") || names)
        m_more->setChecked(true);
}

void ConditionList::Row::jsonEdited(const QString &text)
{
    auto parsed = json::parse(utf8(text));
    const auto *value = std::get_if<json::Value>(&parsed);
    const bool good = value && value->isObject();
    m_value->setProblem(good ? QString() : tr("Expected a predicate as JSON"));
    if (good)
        Q_EMIT m_list->predicatesEdited(
            conditions::replacedPredicate(m_list->m_predicates, condition().predicate, *value), tr("Change condition"));
}

ConditionList::ConditionList(QWidget *parent) : QWidget(parent), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
}

void ConditionList::setPredicates(const json::Value &predicates, bool tcp)
{
    m_tcp = tcp;
    m_predicates = predicates;
    m_conditions = conditions::fromPredicates(predicates);
    bool sameShape = m_conditions.size() == m_rows.size();
    for (std::size_t i = 0; sameShape && i < m_rows.size(); ++i)
        sameShape = m_rows[i]->form() == m_conditions[i].form;
    if (!sameShape) {
        rebuild();
        return;
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i]->show(m_conditions[i]);
}

void ConditionList::rebuild()
{
    clearRows(*m_layout, m_rows);
    for (std::size_t i = 0; i < m_conditions.size(); ++i) {
        m_rows.push_back(new Row(this, i));
        m_layout->addWidget(m_rows.back());
    }
}

void ConditionList::addCondition()
{
    Condition row;
    const bool hasMethod = std::any_of(m_conditions.begin(), m_conditions.end(),
                                       [](const Condition &c) { return c.field == json::Path{"method"}; });
    row.field = {m_tcp ? "data" : hasMethod ? "path" : "method"};
    row.word = m_tcp ? u"contains"_s : u"equals"_s;
    row.expected = json::Value(m_tcp ? "text" : hasMethod ? "/" : "GET");
    Q_EMIT predicatesEdited(conditions::added(m_predicates, row), tr("Add condition"));
    if (!m_rows.empty())
        m_rows.back()->focus();
}

} // namespace wardbench
