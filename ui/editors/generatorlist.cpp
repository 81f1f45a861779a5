#include "editors/generatorlist.h"

#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "editors/memberform.h"
#include "editors/rowlist.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

const char *const newScript = "function (config) {\n  return [{ equals: { path: config.request.path } }];\n}";

json::Value newGenerator(const char *field)
{
    return json::Value(json::Members{{"matches", json::Value(json::Members{{field, json::Value(true)}})}});
}

} // namespace

/// One generator: the fields that are matched, and its parameters.
class GeneratorList::Row : public QWidget
{
public:
    Row(GeneratorList *list, std::size_t index, bool script, bool tcp);
    void show(const json::Value &generator);
    void focus() { (m_fields.empty() ? static_cast<QWidget *>(m_form) : m_fields.front().second)->setFocus(); }

    const bool isScript;
    const bool isTcp;

private:
    void buildFields(GeneratorList *list, QHBoxLayout *row);
    void buildParameters();

    std::size_t m_index;
    QString m_name;
    std::vector<std::pair<std::string, QCheckBox *>> m_fields;
    QToolButton *m_more = nullptr;
    MemberForm *m_form;
};

GeneratorList::Row::Row(GeneratorList *list, std::size_t index, bool script, bool tcp)
    : QWidget(list), isScript(script), isTcp(tcp), m_index(index), m_name(tr("Generator %1").arg(index + 1)),
      m_form(new MemberForm(this, m_name))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    auto *row = rowLayout();
    if (script)
        row->addWidget(mutedLabel(tr("a script makes the conditions"), this));
    else
        buildFields(list, row);
    row->addStretch();
    if (!script) {
        m_more = new QToolButton(this);
        m_more->setText(tr("More"));
        m_more->setCheckable(true);
        m_more->setAutoRaise(true);
        m_more->setFocusPolicy(Qt::StrongFocus);
        m_more->setAccessibleName(tr("%1: more parameters").arg(m_name));
        row->addWidget(m_more);
        QObject::connect(m_more, &QToolButton::toggled, m_form, &QWidget::setVisible);
    }
    auto *gone = removeButton(tr("%1: remove").arg(m_name), this);
    row->addWidget(gone);
    layout->addLayout(row);
    buildParameters();
    layout->addWidget(m_form);
    m_form->setVisible(script);
    QObject::connect(m_form, &MemberForm::edited, list,
                     [list, index](const QString &what, const json::Path &path, const json::Value &value) {
                         json::Path whole{std::to_string(index)};
                         whole.insert(whole.end(), path.begin(), path.end());
                         Q_EMIT list->edited(what, whole, value);
                     });
    QObject::connect(gone, &QToolButton::clicked, list, [list, index] {
        const json::Value rest = list->m_generators.withoutItem(index);
        Q_EMIT list->edited(tr("Remove predicate generator"), {}, rest.size() ? rest : json::Value());
    });
}

void GeneratorList::Row::buildFields(GeneratorList *list, QHBoxLayout *row)
{
    const std::vector<std::pair<std::string, QString>> http{{"method", tr("method")},
                                                            {"path", tr("path")},
                                                            {"query", tr("query")},
                                                            {"headers", tr("headers")},
                                                            {"body", tr("body")}};
    const std::vector<std::pair<std::string, QString>> tcp{{"data", tr("data")}};
    for (const auto &[field, label] : isTcp ? tcp : http) {
        auto *box = new QCheckBox(label, this);
        box->setAccessibleName(tr("%1: %2").arg(m_name, label));
        row->addWidget(box);
        m_fields.emplace_back(field, box);
        QObject::connect(box, &QCheckBox::clicked, list, [list, index = m_index, field = field](bool on) {
            Q_EMIT list->edited(tr("Change predicate generator"), {std::to_string(index), "matches", field},
                                on ? json::Value(true) : json::Value());
        });
    }
}

