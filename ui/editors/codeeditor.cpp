#include "editors/codeeditor.h"

#include "shell/theme.h"

#include <QKeyEvent>

namespace wardbench {

using namespace Qt::StringLiterals;

CodeEditor::CodeEditor(const QString &accessibleName, QWidget *parent)
    : QsciScintilla(parent), m_json(new QsciLexerJSON(this)), m_script(new QsciLexerJavaScript(this))
{
    setAccessibleName(accessibleName);
    setUtf8(true);
    setEolMode(EolUnix);
    setTabWidth(2);
    setIndentationsUseTabs(false);
    setAutoIndent(true);
    setBraceMatching(SloppyBraceMatch);
    setWrapMode(WrapWord);
    setFrameShape(QFrame::NoFrame);
    setScrollWidth(1);
    setScrollWidthTracking(true);
    setMarginType(0, NumberMargin);
    setMarginWidth(1, 0);
    m_json->setFoldCompact(false);
    m_problem = indicatorDefine(SquiggleIndicator);
    setMinimumHeight(120);
    connect(this, &QsciScintilla::textChanged, this, [this] {
        setMarginWidth(0, QString(QString::number(qMax(lines(), 10)).size() + 1, u'0'));
        if (!m_quiet)
            Q_EMIT edited(text());
    });
    connect(&Theme::instance(), &Theme::changed, this, &CodeEditor::recolour);
    recolour();
}

void CodeEditor::setLanguage(Language language)
{
    if (m_language == language)
        return;
    m_language = language;
    recolour();
}

void CodeEditor::setContent(const QString &content)
{
    if (text() == content)
        return;
    m_quiet = true;
    setText(content);
    m_quiet = false;
}

void CodeEditor::setProblemAt(int line, int column)
{
    clearIndicatorRange(0, 0, lines(), 0, m_problem);
    if (line > 0)
        fillIndicatorRange(line - 1, qMax(0, column - 1), line - 1, column, m_problem);
}

bool CodeEditor::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && m_submits) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->modifiers() == Qt::ControlModifier && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter)) {
            event->accept();
            return true;
        }
    }
    return QsciScintilla::event(event);
}

void CodeEditor::focusOutEvent(QFocusEvent *event)
{
    QsciScintilla::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        Q_EMIT left();
}

// Tab leaves the editor, so that the keyboard can; Ctrl+Tab is the tree's and blanks indent.
void CodeEditor::keyPressEvent(QKeyEvent *event)
{
    const bool plainTab = event->key() == Qt::Key_Tab && event->modifiers() == Qt::NoModifier && !hasSelectedText();
    if (plainTab) {
        focusNextPrevChild(true);
        return;
    }
    if (event->key() == Qt::Key_Backtab || event->key() == Qt::Key_Escape) {
        event->key() == Qt::Key_Backtab ? static_cast<void>(focusNextPrevChild(false)) : event->ignore();
        return;
    }
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (m_submits && enter && event->modifiers() == Qt::ControlModifier) {
        Q_EMIT submitted();
        return;
    }
    QsciScintilla::keyPressEvent(event);
}

void CodeEditor::colourLexer(QsciLexer *lexer)
{
    const bool dark = Theme::instance().isDark();
    const QPalette colours = Theme::palette(dark);
    const QColor text = colours.color(QPalette::Text), paper = colours.color(QPalette::Base);
    lexer->setDefaultFont(Theme::monospace());
    lexer->setDefaultColor(text);
    lexer->setDefaultPaper(paper);
    lexer->setFont(Theme::monospace());
    lexer->setColor(text);
    lexer->setPaper(paper);
    const QColor name = dark ? QColor(0x56B4E9) : QColor(0x0062A0);
    const QColor string = dark ? QColor(0x8FD6B4) : QColor(0x00664A);
    const QColor number = dark ? QColor(0xF0B860) : QColor(0x8A4A00);
    const QColor keyword = dark ? QColor(0xE0A0C8) : QColor(0x8A2A62);
    const QColor muted = Theme::instance().color(Theme::Role::Muted), bad = Theme::instance().color(Theme::Role::Bad);
    const std::pair<int, QColor> json[] = {{QsciLexerJSON::Property, name},      {QsciLexerJSON::String, string},
                                           {QsciLexerJSON::UnclosedString, bad}, {QsciLexerJSON::Number, number},
                                           {QsciLexerJSON::Keyword, keyword},    {QsciLexerJSON::Error, bad}};
    const std::pair<int, QColor> script[] = {{QsciLexerJavaScript::Keyword, keyword},
                                             {QsciLexerJavaScript::Number, number},
                                             {QsciLexerJavaScript::DoubleQuotedString, string},
                                             {QsciLexerJavaScript::SingleQuotedString, string},
                                             {QsciLexerJavaScript::Regex, string},
                                             {QsciLexerJavaScript::UnclosedString, bad},
                                             {QsciLexerJavaScript::Comment, muted},
                                             {QsciLexerJavaScript::CommentLine, muted},
                                             {QsciLexerJavaScript::CommentDoc, muted}};
    if (lexer == m_json) {
        for (const auto &[style, colour] : json)
            lexer->setColor(colour, style);
    } else {
        for (const auto &[style, colour] : script)
            lexer->setColor(colour, style);
    }
}

void CodeEditor::recolour()
{
    const Theme &theme = Theme::instance();
    const bool dark = theme.isDark();
    const QPalette colours = Theme::palette(dark);
    const QColor text = colours.color(QPalette::Text), paper = colours.color(QPalette::Base);
    const QFont font = Theme::monospace();
    setLexer(nullptr);
    setFont(font);
    setColor(text);
    setPaper(paper);
    if (m_language != Language::Text) {
        QsciLexer *lexer = m_json;
        if (m_language == Language::JavaScript)
            lexer = m_script;
        colourLexer(lexer);
        setLexer(lexer);
    }
    setCaretForegroundColor(text);
    setSelectionBackgroundColor(colours.color(QPalette::Highlight));
    setSelectionForegroundColor(colours.color(QPalette::HighlightedText));
    setMarginsFont(font);
    setMarginsForegroundColor(theme.color(Theme::Role::Muted));
    setMarginsBackgroundColor(colours.color(QPalette::AlternateBase));
    setMarginWidth(0, QString(QString::number(qMax(lines(), 10)).size() + 1, u'0'));
    setMatchedBraceForegroundColor(theme.color(Theme::Role::Accent));
    setMatchedBraceBackgroundColor(paper);
    setIndicatorForegroundColor(theme.color(Theme::Role::Bad), m_problem);
}

} // namespace wardbench
