#include "run/runpage.h"

#include "base/duration.h"
#include "report/text.h"
#include "run/chartboard.h"
#include "run/figuresmodel.h"
#include "run/liveresult.h"
#include "run/remarks.h"
#include "run/runfiles.h"
#include "shell/theme.h"
#include "widgets/elidedlabel.h"
#include "widgets/messagearea.h"
#include "widgets/text.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>

#include <chrono>

namespace wardbench {

using namespace std::chrono_literals;

namespace {

constexpr auto pullEvery = 200ms;
constexpr auto lookEvery = 1000ms; ///< while hidden: only whether the session has ended
constexpr double verdictSize = 1.5; ///< of the page's font: the largest type on it
constexpr int mostRowsShown = 6;

QString timeLeft(Nanoseconds remaining)
{
    const auto seconds = std::chrono::duration_cast<std::chrono::milliseconds>(remaining).count() / 1000.0;
    if (seconds >= 60)
        return RunPage::tr("%1 min %2 s left").arg(static_cast<int>(seconds) / 60).arg(static_cast<int>(seconds) % 60);
    return RunPage::tr("%1 s left").arg(seconds, 0, 'f', 1);
}

} // namespace

class RunPage::Private
{
public:
    explicit Private(RunPage &page);

    void buildHeader(QVBoxLayout &column);
    void buildFigures(QVBoxLayout &column);
    void buildButtons(QVBoxLayout &column);
    void setSentence(const QString &text, bool verdict);
    void setRunning(bool running);
    void fitFigures();
    void pull();
    void showSnapshot(const RunSnapshot &snapshot);
    void endSession();
    void saved(const QString &path, const QString &error);
    QString sentenceOf(const RunResult &result) const;

    RunPage &q;
    std::shared_ptr<RunSession> session;
    std::optional<RunResult> result;
    QString scenario;
    QTimer timer;

