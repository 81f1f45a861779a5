#pragma once

#include "editors/scintilla.h"

namespace wardbench {

/// A QScintilla editor in the theme's colours: line numbers, JSON highlighting, an underline where JSON breaks.
class CodeEditor : public QsciScintilla
{
    Q_OBJECT

public:
    CodeEditor(const QString &accessibleName, QWidget *parent = nullptr);

    enum class Language { Text, Json };
    void setLanguage(Language language);
    /// Replaces the content, keeping cursor and scroll when it is the same text already. Does not say `edited`.
    void setContent(const QString &text);
    /// Underlines the character at line and column (from 1); 0 takes the mark away.
    void setProblemAt(int line, int column);

Q_SIGNALS:
    void edited(const QString &text); ///< by a person

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void recolour();

    QsciLexerJSON *m_json;
    Language m_language = Language::Text;
    bool m_quiet = false;
    int m_problem;
};

} // namespace wardbench
