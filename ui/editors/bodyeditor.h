#pragma once

#include "json/value.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace wardbench {

class ChoiceField;
class CodeEditor;
class TextField;

/// A body as the file keeps it: text as it is sent, JSON as a tree, bytes as base64, or the name of
/// a file. Checks JSON while a person types;
/// broken JSON is kept as text, so that what was typed is saved and served.
class BodyEditor : public QWidget
{
    Q_OBJECT

public:
    enum class Form { Text, Json, Base64, File };

    /// `ofAnswer`: the choice has base64 and files (the bodies of requests have neither).
    BodyEditor(const QString &accessibleName, bool ofAnswer, QWidget *parent = nullptr);
    /// Shows `body` (Null: none). `fresh`: another body than before, so the choice of form starts anew. `file`: the
    /// name of the file that is sent instead; empty for none.
    void setBody(const json::Value &body, bool binary, bool fresh, const QString &file = {});
    /// Where files are chosen from: the workspace's folder; empty while it has none.
    void setFolder(const QString &folder) { m_folder = folder; }
    /// Underlines a place in the text (from 1); 0 takes the mark away. JSON that breaks has its own.
    void markProblem(int line, int column);
    void flush(); ///< says what was typed last now rather than in a moment

Q_SIGNALS:
    void bodyEdited(const wardbench::json::Value &body);
    void binaryChosen(bool binary, const wardbench::json::Value &body);
    void fileEdited(const QString &name); ///< empty: the body is in the workspace again

private:
    void formChosen(const QString &word);
    void textEdited();
    void publish();
    void check();
    void format();
    void showForm();
    void chooseFile();
    json::Value typedValue() const;

    ChoiceField *m_choice;
    QLabel *m_state;
    QPushButton *m_format;
    CodeEditor *m_editor;
    QWidget *m_frame, *m_fileRow;
    TextField *m_file;
    QString m_folder;
    Form m_form = Form::Text;
    bool m_broken = false; ///< the JSON is
    QTimer m_later;
};

} // namespace wardbench