    MessageArea *messages = nullptr;
    ElidedLabel *heading = nullptr;
    QProgressBar *progress = nullptr;
    QLabel *percent = nullptr, *left = nullptr, *sentence = nullptr, *footnote = nullptr;
    QPushButton *stop = nullptr, *exportButton = nullptr, *copyButton = nullptr, *saveButton = nullptr;
    QTableView *figures = nullptr;
    FiguresModel *model = nullptr;
    Remarks *remarks = nullptr;
    ChartBoard *board = nullptr;
};

RunPage::Private::Private(RunPage &page) : q(page)
{
    auto *outer = new QVBoxLayout(&q);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    messages = new MessageArea;
    outer->addWidget(messages);
    auto *scroll = new QScrollArea; // a very low window scrolls instead of cutting text
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    scroll->setFocusPolicy(Qt::NoFocus);
    outer->addWidget(scroll, 1);
    auto *body = new QWidget;
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(24, 16, 24, 12);
    column->setSpacing(8);
    buildHeader(*column);
    buildFigures(*column);
    board = new ChartBoard;
    column->addWidget(board, 1);
    buildButtons(*column);
    scroll->setWidget(body);

    QObject::connect(board, &ChartBoard::exportRequested, &q, &RunPage::exportChart);
    QObject::connect(board, &ChartBoard::copyRequested, &q, &RunPage::copy);
    QObject::connect(&timer, &QTimer::timeout, &q, [this] { pull(); });
    setRunning(false);
}

void RunPage::Private::buildHeader(QVBoxLayout &column)
{
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    heading = new ElidedLabel;
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    progress = new QProgressBar;
    progress->setRange(0, 1000);
    progress->setTextVisible(false);
    progress->setFixedWidth(220);
    progress->setAccessibleName(tr("Progress of the run"));
    percent = new QLabel;
    percent->setMinimumWidth(percent->fontMetrics().horizontalAdvance(QStringLiteral("100 %")));
    percent->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    left = new QLabel;
    left->setMinimumWidth(left->fontMetrics().horizontalAdvance(QStringLiteral("59 min 59 s left")));
    stop = new QPushButton(tr("Stop  Shift+F5"));
    QObject::connect(stop, &QPushButton::clicked, &q, [this] {
        stop->setEnabled(false);
        left->setText(tr("stopping"));
        Q_EMIT q.stopRequested();
    });
    row->addWidget(heading, 1);
    row->addWidget(progress);
    row->addWidget(percent);
    row->addWidget(left);
    row->addWidget(stop);
    column.addLayout(row);
    sentence = new QLabel;
    sentence->setWordWrap(true);
    sentence->setTextFormat(Qt::PlainText);
    sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    sentence->setObjectName(QStringLiteral("sentence"));
    column.addWidget(sentence);
}

void RunPage::Private::buildFigures(QVBoxLayout &column)
{
    model = new FiguresModel(&q);
    figures = new QTableView;
    figures->setModel(model);
    figures->setAccessibleName(tr("Figures of the contestants"));
    figures->setEditTriggers(QAbstractItemView::NoEditTriggers);
    figures->setSelectionBehavior(QAbstractItemView::SelectRows);
    figures->setShowGrid(false);
    figures->setWordWrap(false);
    figures->setTabKeyNavigation(false);
    figures->setIconSize({28, 12});
    figures->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    figures->verticalHeader()->hide();
    figures->verticalHeader()->setDefaultSectionSize(figures->fontMetrics().height() + 8);
    QHeaderView *header = figures->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsClickable(false);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(FiguresModel::Name, QHeaderView::Stretch);
    header->setMinimumSectionSize(56);
    column.addWidget(figures);
    remarks = new Remarks;
    column.addWidget(remarks);
}

void RunPage::Private::buildButtons(QVBoxLayout &column)
{
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    exportButton = new QPushButton(tr("Export chart  Ctrl+E"));
    copyButton = new QPushButton(tr("Copy"));
    copyButton->setToolTip(tr("Copies the chart as a picture and the figures as a Markdown table (Ctrl+Shift+C)."));
    saveButton = new QPushButton(tr("Save run as…"));
    QObject::connect(exportButton, &QPushButton::clicked, &q, &RunPage::exportChart);
    QObject::connect(copyButton, &QPushButton::clicked, &q, &RunPage::copy);
    QObject::connect(saveButton, &QPushButton::clicked, &q, &RunPage::saveRunAs);
    for (QPushButton *button : {exportButton, copyButton, saveButton})
        row->addWidget(button);
    footnote = new QLabel;
    footnote->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(footnote, 1);
    column.addLayout(row);
}

void RunPage::Private::setSentence(const QString &text, bool verdict)
{
    QFont font = q.font();
    if (verdict) {
        font.setPointSizeF(font.pointSizeF() * verdictSize);
        font.setBold(true);
    }
    sentence->setFont(font);
    sentence->setText(text);
}

void RunPage::Private::setRunning(bool running)
{
    for (QWidget *widget : {static_cast<QWidget *>(progress), static_cast<QWidget *>(percent), static_cast<QWidget *>(left),
                            static_cast<QWidget *>(stop)})
        widget->setVisible(running);
    stop->setEnabled(running);
    for (QPushButton *button : {exportButton, copyButton, saveButton})
        button->setEnabled(!running && result.has_value());
    timer.stop();
    if (running)
        timer.start(q.isVisible() ? pullEvery : lookEvery);
}

void RunPage::Private::fitFigures()
{
    const int rows = std::min(std::max(1, model->rowCount()), mostRowsShown);
    const int bar = figures->horizontalHeader()->length() > figures->viewport()->width() ? figures->horizontalScrollBar()->sizeHint().height() : 0;
    figures->setFixedHeight(figures->horizontalHeader()->sizeHint().height() + rows * figures->verticalHeader()->defaultSectionSize()
                            + 2 * figures->frameWidth() + 2 + bar);
}

void RunPage::Private::pull()
{
    if (!session)
        return;
    const RunSnapshot snapshot = session->snapshot();
    if (snapshot.state == RunSnapshot::State::Finished || snapshot.state == RunSnapshot::State::Failed)
        endSession();
    else if (q.isVisible())
        showSnapshot(snapshot);
}

void RunPage::Private::showSnapshot(const RunSnapshot &snapshot)
{
    progress->setValue(static_cast<int>(snapshot.progress * 1000));
    percent->setText(tr("%1 %").arg(static_cast<int>(snapshot.progress * 100)));
    if (stop->isEnabled())
        left->setText(snapshot.remaining.count() > 0 ? timeLeft(snapshot.remaining) : QString());
    setSentence(snapshot.phase.empty() ? tr("Preparing") : qtext(snapshot.phase), false);
    RunResult live = liveResult(snapshot, utf8(scenario));
    model->show(live, false);
    fitFigures();
    board->showLive(std::move(live));
}

void RunPage::Private::endSession()
{
    const std::shared_ptr<RunSession> ended = std::exchange(session, nullptr);
    const Result<RunResult> outcome = ended->result();
    if (outcome) {
        q.showResult(*outcome);
        Q_EMIT q.runFinished(*outcome);
        return;
    }
    setRunning(false);
    const QString reason = qtext(outcome.error().message);
    setSentence(tr("The run could not be done: %1").arg(reason), false);
    Q_EMIT q.runFailed(reason);
}

QString RunPage::Private::sentenceOf(const RunResult &shown) const
{
    if (!shown.verdict.empty())
        return qtext(shown.verdict);
    if (shown.interrupted)
        return tr("Stopped: a partial result without a verdict.");
    if (shown.contestants.size() == 1)
        return tr("%1 did %2 requests, %3 failed.")
            .arg(qtext(shown.contestants[0].name), qtext(report::grouped(shown.contestants[0].total.runs)),
                 qtext(report::grouped(shown.contestants[0].total.errors)));
    return tr("This run has no verdict.");
}

void RunPage::Private::saved(const QString &path, const QString &error)
{
    if (error.isEmpty()) {
        messages->dismiss(QStringLiteral("save"));
        Q_EMIT q.statusMessage(tr("Saved %1").arg(path));
    } else {
        messages->show(QStringLiteral("save"), MessageArea::Kind::Error, tr("%1 was not saved: %2").arg(path, error));
    }
}

RunPage::RunPage(QWidget *parent) : QWidget(parent), d(std::make_unique<Private>(*this))
{
    connect(&Theme::instance(), &Theme::changed, this, [this] { d->model->setDark(Theme::instance().isDark()); });
    d->model->setDark(Theme::instance().isDark());
    setFocusProxy(d->board);
}

RunPage::~RunPage() = default;

void RunPage::showSession(std::shared_ptr<RunSession> session, const QString &scenario)
{
    d->session = std::move(session);
    d->result.reset();
    d->scenario = scenario;
    d->heading->setFullText(scenario);
    d->footnote->clear();
    d->remarks->clear();
    d->messages->dismissAll();
    d->progress->setValue(0);
    d->percent->clear();
    d->left->clear();
    d->board->back();
    const RunResult nothing = liveResult({}, utf8(scenario));
    d->model->show(nothing, false);
    d->board->show(nothing);
    d->setSentence(tr("Preparing"), false);
    d->setRunning(true);
    d->pull();
}

void RunPage::showResult(const RunResult &result)
{
    d->session.reset();
    d->result = result;
    d->scenario = qtext(result.scenario);
    d->heading->setFullText(result.settings.empty() ? d->scenario : d->scenario + QStringLiteral(": ") + qtext(result.settings));
    d->setSentence(d->sentenceOf(result), true);
    d->model->show(result, true);
    d->fitFigures();
    d->remarks->show(result);
    d->board->show(result);
    d->footnote->setText(result.clientSent == result.mocksReceived && result.clientSent > 0
                             ? tr("Counts agree: client sent %1, mocks received %1").arg(qtext(report::grouped(result.clientSent)))
                             : QString());
    const bool hadFocus = d->stop->hasFocus();
    d->setRunning(false);
    if (hadFocus)
        d->board->focusFirst(); // else hiding Stop would send the focus to a chance neighbour
}

bool RunPage::isRunning() const
{
    return d->session != nullptr;
}

const std::optional<RunResult> &RunPage::result() const
{
    return d->result;
}

void RunPage::exportChart()
{
    if (!d->result)
        return;
    openChartDialog(this, *d->result, d->board->currentKind(), [this](const QString &path, const QString &error) { d->saved(path, error); });
}

void RunPage::copy()
{
    if (!d->result)
        return;
    const auto png = charts::exportChart(*d->result, d->board->currentKind(), charts::Format::Png);
    const auto svg = charts::exportChart(*d->result, d->board->currentKind(), charts::Format::Svg);
    auto data = std::make_unique<QMimeData>();
    if (png) {
        data->setImageData(QImage::fromData(*png, "png"));
        data->setData(QStringLiteral("image/png"), *png);
    }
    if (svg)
        data->setData(QStringLiteral("image/svg+xml"), *svg);
    data->setText(qtext(report::markdownTable(*d->result)));
    QGuiApplication::clipboard()->setMimeData(data.release());
    Q_EMIT statusMessage(tr("Copied the chart as a picture and the figures as a Markdown table"));
}

void RunPage::saveRunAs()
{
    if (d->result)
        openRunDialog(this, *d->result, [this](const QString &path, const QString &error) { d->saved(path, error); });
}

void RunPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    d->fitFigures();
    if (d->session) {
        d->timer.start(pullEvery);
        d->pull();
    }
}

void RunPage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    if (d->session)
        d->timer.start(lookEvery);
}

void RunPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    d->fitFigures();
}

void RunPage::keyPressEvent(QKeyEvent *event)
{
    // Keys that the shell's actions have not taken: the page also works alone.
    const auto keys = event->keyCombination();
    if (keys == (Qt::CTRL | Qt::Key_E))
        exportChart();
    else if (keys == (Qt::CTRL | Qt::SHIFT | Qt::Key_C))
        copy();
    else if (keys == (Qt::CTRL | Qt::SHIFT | Qt::Key_T))
        d->board->showTable(d->board->currentKind());
    else if (keys == QKeyCombination(Qt::SHIFT, Qt::Key_F5) && d->stop->isEnabled() && isRunning())
        d->stop->click();
    else if (event->key() == Qt::Key_Escape && d->board->isEnlarged())
        d->board->back();
    else
        QWidget::keyPressEvent(event);
}

} // namespace wardbench
