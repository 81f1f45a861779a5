#include "editors/conditionlist.h"

#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "json/parser.h"
#include "json/writer.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

/// One condition's widgets.
class ConditionList::Row : public QWidget
{
public:
    Row(ConditionList *list, std::size_t index) : QWidget(list), m_list(list), m_index(index)
    {
        auto *row = rowLayout();
        setLayout(row);
        const bool simple = condition().simple;
        if (simple) {
            buildSimple(row);
        } else {
            m_value = new TextField(tr("Condition %1 as JSON").arg(index + 1), this);
            m_value->setFont(Theme::monospace());
            row->addWidget(m_value, 1);
            QObject::connect(m_value, &TextField::edited, this, [this](const QString &text) { jsonEdited(text); });
        }
        auto *remove = removeButton(tr("Remove condition %1").arg(index + 1), this);
        row->addWidget(remove);
        QObject::connect(remove, &QToolButton::clicked, this, [this] {
            Q_EMIT m_list->predicatesEdited(conditions::removed(m_list->m_predicates, condition()), tr("Remove condition"));
        });
        show(condition());
    }

    bool isSimple() const { return m_field != nullptr; }
    void show(const Condition &condition);
    void focus() { m_value->setFocus(); }

private:
    void buildSimple(QHBoxLayout *row);
    const Condition &condition() const { return m_list->m_conditions[m_index]; }
    void change(const Condition &by, const QString &what)
    {
        Q_EMIT m_list->predicatesEdited(conditions::replaced(m_list->m_predicates, condition(), by), what);
    }
    void jsonEdited(const QString &text);

    ConditionList *m_list;
    std::size_t m_index;
    ChoiceField *m_field = nullptr;
    TextField *m_name = nullptr;
    ChoiceField *m_operator = nullptr;
    TextField *m_value = nullptr;
    QToolButton *m_case = nullptr;
};

void ConditionList::Row::buildSimple(QHBoxLayout *row)
{
    const QString number = QString::number(m_index + 1);
    m_field = new ChoiceField(tr("Condition %1: part of the request").arg(number), this);
    const std::pair<const char *, QString> fields[] = {{"method", tr("method")}, {"path", tr("path")}, {"query", tr("query")},
        {"headers", tr("header")}, {"body", tr("body")}, {"form", tr("form")}, {"requestFrom", tr("client")}, {"ip", tr("ip")}};
    for (const auto &[word, label] : fields)
        m_field->addChoice(label, QString::fromLatin1(word));
    m_name = new TextField(tr("Condition %1: name").arg(number), this);
    m_name->setPlaceholderText(tr("name"));
    m_name->setWidthInCharacters(14);
    m_operator = new ChoiceField(tr("Condition %1: operator").arg(number), this);
    for (const auto &[word, label] : conditions::operators())
        m_operator->addChoice(label, word);
    m_value = new TextField(tr("Condition %1: expected").arg(number), this);
    m_case = new QToolButton(this);
    m_case->setText(u"Aa"_s);
    m_case->setCheckable(true);
    m_case->setAutoRaise(true);
    m_case->setFocusPolicy(Qt::StrongFocus);
    m_case->setAccessibleName(tr("Condition %1: upper and lower case differ").arg(number));
    m_case->setToolTip(tr("Upper and lower case differ"));
    m_field->setFixedWidth(96);
    m_operator->setFixedWidth(144);
    row->addWidget(m_field);
    row->addWidget(m_name);
    row->addWidget(m_operator);
    row->addWidget(m_value, 1);
    row->addWidget(m_case);

    QObject::connect(m_field, &ChoiceField::chosen, this, [this](const QString &word) {
        Condition by = condition();
        by.field = {utf8(word)};
        if (word == u"query" || word == u"headers" || word == u"form")
            by.field.push_back(condition().field.size() == 2 ? condition().field[1] : "name");
        if (!by.expected.isString() && !by.expected.isNumber())
            by.expected = json::Value("");
        change(by, tr("Change condition"));
    });
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
        const bool document = by.field.size() == 1 && by.field[0] == "body" && (text.startsWith(u'{') || text.startsWith(u'['));
        by.expected = scalarValue(text, document ? json::Value::object() : by.expected);
        change(by, tr("Change condition"));
    });
    QObject::connect(m_case, &QToolButton::clicked, this, [this](bool checked) {
        Condition by = condition();
        by.caseSensitive = checked;
        change(by, tr("Change case sensitivity"));
    });
}

void ConditionList::Row::show(const Condition &condition)
{
    if (!isSimple()) {
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
    m_value->setPlaceholderText(presence ? QString() : condition.word.endsWith(u"matches"_s) ? tr("regular expression") : tr("text"));
    if (presence)
        m_value->setValue({});
    else if (!(scalarValue(m_value->text(), condition.expected) == condition.expected))
        m_value->setValue(scalarText(condition.expected));
    m_case->setChecked(condition.caseSensitive);
}

void ConditionList::Row::jsonEdited(const QString &text)
{
    auto parsed = json::parse(utf8(text));
    const auto *value = std::get_if<json::Value>(&parsed);
    const bool good = value && value->isObject();
    m_value->setProblem(good ? QString() : tr("Expected a predicate as JSON"));
    if (good)
        Q_EMIT m_list->predicatesEdited(conditions::replacedPredicate(m_list->m_predicates, condition().predicate, *value),
                                        tr("Change condition"));
}

ConditionList::ConditionList(QWidget *parent) : QWidget(parent), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
}