void GeneratorList::Row::buildParameters()
{
    if (isScript) {
        m_form->addScript(tr("Script"), {"inject"}, tr("returns the conditions of config.request"),
                          MemberForm::Empty::Stays);
        return;
    }
    m_form->addFlag(tr("Upper and lower case differ"), {"caseSensitive"});
    m_form->addChoice(tr("Operator"), {"predicateOperator"},
                      {{u"equals"_s, tr("equals; deep equals for the body and lists")},
                       {u"deepEquals"_s, tr("deep equals")},
                       {u"contains"_s, tr("contains")},
                       {u"startsWith"_s, tr("starts with")},
                       {u"endsWith"_s, tr("ends with")},
                       {u"matches"_s, tr("matches")},
                       {u"exists"_s, tr("is present")}});
    m_form->addText(tr("Except"), {"except"}, tr("a regular expression; what it finds is taken out"));
    m_form->addText(tr("JSONPath"), {"jsonpath", "selector"}, tr("what of the body is matched"));
    m_form->addText(tr("XPath"), {"xpath", "selector"}, tr("the same for XML"));
    m_form->addNamespaces(tr("Namespaces"), {"xpath", "ns"});
}

void GeneratorList::Row::show(const json::Value &generator)
{
    for (const auto &[field, box] : m_fields) {
        const json::Value &value = generator["matches"][field];
        const bool parts = value.isObject() && value.size() > 0;
        box->setTristate(false);
        box->setCheckState(parts ? Qt::PartiallyChecked : value.isTruthy() ? Qt::Checked : Qt::Unchecked);
        QStringList names;
        for (const auto &[name, wanted] : value.members())
            names << qtext(name);
        box->setToolTip(parts ? tr("only %1").arg(names.join(u", "_s)) : QString());
    }
    m_form->setObject(generator);
    bool more = isScript;
    for (const char *name : {"caseSensitive", "predicateOperator", "except", "jsonpath", "xpath"})
        more = more || generator.find(name);
    if (m_more && more)
        m_more->setChecked(true);
}

GeneratorList::GeneratorList(QWidget *parent) : QWidget(parent), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(8);
    auto *row = rowLayout();
    auto *fields = new QPushButton(Theme::icon(u"plus"_s), tr("Generator"), this);
    fields->setAccessibleName(tr("Add predicate generator"));
    auto *script = new QPushButton(Theme::icon(u"plus"_s), tr("Script"), this);
    script->setAccessibleName(tr("Add predicate generator that is a script"));
    row->addWidget(fields);
    row->addWidget(script);
    row->addWidget(mutedLabel(tr("what of a request becomes the conditions"), this));
    row->addStretch();
    m_layout->addLayout(row);
    connect(fields, &QPushButton::clicked, this, [this] { add(newGenerator(m_tcp ? "data" : "path")); });
    connect(script, &QPushButton::clicked, this, [this] {
        add(json::Value(json::Members{{"inject", json::Value(newScript)}}));
    });
}

void GeneratorList::setGenerators(const json::Value &generators, bool tcp)
{
    m_generators = generators.isArray() ? generators : json::Value::array();
    m_tcp = tcp;
    const auto isScript = [this](std::size_t i) {
        return m_generators.at(i).find("inject") != nullptr;
    };
    bool same = m_generators.size() == m_rows.size();
    for (std::size_t i = 0; same && i < m_rows.size(); ++i)
        same = m_rows[i]->isScript == isScript(i) && m_rows[i]->isTcp == tcp;
    if (!same) {
        clearRows(*m_layout, m_rows);
        for (std::size_t i = 0; i < m_generators.size(); ++i) {
            m_rows.push_back(new Row(this, i, isScript(i), tcp));
            m_layout->insertWidget(static_cast<int>(i), m_rows.back());
        }
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        m_rows[i]->show(m_generators.at(i));
}

void GeneratorList::add(const json::Value &generator)
{
    Q_EMIT edited(tr("Add predicate generator"), {}, m_generators.withItemInserted(m_generators.size(), generator));
    if (!m_rows.empty())
        m_rows.back()->focus();
}

} // namespace wardbench
