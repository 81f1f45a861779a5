#include "editors/fields.h"
#include "editors/scenariorows.h"
#include "widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QToolButton>

namespace wardbench {

using namespace Qt::StringLiterals;

class ThresholdRows::Row : public QWidget
{
public:
    Row(ThresholdRows *list, std::size_t index) : QWidget(list), m_list(list), m_index(index)
    {
        auto *row = rowLayout();
        setLayout(row);
        m_contestant = new ChoiceField(tr("Threshold %1: contestant").arg(index + 1), this);
        m_contestant->setMinimumWidth(160);
        m_metric = new ChoiceField(tr("Threshold %1: metric").arg(index + 1), this);
        const std::pair<const char *, QString> metrics[] = {{"errors", tr("errors")}, {"latency", tr("latency, ms")},
            {"upstream", tr("upstream hits per run")}, {"speedup", tr("speed-up")}};
        for (const auto &[word, label] : metrics)
            m_metric->addChoice(label, QString::fromLatin1(word));
        m_expression = new TextField(tr("Threshold %1: expression").arg(index + 1), this);
        m_expression->setWidthInCharacters(18);
        m_hint = mutedLabel({}, this);
        auto *remove = removeButton(tr("Remove threshold %1").arg(index + 1), this);
        row->addWidget(m_contestant);
        row->addWidget(m_metric);
        row->addWidget(m_expression);
        row->addWidget(m_hint, 1);
        row->addWidget(remove);
        QObject::connect(m_contestant, &ChoiceField::chosen, this, [this](const QString &word) {
            entry().contestant = utf8(word);
            m_list->publish(tr("Change threshold"));
        });
        QObject::connect(m_metric, &ChoiceField::chosen, this, [this](const QString &word) {
            entry().metric = utf8(word);
            entry().expression = word == u"latency" ? "p(95)<100" : word == u"speedup" ? "value>1" : "rate<0.01";
            m_list->publish(tr("Change threshold"));
        });
        QObject::connect(m_expression, &TextField::edited, this, [this](const QString &text) {
            static const QRegularExpression form(u"^\\s*(avg|min|max|med|count|rate|value|p\\(\\d+(\\.\\d+)?\\))\\s*"
                                                 "(<=?|>=?|===?|!=)\\s*-?\\d+(\\.\\d+)?\\s*$"_s);
            const bool good = form.match(text).hasMatch();
            m_expression->setProblem(good ? QString() : tr("Expected a form like rate<0.01, p(95)<60 or value>1.5"));
            if (!good)
                return;
            entry().expression = utf8(text.trimmed());
            m_list->publish(tr("Change threshold"));
        });
        QObject::connect(remove, &QToolButton::clicked, this, [this] {
            m_list->m_entries.erase(m_list->m_entries.begin() + static_cast<std::ptrdiff_t>(m_index));
            m_list->publish(tr("Remove threshold"));
        });
    }

    void show()
    {
        m_contestant->clear();
        m_contestant->addChoice(tr("every contestant"), u"*"_s);
        for (const QString &name : m_list->m_contestants)
            m_contestant->addChoice(name, name);
        m_contestant->setWord(qtext(entry().contestant));
        m_metric->setWord(qtext(entry().metric));
        m_expression->setValue(qtext(entry().expression));
    }

private:
    Entry &entry() { return m_list->m_entries[m_index]; }

    ThresholdRows *m_list;
    std::size_t m_index;
    ChoiceField *m_contestant, *m_metric;
    TextField *m_expression;
    QLabel *m_hint;
};

void ThresholdRows::show(const json::Value &thresholds, const Scenario &scenario)
{
    m_contestants.clear();
    for (const Contestant &contestant : scenario.contestants)
        m_contestants << qtext(contestant.name);
    m_entries.clear();
    for (const auto &[contestant, metrics] : thresholds.members()) {
        for (const auto &[metric, expressions] : metrics.members()) {
            for (const json::Value &expression : expressions.items())
                m_entries.push_back({contestant, metric, expression.text()});
        }
    }
    setRowCount(m_entries.size());
    for (std::size_t i = 0; i < rowCount(); ++i)
        static_cast<Row *>(row(i))->show();
}

QWidget *ThresholdRows::makeRow(std::size_t index)
{
    return new Row(this, index);
}

// Rows back into { contestant: { metric: [expression, ...] } }, in the order in which they stand.
void ThresholdRows::publish(const QString &what)
{
    json::Value all = json::Value::object();
    for (const Entry &entry : m_entries) {
        const json::Value metrics = all[entry.contestant].isObject() ? all[entry.contestant] : json::Value::object();
        const json::Value list = metrics[entry.metric].isArray() ? metrics[entry.metric] : json::Value::array();
        all = all.withMember(entry.contestant,
                             metrics.withMember(entry.metric, list.withItemInserted(list.size(), json::Value(entry.expression))));
    }
    Q_EMIT edited(all.size() ? all : json::Value(), what);
}

void ThresholdRows::add()
{
    m_entries.push_back({m_contestants.isEmpty() ? "*" : utf8(m_contestants.last()), "errors", "rate<0.01"});
    publish(tr("Add threshold"));
}

} // namespace wardbench
