#include "shell/statusline.h"

#include "shell/theme.h"
#include "widgets/elidedlabel.h"
#include "widgets/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>

#include <chrono>

namespace wardbench {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

StatusLine::StatusLine(WorkspaceDocument *document, MockController *mocks, QWidget *parent)
    : QWidget(parent), m_document(document), m_mocks(mocks), m_dot(new QLabel(this)), m_server(new ElidedLabel(this)),
      m_counts(new ElidedLabel(this)), m_copy(new QToolButton(this)), m_run(new QPushButton(this)), m_rest(new QLabel(this)),
      m_saved(new QLabel(this))
{
    m_copy->setText(tr("copy"));
    m_copy->setIcon(Theme::icon(u"copy"_s));
    m_copy->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_copy->setAutoRaise(true);
    m_copy->setFocusPolicy(Qt::StrongFocus);
    m_copy->setAccessibleName(tr("Copy the mock's address"));
    m_copy->setToolTip(tr("Copy the mock's address"));
    m_server->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_counts->setForegroundRole(QPalette::PlaceholderText);
    m_run->setFlat(true);
    m_run->setVisible(false);
    m_rest->setForegroundRole(QPalette::PlaceholderText);
    m_rest->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_rest->setVisible(false);
    m_saved->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 2, 16, 2);
    layout->setSpacing(8);
    layout->addWidget(m_dot);
    layout->addWidget(m_server);
    layout->addWidget(m_copy);
    layout->addSpacing(16);
    layout->addWidget(m_counts, 1);
    layout->addWidget(m_run);
    layout->addWidget(m_rest);
    layout->addWidget(m_saved);
    m_sayTimer.setSingleShot(true);
    m_sayTimer.setInterval(6s);
    connect(&m_sayTimer, &QTimer::timeout, this, [this] { say({}); });
    connect(m_copy, &QToolButton::clicked, this, &StatusLine::copyUrl);
    connect(m_run, &QPushButton::clicked, this, &StatusLine::runRequested);
    connect(mocks, &MockController::stateChanged, this, &StatusLine::update);
    connect(mocks, &MockController::countersChanged, this, &StatusLine::update);
    connect(document, &WorkspaceDocument::modifiedChanged, this, &StatusLine::updateSaved);
    connect(document, &WorkspaceDocument::fileChanged, this, &StatusLine::updateSaved);
    connect(document, &WorkspaceDocument::changed, this, &StatusLine::update);
    connect(&Theme::instance(), &Theme::changed, this, &StatusLine::update);
    update();
    updateSaved();
}

void StatusLine::setMock(quint64 mock)
{
    m_mock = mock;
    update();
}

void StatusLine::setRun(const QString &text)
{
    m_run->setText(text);
    m_run->setVisible(!text.isEmpty());
}

void StatusLine::setRest(const QString &url)
{
    m_rest->setText(tr("REST API  %1").arg(url));
    m_rest->setVisible(!url.isEmpty());
}

void StatusLine::say(const QString &text)
{
    m_said = text;
    if (!text.isEmpty())
        m_sayTimer.start();
    update();
}

void StatusLine::copyUrl()
{
    if (m_url.isEmpty())
        return;
    QGuiApplication::clipboard()->setText(m_url);
    say(tr("Copied %1").arg(m_url));
}

void StatusLine::update()
{
    quint64 shown = m_mocks->state(m_mock).running() ? m_mock : 0;
    for (const quint64 mock : m_document->ids().mocks()) {
        if (shown == 0 && m_mocks->state(mock).running())
            shown = mock;
    }
    const MockState state = m_mocks->state(shown);
    m_url = state.url;
    const Theme::Role role = shown != 0 ? Theme::Role::Good : Theme::Role::Muted;
    m_dot->setPixmap(Theme::icon(shown != 0 ? u"running"_s : u"stopped"_s, role).pixmap(QSize(16, 16), devicePixelRatioF()));
    const ImposterPtr imposter = m_document->mock(shown);
    m_server->setFullText(imposter ? u"%1  %2"_s.arg(qtext(imposter->displayName()), m_url)
                          : m_document->isOpen() ? tr("No mock is running") : QString());
    m_dot->setVisible(m_document->isOpen());
    m_copy->setVisible(shown != 0);
    const QLocale locale;
    QString counts;
    if (m_mocks->runningCount() > 0) {
        const double rate = m_mocks->perSecond();
        counts = (m_mocks->received() == 1 ? tr("%1 request, %2/s, %3 unmatched") : tr("%1 requests, %2/s, %3 unmatched"))
                     .arg(locale.toString(static_cast<qulonglong>(m_mocks->received())),
                          locale.toString(rate, 'f', rate > 0 && rate < 10 ? 1 : 0),
                          locale.toString(static_cast<qulonglong>(m_mocks->unmatched())));
    }
    m_counts->setFullText(m_said.isEmpty() ? counts : m_said);
}

void StatusLine::updateSaved()
{
    if (!m_document->isOpen())
        m_saved->clear();
    else if (m_document->isModified())
        m_saved->setText(tr("Modified"));
    else
        m_saved->setText(m_document->filePath().isEmpty() ? tr("Not saved yet") : tr("Saved"));
}

} // namespace wardbench
