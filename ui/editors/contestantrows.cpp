#include "editors/fields.h"
#include "editors/jsonfields.h"
#include "editors/scenariorows.h"
#include "widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace wardbench {

using namespace Qt::StringLiterals;

class ContestantRows::Row : public QWidget
{
public:
    Row(ContestantRows *list, std::size_t index) : QWidget(list), m_list(list), m_index(index)
    {
        auto *row = rowLayout();
        setLayout(row);
        auto *role = mutedLabel(index == 0 ? tr("baseline") : QString(), this);
        role->setFixedWidth(64);
        m_name = new TextField(tr("Contestant %1: name").arg(index + 1), this);
        m_name->setMinimumWidth(160);
        m_policy = new ChoiceField(tr("Contestant %1: policy").arg(index + 1), this);
        m_policy->setMinimumWidth(160);
        m_modules = mutedLabel({}, this);
        m_edit = new QPushButton(tr("Edit policy"), this);
        m_edit->setAccessibleName(tr("Edit the policy of contestant %1").arg(index + 1));
        m_remove = removeButton(tr("Remove contestant %1").arg(index + 1), this);
        row->addWidget(role);
        row->addWidget(m_name);
        row->addWidget(m_policy);
        row->addWidget(m_modules, 1);
        row->addWidget(m_edit);
        row->addWidget(m_remove);
        QObject::connect(m_name, &TextField::edited, this, [this](const QString &text) {
            m_name->setProblem(text.isEmpty() ? tr("Expected a name") : QString());
            if (!text.isEmpty())
                m_list->setPart(m_index, "name", json::Value(utf8(text)), tr("Rename contestant"));
        });
        QObject::connect(m_policy, &ChoiceField::chosen, this, [this](const QString &name) {
            m_list->setPart(m_index, "policy", name.isEmpty() ? json::Value() : json::Value(utf8(name)), tr("Change policy"));
        });
        QObject::connect(m_edit, &QPushButton::clicked, this, [this] { Q_EMIT m_list->policyRequested(m_policy->word()); });
        QObject::connect(m_remove, &QToolButton::clicked, this, [this] {
            Q_EMIT m_list->edited(m_list->m_contestants.withoutItem(m_index), tr("Remove contestant"));
        });
    }

    void show(const Workspace &workspace)
    {
        const json::Value &contestant = m_list->m_contestants.at(m_index);
        m_name->setValue(qtext(contestant["name"].text()));
        m_policy->clear();
        m_policy->addChoice(tr("none"), {});
        for (const PolicyPtr &policy : workspace.policies)
            m_policy->addChoice(qtext(policy->name), qtext(policy->name));
        const QString name = qtext(contestant["policy"].text());
        m_policy->setWord(name);
        const PolicyPtr policy = workspace.policy(utf8(name));
        QString modules = policy ? qtext(policy->moduleList()) : u"-"_s;
        if (policy && (policy->holder || policy->cache))
            modules += tr(", key %1").arg(policy->identifier.empty() ? tr("everything") : qtext(policy->identifier));
        m_modules->setText(name.isEmpty() || policy ? modules : tr("no policy of this name"));
        m_edit->setEnabled(policy != nullptr);
        m_remove->setEnabled(m_list->m_contestants.size() > 1);
    }

private:
    ContestantRows *m_list;
    std::size_t m_index;
    TextField *m_name;
    ChoiceField *m_policy;
    QLabel *m_modules;
    QPushButton *m_edit;
    QToolButton *m_remove;
};

void ContestantRows::show(const json::Value &contestants, const Workspace &workspace)
{
    m_contestants = contestants;
    setRowCount(contestants.size());
    for (std::size_t i = 0; i < rowCount(); ++i)
        static_cast<Row *>(row(i))->show(workspace);
}

QWidget *ContestantRows::makeRow(std::size_t index)
{
    return new Row(this, index);
}

void ContestantRows::setPart(std::size_t index, const char *member, const json::Value &value, const QString &what)
{
    const json::Value &contestant = m_contestants.at(index);
    Q_EMIT edited(m_contestants.withItem(index, value.isNull() ? contestant.withoutMember(member) : contestant.withMember(member, value)),
                  what);
}

void ContestantRows::add()
{
    const json::Value list = m_contestants.isArray() ? m_contestants : json::Value::array();
    std::string name = list.size() == 0 ? "Bare client" : "Warden";
    const auto taken = [&] {
        return std::any_of(list.items().begin(), list.items().end(), [&](const json::Value &other) { return other["name"].text() == name; });
    };
    for (int i = 2; taken(); ++i)
        name = "Warden " + std::to_string(i);
    Q_EMIT edited(list.withItemInserted(list.size(), json::Value(json::Members{{"name", json::Value(name)}})), tr("Add contestant"));
}

} // namespace wardbench
