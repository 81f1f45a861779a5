#pragma once

#include "json/pointer.h"
#include "json/value.h"

#include <QString>
#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace wardbench {

class ChoiceField;
class TextField;

/// A part of the request as copy and lookup name it: "path", or { "query": "id" }.
class RequestPartField : public QWidget
{
    Q_OBJECT

public:
    explicit RequestPartField(const QString &accessibleName, QWidget *parent = nullptr);
    void setPart(const json::Value &part);

Q_SIGNALS:
    void partEdited(const wardbench::json::Value &part);

private:
    void publish();

    ChoiceField *m_field;
    TextField *m_name;
    json::Value m_part;
};

/// The behaviors of an answer in their order, each with its form.
class BehaviorList : public QWidget
{
    Q_OBJECT

public:
    explicit BehaviorList(QWidget *parent = nullptr);
    void setAnswer(const json::Value &answer);

Q_SIGNALS:
    /// Set `value` at `path` below the answer; an empty path is the whole answer, Null removes.
    void edited(const QString &what, const wardbench::json::Path &path, const wardbench::json::Value &value);

private:
    class Row;
    void setList(const QString &what, const json::Value &list);
    void setPart(std::size_t index, const QString &what, const json::Path &path, const json::Value &value);
    void add(const QString &kind);
    void move(std::size_t index, int by);
    void remove(std::size_t index);

    json::Value m_answer, m_list;
    std::vector<Row *> m_rows;
    QVBoxLayout *m_layout;
    QPushButton *m_add;
    QLabel *m_none;
};

} // namespace wardbench
