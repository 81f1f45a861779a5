#pragma once

#include "json/value.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace wardbench {

class ChoiceField;
class CodeEditor;

/// A body as the file keeps it: text as it is sent, JSON as a tree, or bytes as base64. Checks JSON while a person types;
/// broken JSON is kept as text, so that what was typed is saved and served.
class BodyEditor : public QWidget
{
    Q_OBJECT

public:
    enum class Form { Text, Json, Base64 };

    /// `offersBase64`: the choice has it (answers do, requests do not).
    BodyEditor(const QString &accessibleName, bool offersBase64, QWidget *parent = nullptr);
    /// Shows `body` (Null: none). `fresh`: another body than before, so the choice of form starts anew.
    void setBody(const json::Value &body, bool binary, bool fresh);
    void flush(); ///< says what was typed last now rather than in a moment

Q_SIGNALS:
    void bodyEdited(const wardbench::json::Value &body);
    void binaryChosen(bool binary, const wardbench::json::Value &body);

private:
    void formChosen(const QString &word);
    void textEdited();
    void publish();
    void check();
    void format();
    json::Value typedValue() const;

    ChoiceField *m_choice;
    QLabel *m_state;
    QPushButton *m_format;
    CodeEditor *m_editor;
    Form m_form = Form::Text;
    QTimer m_later;
};

} // namespace wardbench