void ConditionList::setPredicates(const json::Value &predicates)
{
    m_predicates = predicates;
    m_conditions = conditions::fromPredicates(predicates);
    bool sameShape = m_conditions.size() == m_rows.size();
    for (std::size_t i = 0; sameShape && i < m_rows.size(); ++i)
        sameShape = m_rows[i]->isSimple() == m_conditions[i].simple;
    if (!sameShape) {
        rebuild();
        return;
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i]->show(m_conditions[i]);
}

void ConditionList::rebuild()
{
    for (Row *row : m_rows) {
        m_layout->removeWidget(row);
        row->hide();
        row->deleteLater(); // its button's signal may be on the stack
    }
    m_rows.clear();
    for (std::size_t i = 0; i < m_conditions.size(); ++i) {
        m_rows.push_back(new Row(this, i));
        m_layout->addWidget(m_rows.back());
    }
}

void ConditionList::addCondition()
{
    Condition row;
    const bool hasMethod = std::any_of(m_conditions.begin(), m_conditions.end(),
                                       [](const Condition &c) { return c.simple && c.field == json::Path{"method"}; });
    row.field = {hasMethod ? "path" : "method"};
    row.word = u"equals"_s;
    row.expected = json::Value(hasMethod ? "/" : "GET");
    Q_EMIT predicatesEdited(conditions::added(m_predicates, row), tr("Add condition"));
    if (!m_rows.empty())
        m_rows.back()->focus();
}

/// One header's widgets.
class HeaderRows::Row : public QWidget
{
public:
    Row(HeaderRows *list, std::size_t index) : QWidget(list)
    {
        auto *row = rowLayout();
        setLayout(row);
        name = new TextField(tr("%1 %2: name").arg(list->m_name).arg(index + 1), this);
        name->setWidthInCharacters(20);
        name->setPlaceholderText(tr("Name"));
        value = new TextField(tr("%1 %2: value").arg(list->m_name).arg(index + 1), this);
        value->setPlaceholderText(tr("value"));
        auto *remove = removeButton(tr("Remove %1 %2").arg(list->m_name.toLower()).arg(index + 1), this);
        row->addWidget(name);
        row->addWidget(value, 1);
        row->addWidget(remove);
        QObject::connect(name, &TextField::edited, list, [list, index](const QString &text) { list->changeMember(index, &text, nullptr); });
        QObject::connect(value, &TextField::edited, list, [list, index](const QString &text) { list->changeMember(index, nullptr, &text); });
        QObject::connect(remove, &QToolButton::clicked, list, [list, index] { list->changeMember(index, nullptr, nullptr); });
    }

    TextField *name;
    TextField *value;
};

HeaderRows::HeaderRows(const QString &accessibleName, QWidget *parent)
    : QWidget(parent), m_name(accessibleName), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
}

void HeaderRows::setHeaders(const json::Value &headers)
{
    m_headers = headers;
    if (headers.size() != m_rows.size())
        rebuild();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const auto &[name, value] = headers.members()[i];
        if (!m_rows[i]->name->hasFocus() || m_rows[i]->name->toolTip().isEmpty())
            m_rows[i]->name->setValue(qtext(name));
        if (!(scalarValue(m_rows[i]->value->text(), value) == value))
            m_rows[i]->value->setValue(scalarText(value));
    }
    setVisible(!m_rows.empty());
}

void HeaderRows::rebuild()
{
    for (Row *row : m_rows) {
        m_layout->removeWidget(row);
        row->hide();
        row->deleteLater();
    }
    m_rows.clear();
    for (std::size_t i = 0; i < m_headers.size(); ++i) {
        m_rows.push_back(new Row(this, i));
        m_layout->addWidget(m_rows.back());
    }
}

// No name and no value: the row goes.
void HeaderRows::changeMember(std::size_t index, const QString *name, const QString *value)
{
    json::Members members = m_headers.members();
    if (index >= members.size())
        return;
    QString what = tr("Change header");
    if (name) {
        const bool taken = std::any_of(members.begin(), members.end(), [&](const json::Member &other) {
            return &other != &members[index] && other.first == utf8(*name);
        });
        m_rows[index]->name->setProblem(name->isEmpty() ? tr("Expected a name")
                                            : taken ? tr("There is such a header already; give it a list value")
                                                    : QString());
        if (name->isEmpty() || taken)
            return;
        members[index].first = utf8(*name);
    } else if (value) {
        members[index].second = scalarValue(*value, members[index].second);
    } else {
        members.erase(members.begin() + static_cast<std::ptrdiff_t>(index));
        what = tr("Remove header");
    }
    Q_EMIT headersEdited(json::Value(std::move(members)), what);
}

void HeaderRows::addHeader()
{
    std::string name = "Content-Type";
    for (int i = 1; m_headers.find(name); ++i)
        name = i == 1 ? "X-Header" : "X-Header-" + std::to_string(i);
    const json::Value headers = m_headers.isObject() ? m_headers : json::Value::object();
    Q_EMIT headersEdited(headers.withMember(name, json::Value(name == "Content-Type" ? "application/json" : "")), tr("Add header"));
    if (!m_rows.empty()) {
        m_rows.back()->name->setFocus();
        m_rows.back()->name->selectAll();
    }
}

} // namespace wardbench
