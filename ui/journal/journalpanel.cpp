#include "journal/journalpanel.h"

#include "journal/explanationtext.h"
#include "shell/theme.h"
#include "widgets/emptystate.h"
#include "widgets/text.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

QTreeView *makeList(QAbstractItemModel *model, const QString &name, QWidget *parent)
{
    auto *list = new QTreeView(parent);
    list->setModel(model);
    list->setAccessibleName(name);
    list->setRootIsDecorated(false);
    list->setUniformRowHeights(true);
    list->setAllColumnsShowFocus(true);
    list->setFrameShape(QFrame::NoFrame);
    list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->header()->setStretchLastSection(true);
    list->header()->setHighlightSections(false);
    list->header()->setMinimumSectionSize(32);
    return list;
}

QPlainTextEdit *makeText(const QString &name, QWidget *parent)
{
    auto *text = new QPlainTextEdit(parent);
    text->setReadOnly(true);
    text->setAccessibleName(name);
    text->setFont(Theme::monospace());
    text->setFrameShape(QFrame::NoFrame);
    text->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    text->setTabChangesFocus(true);
    return text;
}

QToolButton *makeToolButton(const QString &icon, const QString &text, const QString &tip, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setIcon(Theme::icon(icon));
    button->setText(text);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::StrongFocus);
    return button;
}

} // namespace

JournalPanel::JournalPanel(WorkspaceDocument *document, MockController *mocks, QWidget *parent)
    : QWidget(parent), m_document(document), m_mocks(mocks), m_journal(this), m_filter(this), m_issues(this)
{
    m_filter.setSourceModel(&m_journal);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeBar());
    m_pages = new QStackedWidget(this);
    m_pages->addWidget(makeJournal());
    m_pages->addWidget(makeIssues());
    layout->addWidget(m_pages, 1);
    connectAll();
    updateTabs();
    updateColumns();
    updateDetail();
}

QWidget *JournalPanel::makeBar()
{
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 0, 8, 0);
    m_tabs = new QTabBar(bar);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->addTab(tr("Journal"));
    m_tabs->addTab(tr("Issues"));
    m_tabs->setAccessibleName(tr("Journal or issues"));
    row->addWidget(m_tabs);
    row->addStretch(1);
    m_tools = new QWidget(bar);
    auto *tools = new QHBoxLayout(m_tools);
    tools->setContentsMargins(0, 3, 0, 3);
    m_ask = makeToolButton(u"help"_s, tr("Ask\u2026"), tr("What would be answered to a request, without sending it"), m_tools);
    auto *showLabel = new QLabel(tr("S&how"), m_tools);
    m_show = new QComboBox(m_tools);
    m_show->addItems({tr("by hand"), tr("all"), tr("unmatched")});
    m_show->setToolTip(tr("By hand leaves out what arrived in bursts; the counters always count everything"));
    showLabel->setBuddy(m_show);
    m_text = new QLineEdit(m_tools);
    m_text->setPlaceholderText(tr("Filter"));
    m_text->setAccessibleName(tr("Filter the journal"));
    m_text->setClearButtonEnabled(true);
    m_text->setMinimumWidth(80);
    m_text->setMaximumWidth(180);
    m_follow = makeToolButton(u"follow"_s, tr("Follow"), tr("Keep the newest request in view"), m_tools);
    m_follow->setCheckable(true);
    m_follow->setChecked(true);
    m_clear = makeToolButton(u"trash"_s, tr("Clear"), tr("Forget the requests shown; counters stay"), m_tools);
    tools->addWidget(m_ask);
    tools->addWidget(showLabel);
    tools->addWidget(m_show);
    tools->addWidget(m_text, 1);
    tools->addWidget(m_follow);
    tools->addWidget(m_clear);
    row->addWidget(m_tools);
    return bar;
}

