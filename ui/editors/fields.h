#pragma once

#include "json/value.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSpinBox>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace wardbench {

/// A line of text that says `edited` while a person types, and takes values from the document without losing the
/// cursor when nothing changed.
class TextField : public QLineEdit
{
    Q_OBJECT

public:
    explicit TextField(const QString &accessibleName, QWidget *parent = nullptr);
    void setValue(const QString &text);
    /// A wrong content gets the bad colour's border and this as its tool tip; empty takes it away.
    void setProblem(const QString &problem);
    void setWidthInCharacters(int characters);

Q_SIGNALS:
    void edited(const QString &text);
};

/// A whole number; no buttons, the wheel only when it has the focus, digits grouped.
class NumberField : public QSpinBox
{
    Q_OBJECT

public:
    NumberField(const QString &accessibleName, int low, int high, QWidget *parent = nullptr);
    void setNumber(int number);
    void setWidthInCharacters(int characters);

Q_SIGNALS:
    void edited(int number);

protected:
    void wheelEvent(QWheelEvent *event) override;
};

/// A duration as the file takes it; empty is Null where `optional`. Says `edited` only when it makes sense.
class DurationField : public TextField
{
    Q_OBJECT

public:
    DurationField(const QString &accessibleName, bool optional, QWidget *parent = nullptr);
    void setDuration(const json::Value &value);

Q_SIGNALS:
    void durationEdited(const wardbench::json::Value &value);

private:
    bool m_optional;
};

/// A fixed choice; item data are the file's words. Unknown words are shown as they are.
class ChoiceField : public QComboBox
{
    Q_OBJECT

public:
    explicit ChoiceField(const QString &accessibleName, QWidget *parent = nullptr);
    void addChoice(const QString &text, const QString &word);
    void setWord(const QString &word);
    QString word() const { return currentData().toString(); }

Q_SIGNALS:
    void chosen(const QString &word);

protected:
    void wheelEvent(QWheelEvent *event) override;
};

/// Of the column of labels left of the fields, so that the sections of a page line up.
inline constexpr int labelWidth = 96;
inline constexpr int fieldWidth = 240; ///< at least, of the column beside the labels

/// A small button that removes its row.
QToolButton *removeButton(const QString &accessibleName, QWidget *parent);
/// A secondary text in the muted colour, following the theme.
QLabel *mutedLabel(const QString &text, QWidget *parent);
/// A heading of a section.
QLabel *sectionLabel(const QString &text, QWidget *parent);
/// A hairline between sections.
QWidget *sectionLine(QWidget *parent);
/// A row without margins, 8 pixels between its parts.
QHBoxLayout *rowLayout();

} // namespace wardbench
