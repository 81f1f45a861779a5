#pragma once

#include "editors/scintilla.h"

namespace wardbench {

/// A QScintilla editor in the theme's colours: line numbers, JSON and JavaScript
/// highlighting, an underline where JSON breaks.
class CodeEditor : public QsciScintilla
{
    Q_OBJECT

public:
    CodeEditor(const QString &accessibleName, QWidget *parent = nullptr);

    enum class Language { Text, Json, JavaScript };
    void setLanguage(Language language);
    /// Replaces the content, keeping cursor and scroll when it is the same text already. Does not say `edited`.
    void setContent(const QString &text);
    /// Underlines the character at line and column (from 1); 0 takes the mark away.
    void setProblemAt(int line, int column);
    /// Ctrl+Enter is `submitted` rather than the window's.
    void setSubmits(bool submits) { m_submits = submits; }

Q_SIGNALS:
    void edited(const QString &text); ///< by a person
    void submitted();                 ///< Ctrl+Enter, where somebody listens (setSubmits)
    void left();                      ///< the focus went elsewhere

protected:
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void recolour();
    void colourLexer(QsciLexer *lexer);

    QsciLexerJSON *m_json;
    QsciLexerJavaScript *m_script;
    bool m_submits = false;
    Language m_language = Language::Text;
    bool m_quiet = false;
    int m_problem;
};

} // namespace wardbench