QWidget *JournalPanel::makeJournal()
{
    m_journalStack = new QStackedWidget(this);
    m_splitter = new QSplitter(Qt::Horizontal, m_journalStack);
    m_splitter->setObjectName(u"journalSplitter"_s);
    m_list = makeList(&m_filter, tr("Journal"), m_splitter);
    m_list->header()->setVisible(false);
    m_list->setMinimumWidth(200);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->viewport()->installEventFilter(this);
    m_splitter->addWidget(m_list);
    m_splitter->addWidget(makeDetail());
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_splitter->setSizes({600, 400});
    m_splitter->setChildrenCollapsible(false);
    m_empty = new EmptyState(m_journalStack);
    m_empty->setSentence(tr("Nothing received yet. Requests to a running mock appear here, with the reason for each answer."));
    m_empty->setButton(tr("Send test request  F6"));
    m_journalStack->addWidget(m_empty);
    m_journalStack->addWidget(m_splitter);
    return m_journalStack;
}

QWidget *JournalPanel::makeDetail()
{
    auto *detail = new QWidget(m_splitter);
    detail->setMinimumWidth(220);
    auto *layout = new QVBoxLayout(detail);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_detailTabs = new QTabBar(detail);
    m_detailTabs->setDrawBase(false);
    m_detailTabs->setExpanding(false);
    m_detailTabs->setAccessibleName(tr("Why, request or response"));
    for (const QString &name : {tr("Why"), tr("Request"), tr("Response")})
        m_detailTabs->addTab(name);
    layout->addWidget(m_detailTabs);
    m_detailStack = new QStackedWidget(detail);
    m_why = new QTextBrowser(detail);
    m_why->setFrameShape(QFrame::NoFrame);
    m_why->setAccessibleName(tr("Why this answer"));
    m_why->setTabChangesFocus(true);
    m_why->document()->setDocumentMargin(8);
    m_request = makeText(tr("Request as received"), detail);
    m_response = makeText(tr("Response as sent"), detail);
    m_detailStack->addWidget(m_why);
    m_detailStack->addWidget(m_request);
    m_detailStack->addWidget(m_response);
    layout->addWidget(m_detailStack, 1);
    auto *row = new QHBoxLayout;
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    m_create = new QPushButton(tr("Create stub"), detail);
    m_create->setToolTip(tr("Add a stub that answers this request"));
    m_open = new QPushButton(tr("Open stub"), detail);
    m_again = new QPushButton(tr("Again"), detail);
    m_again->setToolTip(tr("Send the same request once more"));
    row->addWidget(m_create);
    row->addWidget(m_open);
    row->addWidget(m_again);
    row->addStretch();
    layout->addLayout(row);
    return detail;
}

QWidget *JournalPanel::makeIssues()
{
    m_issueStack = new QStackedWidget(this);
    auto *none = new EmptyState(m_issueStack);
    none->setSentence(tr("No issues: nothing in this workspace is wrong or suspicious."));
    none->setButton({});
    m_issueList = makeList(&m_issues, tr("Issues"), m_issueStack);
    m_issueList->header()->resizeSection(IssuesModel::Severity, 96);
    m_issueList->header()->resizeSection(IssuesModel::Place, 300);
    m_issueStack->addWidget(none);
    m_issueStack->addWidget(m_issueList);
    return m_issueStack;
}

void JournalPanel::connectAll()
{
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int tab) {
        m_pages->setCurrentIndex(tab);
        m_tools->setVisible(tab == 0);
    });
    connect(m_detailTabs, &QTabBar::currentChanged, m_detailStack, &QStackedWidget::setCurrentIndex);
    connect(m_show, &QComboBox::activated, this, [this](int index) { m_filter.setShow(static_cast<JournalFilter::Show>(index)); });
    connect(m_text, &QLineEdit::textChanged, &m_filter, &JournalFilter::setText);
    connect(m_ask, &QToolButton::clicked, this, &JournalPanel::askRequested);
    connect(m_clear, &QToolButton::clicked, m_mocks, &MockController::clearJournal);
    connect(m_mocks, &MockController::journalArrived, this, &JournalPanel::append);
    connect(m_mocks, &MockController::journalCleared, this, [this] {
        m_journal.clear();
        m_asked.reset();
        m_journalStack->setCurrentIndex(0);
        updateDetail();
    });
    connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &row) {
        if (row.isValid())
            m_asked.reset();
        updateDetail();
    });
    connect(m_list->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { m_follow->setChecked(false); });
    connect(m_follow, &QToolButton::toggled, this, [this](bool on) {
        if (on)
            m_list->scrollToBottom();
    });
    connectButtons();
    connectDocument();
}

