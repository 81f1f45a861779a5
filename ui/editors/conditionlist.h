#pragma once

#include "editors/conditions.h"

#include <QWidget>

class QVBoxLayout;

namespace wardbench {

/// The rows of a stub's "When". Says what the list of predicates shall be; shows what the document then holds.
class ConditionList : public QWidget
{
    Q_OBJECT

public:
    explicit ConditionList(QWidget *parent = nullptr);
    /// `tcp`: requests have `data` and nothing else.
    void setPredicates(const json::Value &predicates, bool tcp = false);
    void addCondition();

Q_SIGNALS:
    void predicatesEdited(const wardbench::json::Value &predicates, const QString &what);

private:
    class Row;
    void rebuild();

    bool m_tcp = false;
    json::Value m_predicates;
    std::vector<Condition> m_conditions;
    std::vector<Row *> m_rows;
    QVBoxLayout *m_layout;
};

} // namespace wardbench
