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
    void setPredicates(const json::Value &predicates);
    void addCondition();

Q_SIGNALS:
    void predicatesEdited(const wardbench::json::Value &predicates, const QString &what);

private:
    class Row;
    void rebuild();

    json::Value m_predicates;
    std::vector<Condition> m_conditions;
    std::vector<Row *> m_rows;
    QVBoxLayout *m_layout;
};

/// Rows of name and value for headers: order kept, names may repeat only as a list value.
class HeaderRows : public QWidget
{
    Q_OBJECT

public:
    explicit HeaderRows(const QString &accessibleName, QWidget *parent = nullptr);
    void setHeaders(const json::Value &headers);
    void addHeader();

Q_SIGNALS:
    void headersEdited(const wardbench::json::Value &headers, const QString &what);

private:
    class Row;
    void rebuild();
    void changeMember(std::size_t index, const QString *name, const QString *value);

    QString m_name;
    json::Value m_headers;
    std::vector<Row *> m_rows;
    QVBoxLayout *m_layout;
};

} // namespace wardbench
