#pragma once

#include "json/value.h"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace wardbench {

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
