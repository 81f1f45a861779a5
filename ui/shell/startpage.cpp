#include "shell/startpage.h"

#include "shell/theme.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

QLabel *heading(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    QFont font = label->font();
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

QLabel *muted(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setWordWrap(true);
    return label;
}

QString dayOf(const QFileInfo &info)
{
    const qint64 days = info.lastModified().date().daysTo(QDate::currentDate());
    return days == 0 ? QObject::tr("today") : days == 1 ? QObject::tr("yesterday") : QLocale().toString(info.lastModified().date(), QLocale::ShortFormat);
}

} // namespace

StartPage::StartPage(QWidget *parent)
    : QWidget(parent), m_demo(new QPushButton(tr("Try the &demo  (Enter)"), this)), m_recent(new QListWidget(this)),
      m_none(muted(tr("No files yet: what you open or save is listed here."), this))
{
    auto *column = new QWidget(this);
    column->setMaximumWidth(760);
    auto *inner = new QVBoxLayout(column);
    inner->setContentsMargins(24, 24, 24, 24);
    inner->setSpacing(0);
    inner->addStretch(2);
    auto *title = new QLabel(u"Wardbench"_s, this);
    QFont big = title->font();
    big.setPointSizeF(big.pointSizeF() * 2.4);
    big.setWeight(QFont::DemiBold);
    title->setFont(big);
    inner->addWidget(title);
    inner->addSpacing(8);
    inner->addWidget(muted(tr("Build the flaky back end, put your policy in front of it, measure what it buys you."), this));
    inner->addSpacing(24);
    inner->addLayout(buttonRow());
    inner->addSpacing(32);
    inner->addLayout(lists());
    inner->addStretch(3);
    auto *outer = new QHBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addStretch(1);
    outer->addWidget(column, 100);
    outer->addStretch(1);
    setRecentFiles({});
}

QLayout *StartPage::buttonRow()
{
    auto *fresh = new QPushButton(Theme::icon(u"new"_s), tr("&New workspace"), this);
    auto *open = new QPushButton(Theme::icon(u"open"_s), tr("&Open\u2026"), this);
    m_demo->setProperty("primary", true);
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    for (QPushButton *button : {m_demo, fresh, open}) {
        button->setAutoDefault(true); // Enter presses what has the focus
        button->setFixedHeight(button->sizeHint().height() + 8);
        buttons->addWidget(button);
    }
    m_demo->setDefault(true);
    buttons->addSpacing(8);
    auto *drop = muted(tr("or drop a file anywhere"), this);
    drop->setWordWrap(false);
    buttons->addWidget(drop);
    buttons->addStretch();
    connect(m_demo, &QPushButton::clicked, this, &StartPage::demoRequested);
    connect(fresh, &QPushButton::clicked, this, &StartPage::newRequested);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    return buttons;
}

QLayout *StartPage::lists()
{
    m_recent->setFrameShape(QFrame::NoFrame);
    m_recent->setAccessibleName(tr("Recent files"));
    m_recent->viewport()->setBackgroundRole(QPalette::Window);
    m_recent->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_recent->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    auto *lists = new QGridLayout;
    lists->setHorizontalSpacing(32);
    lists->setVerticalSpacing(8);
    lists->addWidget(heading(tr("Recent"), this), 0, 0);
    lists->addWidget(m_none, 1, 0, Qt::AlignTop);
    lists->addWidget(m_recent, 2, 0);
    lists->addWidget(heading(tr("Opens also"), this), 0, 1);
    lists->addWidget(muted(tr("mountebank imposters (JSON), as they are"), this), 1, 1, 2, 1, Qt::AlignTop);
    lists->setColumnStretch(0, 3);
    lists->setColumnStretch(1, 2);
    lists->setRowStretch(2, 1);
    const auto chosen = [this](const QListWidgetItem *item) { Q_EMIT fileRequested(item->data(Qt::UserRole).toString()); };
    connect(m_recent, &QListWidget::itemActivated, this, chosen);
    connect(m_recent, &QListWidget::itemClicked, this, chosen);
    return lists;
}

void StartPage::setRecentFiles(const QStringList &files)
{
    m_recent->clear();
    for (const QString &file : files) {
        const QFileInfo info(file);
        if (!info.exists())
            continue;
        QString folder = QDir::toNativeSeparators(info.absolutePath());
        if (folder.startsWith(QDir::homePath()))
            folder.replace(0, QDir::homePath().size(), u"~"_s);
        auto *item = new QListWidgetItem(tr("%1    %2    %3", "file, day, folder").arg(info.fileName(), dayOf(info), folder), m_recent);
        item->setData(Qt::UserRole, file);
        item->setToolTip(QDir::toNativeSeparators(file));
    }
    m_recent->setVisible(m_recent->count() > 0);
    m_none->setVisible(m_recent->count() == 0);
    const int rows = std::min(m_recent->count(), 8);
    m_recent->setFixedHeight(rows > 0 ? m_recent->sizeHintForRow(0) * rows + 4 : 0);
}

void StartPage::takeFocus()
{
    m_demo->setFocus(Qt::OtherFocusReason);
}

} // namespace wardbench
