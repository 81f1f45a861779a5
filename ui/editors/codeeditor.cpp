#include "editors/codeeditor.h"

#include "shell/theme.h"

#include <QKeyEvent>

namespace wardbench {

using namespace Qt::StringLiterals;

CodeEditor::CodeEditor(const QString &accessibleName, QWidget *parent) : QsciScintilla(parent), m_json(new QsciLexerJSON(this))
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

// Tab leaves the editor, so that the keyboard can; Ctrl+Tab is the tree's and blanks indent.
void CodeEditor::keyPressEvent(QKeyEvent *event)
{
    const bool plainTab = event->key() == Qt::Key_Tab && event->modifiers() == Qt::NoModifier && !hasSelectedText();
    if (plainTab && isReadOnly()) {
        focusNextPrevChild(true);
        return;
    }
    if (event->key() == Qt::Key_Backtab || event->key() == Qt::Key_Escape) {
        event->key() == Qt::Key_Backtab ? static_cast<void>(focusNextPrevChild(false)) : event->ignore();
        return;
    }
    QsciScintilla::keyPressEvent(event);
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
    if (m_language == Language::Json) {
        m_json->setDefaultFont(font);
        m_json->setDefaultColor(text);
        m_json->setDefaultPaper(paper);
        for (int style = 0; style <= 13; ++style) {
            m_json->setColor(text, style);
            m_json->setPaper(paper, style);
            m_json->setFont(font, style);
        }
        const QColor property = dark ? QColor(0x56B4E9) : QColor(0x0062A0);
        const QColor string = dark ? QColor(0x8FD6B4) : QColor(0x00664A);
        const QColor number = dark ? QColor(0xF0B860) : QColor(0x8A4A00);
        const QColor keyword = dark ? QColor(0xE0A0C8) : QColor(0x8A2A62);
        m_json->setColor(property, QsciLexerJSON::Property);
        m_json->setColor(string, QsciLexerJSON::String);
        m_json->setColor(theme.color(Theme::Role::Bad), QsciLexerJSON::UnclosedString);
        m_json->setColor(number, QsciLexerJSON::Number);
        m_json->setColor(keyword, QsciLexerJSON::Keyword);
        m_json->setColor(theme.color(Theme::Role::Bad), QsciLexerJSON::Error);
        setLexer(m_json);
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
