#pragma once

#include "document/mockcontroller.h"
#include "models/issuesmodel.h"
#include "models/journalmodel.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTabBar;
class QTextBrowser;
class QToolButton;
class QTreeView;

namespace wardbench {

class EmptyState;

/// The bottom of the window: the journal with the explanation of the selected request, and the issues.
class JournalPanel : public QWidget
{
    Q_OBJECT

public:
    JournalPanel(WorkspaceDocument *document, MockController *mocks, QWidget *parent = nullptr);

    JournalModel *journal() { return &m_journal; }
    IssuesModel *issues() { return &m_issues; }
    /// Shows a request's row and its explanation, whatever the filters say.
    void showEntry(const JournalEntryPtr &entry);
    /// What `mock` would answer: the explanation without a row (a dry run). Gone as soon as a row is selected.
    void showAsked(quint64 mock, const http::Request &request);
    void showIssues();
    void focusList();
    const JournalModel::Row *current() const; ///< the selected request, or what was asked; null: neither
    QByteArray saveState() const;
    void restoreState(const QByteArray &state);

Q_SIGNALS:
    void createStubRequested(quint64 mock, const wardbench::JournalEntryPtr &entry);
    void openRequested(const wardbench::json::Path &path);
    void againRequested(quint64 mock, const wardbench::JournalEntryPtr &entry);
    void sendTestRequested();
    void askRequested(); ///< a request is to be typed, and showAsked to be called
    void currentChanged();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *makeBar();
    QWidget *makeJournal();
    QWidget *makeDetail();
    QWidget *makeIssues();
    void connectAll();
    void connectButtons();
    void connectDocument();
    void append(quint64 mock, const QVector<JournalEntryPtr> &entries, quint64 dropped);
    void updateDetail();
    void updateTabs();
    void updateColumns();
    void openStub();

    WorkspaceDocument *m_document;
    MockController *m_mocks;
    JournalModel m_journal;
    JournalFilter m_filter;
    IssuesModel m_issues;
    QTabBar *m_tabs = nullptr;
    QStackedWidget *m_pages = nullptr, *m_journalStack = nullptr, *m_issueStack = nullptr, *m_detailStack = nullptr;
    QWidget *m_tools = nullptr;
    QComboBox *m_show = nullptr;
    QLineEdit *m_text = nullptr;
    std::optional<JournalModel::Row> m_asked;
    StubId m_stub = 0; ///< of the row: that answered, else the nearest
    QToolButton *m_ask = nullptr, *m_follow = nullptr, *m_clear = nullptr;
    QTreeView *m_list = nullptr, *m_issueList = nullptr;
    QSplitter *m_splitter = nullptr;
    QTabBar *m_detailTabs = nullptr;
    QTextBrowser *m_why = nullptr;
    QPlainTextEdit *m_request = nullptr, *m_response = nullptr;
    QPushButton *m_create = nullptr, *m_open = nullptr, *m_again = nullptr;
    EmptyState *m_empty = nullptr;
};

} // namespace wardbench
