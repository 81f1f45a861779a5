#pragma once

#include "json/value.h"
#include "model/workspace.h"

#include <QWidget>

class QVBoxLayout;

namespace wardbench {

/// A list of rows bound to a JSON list or object of a scenario. Says what it shall be; shows what the document holds.
class ScenarioRows : public QWidget
{
    Q_OBJECT

public:
    explicit ScenarioRows(QWidget *parent);

Q_SIGNALS:
    void edited(const wardbench::json::Value &value, const QString &what);

protected:
    void setRowCount(std::size_t count);
    virtual QWidget *makeRow(std::size_t index) = 0;
    QWidget *row(std::size_t index) const { return m_rows[index]; }
    std::size_t rowCount() const { return m_rows.size(); }
    void rebuild();

private:
    std::vector<QWidget *> m_rows;
    QVBoxLayout *m_layout;
};

/// `variables`: name, type, the type's parameters, a few values.
class VariableRows : public ScenarioRows
{
    Q_OBJECT

public:
    explicit VariableRows(QWidget *parent) : ScenarioRows(parent) {}
    void show(const json::Value &variables, const Scenario &scenario);
    void add();

protected:
    QWidget *makeRow(std::size_t index) override;

private:
    class Row;
    void setMember(std::size_t index, const std::string &name, const json::Value &value, const QString &what);
    json::Value m_variables;
};

/// `contestants`: name, policy, its modules; the first is the baseline.
class ContestantRows : public ScenarioRows
{
    Q_OBJECT

public:
    explicit ContestantRows(QWidget *parent) : ScenarioRows(parent) {}
    void show(const json::Value &contestants, const Workspace &workspace);
    void add();

Q_SIGNALS:
    void policyRequested(const QString &name);

protected:
    QWidget *makeRow(std::size_t index) override;

private:
    class Row;
    void setPart(std::size_t index, const char *member, const json::Value &value, const QString &what);
    json::Value m_contestants;
};

/// `thresholds`: contestant, metric, expression.
class ThresholdRows : public ScenarioRows
{
    Q_OBJECT

public:
    explicit ThresholdRows(QWidget *parent) : ScenarioRows(parent) {}
    void show(const json::Value &thresholds, const Scenario &scenario);
    void add();

protected:
    QWidget *makeRow(std::size_t index) override;

private:
    class Row;
    struct Entry
    {
        std::string contestant, metric, expression;
    };
    void publish(const QString &what);
    std::vector<Entry> m_entries;
    QStringList m_contestants;
};

} // namespace wardbench