void JournalPanel::connectButtons()
{
    connect(m_empty, &EmptyState::pressed, this, &JournalPanel::sendTestRequested);
    connect(m_create, &QPushButton::clicked, this, [this] {
        if (const JournalModel::Row *row = current())
            Q_EMIT createStubRequested(row->mock, row->entry);
    });
    connect(m_open, &QPushButton::clicked, this, &JournalPanel::openStub);
    connect(m_list, &QTreeView::activated, this, &JournalPanel::openStub);
    connect(m_again, &QPushButton::clicked, this, [this] {
        if (m_asked)
            Q_EMIT askRequested();
        else if (const JournalModel::Row *row = current())
            Q_EMIT againRequested(row->mock, row->entry);
    });
    connect(m_issueList, &QTreeView::activated, this, [this](const QModelIndex &index) { Q_EMIT openRequested(m_issues.pathAt(index.row())); });
    connect(m_issueList, &QTreeView::clicked, this, [this](const QModelIndex &index) { Q_EMIT openRequested(m_issues.pathAt(index.row())); });
}

void JournalPanel::connectDocument()
{
    connect(m_document, &WorkspaceDocument::issuesChanged, this, [this] {
        m_issues.setIssues(m_document->issues(), m_document->workspace());
        updateTabs();
    });
    connect(m_document, &WorkspaceDocument::opened, this, [this] {
        m_journal.clear();
        m_asked.reset();
        m_journalStack->setCurrentIndex(0);
        updateDetail();
        updateColumns();
    });
    connect(m_document, &WorkspaceDocument::changed, this, &JournalPanel::updateColumns);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_journal.themeChanged();
        m_issues.themeChanged();
        updateDetail();
    });
}

void JournalPanel::append(quint64 mock, const QVector<JournalEntryPtr> &entries, quint64)
{
    const ImposterPtr imposter = m_document->mock(mock);
    if (!imposter)
        return;
    const auto responsesOf = [&](StubId id) {
        for (const StubPtr &stub : imposter->stubs) {
            if (stub->id == id)
                return static_cast<int>(stub->responses.size());
        }
        return 0;
    };
    m_journal.append(mock, qtext(imposter->displayName()), entries, responsesOf);
    m_list->setVisible(m_journal.rowCount() > 0);
    if (m_journal.rowCount() > 0)
        m_journalStack->setCurrentIndex(1);
    if (m_follow->isChecked())
        m_list->scrollToBottom();
}

// Widths from the font; path and answer share what is left, so that nothing needs a horizontal scroll bar.
void JournalPanel::updateColumns()
{
    const QFontMetrics metrics = m_list->fontMetrics();
    QHeaderView *header = m_list->header();
    const bool mocks = m_document->workspace()->imposters.size() > 1;
    m_list->setColumnHidden(JournalModel::Mock, !mocks);
    const std::pair<int, QString> fixed[] = {{JournalModel::Time, u"00:00:00.000"_s}, {JournalModel::Method, u"DELETE"_s},
                                             {JournalModel::Status, u"000"_s}, {JournalModel::Duration, u"0000 ms"_s},
                                             {JournalModel::Mock, u"license api"_s}};
    int taken = 0;
    for (const auto &[column, sample] : fixed) {
        const int width = metrics.horizontalAdvance(sample) + 14;
        header->resizeSection(column, width);
        taken += column == JournalModel::Mock && !mocks ? 0 : width;
    }
    const int rest = std::max(0, m_list->viewport()->width() - taken);
    header->resizeSection(JournalModel::Path, std::max(80, rest * 45 / 100));
}

bool JournalPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_list->viewport() && event->type() == QEvent::Resize)
        updateColumns();
    return QWidget::eventFilter(watched, event);
}

void JournalPanel::updateTabs()
{
    const int count = m_issues.rowCount();
    m_tabs->setTabText(1, count > 0 ? tr("Issues (%1)").arg(count) : tr("Issues"));
    m_tabs->setTabIcon(1, count == 0 ? QIcon()
                          : m_issues.errors() > 0 ? Theme::icon(u"error"_s, Theme::Role::Bad)
                                                  : Theme::icon(u"warning"_s, Theme::Role::Warn));
    m_issueStack->setCurrentIndex(count > 0 ? 1 : 0);
}

