#pragma once

#include "json/pointer.h"
#include "json/value.h"

#include <QString>
#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace wardbench {

/// A proxy's `predicateGenerators`: which parts of a request become the conditions of the stub that is recorded.
class GeneratorList : public QWidget
{
    Q_OBJECT

public:
    explicit GeneratorList(QWidget *parent = nullptr);
    /// `tcp`: requests have `data` and nothing else.
    void setGenerators(const json::Value &generators, bool tcp);

Q_SIGNALS:
    /// Set `value` at `path` below the list; an empty path is the list itself, Null removes.
    void edited(const QString &what, const wardbench::json::Path &path, const wardbench::json::Value &value);

private:
    class Row;
    void add(const json::Value &generator);

    json::Value m_generators;
    std::vector<Row *> m_rows;
    QVBoxLayout *m_layout;
    bool m_tcp = false;
};

} // namespace wardbench