const JournalModel::Row *JournalPanel::current() const
{
    if (m_asked)
        return &*m_asked;
    const QModelIndex index = m_filter.mapToSource(m_list->currentIndex());
    return index.isValid() ? &m_journal.row(index.row()) : nullptr;
}

void JournalPanel::updateDetail()
{
    const JournalModel::Row *row = current();
    m_create->setEnabled(row && m_document->mock(row->mock));
    m_again->setEnabled(row && m_document->mock(row->mock));
    m_stub = row ? row->entry->stub : 0;
    if (!row) {
        m_why->setHtml(u"<p style='color:%1'>%2</p>"_s.arg(Theme::instance().color(Theme::Role::Muted).name(),
                                                           tr("Select a request to see why it was answered so.").toHtmlEscaped()));
        m_request->clear();
        m_response->clear();
    } else {
        const MatchExplanation explanation = m_mocks->explain(row->mock, row->entry->request, row->entry->client);
        if (m_stub == 0 && !explanation.stubs.empty())
            m_stub = explanation.stubs.front().stub; // the nearest: that is where a person wants to go
        m_why->setHtml(explanationHtml(explanation, *row->entry, row->mockName, row->responses));
        m_request->setPlainText(requestText(*row->entry));
        m_response->setPlainText(m_asked ? tr("Asked only: nothing was sent.") : responseText(*row->entry));
    }
    m_open->setEnabled(!m_document->pathOf({ItemKind::Stub, m_stub}).empty());
    Q_EMIT currentChanged();
}

void JournalPanel::showAsked(quint64 mock, const http::Request &request)
{
    const ImposterPtr imposter = m_document->mock(mock);
    if (!imposter)
        return;
    auto entry = std::make_shared<JournalEntry>(); // with sequence 0: it never came
    entry->request = request;
    entry->requestBodySize = request.body.size();
    entry->client = "127.0.0.1:0";
    entry->stub = m_mocks->explain(mock, request, entry->client).answeredBy;
    for (const StubPtr &stub : imposter->stubs) {
        if (stub->id == entry->stub)
            entry->stubName = stubLabel(*stub);
    }
    m_list->setCurrentIndex({});
    m_asked = JournalModel::Row{mock, qtext(imposter->displayName()), entry, 0, false};
    m_tabs->setCurrentIndex(0);
    m_list->setVisible(m_journal.rowCount() > 0); // nothing came yet: the explanation has all the place
    m_journalStack->setCurrentIndex(1);
    m_detailTabs->setCurrentIndex(0);
    updateDetail();
    m_why->setFocus();
}

void JournalPanel::openStub()
{
    const json::Path path = m_document->pathOf({ItemKind::Stub, m_stub});
    if (!path.empty())
        Q_EMIT openRequested(path);
}

void JournalPanel::showEntry(const JournalEntryPtr &entry)
{
    const int row = m_journal.find(entry);
    if (row < 0)
        return;
    QModelIndex index = m_filter.mapFromSource(m_journal.index(row, 0));
    if (!index.isValid()) { // a filter hides it: the request just sent must be seen
        m_text->clear();
        m_show->setCurrentIndex(static_cast<int>(JournalFilter::Show::All));
        m_filter.setShow(JournalFilter::Show::All);
        index = m_filter.mapFromSource(m_journal.index(row, 0));
    }
    m_tabs->setCurrentIndex(0);
    m_detailTabs->setCurrentIndex(0);
    m_list->setCurrentIndex(index);
    m_list->scrollTo(index);
    updateDetail();
}

void JournalPanel::showIssues()
{
    m_tabs->setCurrentIndex(1);
}

void JournalPanel::focusList()
{
    if (m_tabs->currentIndex() == 1)
        (m_issues.rowCount() > 0 ? static_cast<QWidget *>(m_issueList) : m_tabs)->setFocus(Qt::ShortcutFocusReason);
    else
        (m_journal.rowCount() > 0 ? static_cast<QWidget *>(m_list) : m_empty->button())->setFocus(Qt::ShortcutFocusReason);
}

QByteArray JournalPanel::saveState() const
{
    return m_splitter->saveState();
}

void JournalPanel::restoreState(const QByteArray &state)
{
    m_splitter->restoreState(state);
}

} // namespace wardbench
