#include "models/journalmodel.h"

#include "shell/theme.h"
#include "widgets/text.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <chrono>

namespace wardbench {

using namespace Qt::StringLiterals;
using namespace std::chrono;

namespace {

qint64 milliseconds(const JournalEntry &entry)
{
    return duration_cast<std::chrono::milliseconds>(entry.time.time_since_epoch()).count();
}

} // namespace

JournalModel::JournalModel(QObject *parent, int capacity) : QAbstractTableModel(parent), m_capacity(capacity) {}

bool JournalModel::countsAsBurst(quint64 mock, const JournalEntry &entry)
{
    auto &[second, count] = m_second[mock];
    const qint64 now = milliseconds(entry) / 1000;
    if (now != second) {
        second = now;
        count = 0;
    }
    return ++count > burstPerSecond;
}

void JournalModel::append(quint64 mock, const QString &mockName, const QVector<JournalEntryPtr> &entries,
                          const std::function<int(StubId)> &responsesOf)
{
    const int skipped = std::max(0, static_cast<int>(entries.size()) - m_capacity);
    const int added = static_cast<int>(entries.size()) - skipped;
    if (added == 0)
        return;
    const int excess = static_cast<int>(m_rows.size()) + added - m_capacity;
    if (excess > 0) {
        beginRemoveRows({}, 0, excess - 1);
        m_rows.erase(m_rows.begin(), m_rows.begin() + excess);
        endRemoveRows();
    }
    const int first = static_cast<int>(m_rows.size());
    beginInsertRows({}, first, first + added - 1);
    for (int i = skipped; i < entries.size(); ++i) {
        Row row;
        row.mock = mock;
        row.mockName = mockName;
        row.entry = entries[i];
        row.responses = row.entry->stub != 0 ? responsesOf(row.entry->stub) : 0;
        row.burst = countsAsBurst(mock, *row.entry);
        m_rows.push_back(std::move(row));
    }
    endInsertRows();
}

void JournalModel::clear()
{
    if (m_rows.empty())
        return;
    beginRemoveRows({}, 0, static_cast<int>(m_rows.size()) - 1);
    m_rows.clear();
    endRemoveRows();
}

int JournalModel::find(const JournalEntryPtr &entry) const
{
    for (std::size_t i = m_rows.size(); i-- > 0;) {
        if (m_rows[i].entry == entry)
            return static_cast<int>(i);
    }
    return -1;
}

void JournalModel::themeChanged()
{
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, ColumnCount - 1), {Qt::ForegroundRole});
}

int JournalModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int JournalModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString JournalModel::answerText(const JournalEntry &entry, int responses)
{
    if (entry.stub == 0)
        return tr("no match: default %1").arg(entry.response.status);
    QString text = qtext(entry.stubName);
    if (responses > 1 && entry.responseIndex >= 0)
        text = tr("%1 (%2 of %3)").arg(text).arg(entry.responseIndex + 1).arg(responses);
    return entry.fault.empty() ? text : tr("%1, fault: %2").arg(text, qtext(entry.fault));
}

QString JournalModel::durationText(Nanoseconds duration)
{
    const double ms = static_cast<double>(duration.count()) / 1e6;
    const QLocale locale;
    if (ms < 1)
        return tr("%1 ms").arg(locale.toString(ms, 'f', ms < 0.05 ? 0 : 1));
    return ms < 10'000 ? tr("%1 ms").arg(locale.toString(std::round(ms), 'f', 0)) : tr("%1 s").arg(locale.toString(ms / 1000, 'f', 1));
}

QVariant JournalModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    const JournalEntry &entry = *row.entry;
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case Time: return QDateTime::fromMSecsSinceEpoch(milliseconds(entry)).toString(u"HH:mm:ss.zzz"_s);
        case Method: return qtext(entry.request.method);
        case Path: return qtext(entry.request.target);
        case Status: return QString::number(entry.response.status);
        case Duration: return durationText(entry.duration);
        case Mock: return row.mockName;
        case Answer: return answerText(entry, row.responses);
        default: return {};
        }
    case Qt::ToolTipRole: return index.column() == Path || index.column() == Answer ? data(index, Qt::DisplayRole) : QVariant();
    case Qt::AccessibleTextRole:
        if (index.column() == Time) {
            return tr("%1 %2, %3, %4").arg(qtext(entry.request.method), qtext(entry.request.target))
                .arg(entry.response.status).arg(answerText(entry, row.responses));
        }
        return {};
    case Qt::TextAlignmentRole:
        return QVariant::fromValue((index.column() == Duration ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        switch (index.column()) {
        case Method: return Theme::instance().methodColor(qtext(entry.request.method));
        case Status: return Theme::instance().statusColor(entry.response.status);
        case Answer: return entry.stub == 0 ? QVariant(Theme::instance().color(Theme::Role::Warn)) : QVariant();
        case Time:
        case Duration:
        case Mock: return Theme::instance().color(Theme::Role::Muted);
        default: return {};
        }
    case MockRole: return QVariant::fromValue(row.mock);
    case StubRole: return QVariant::fromValue(static_cast<quint64>(entry.stub));
    case BurstRole: return row.burst;
    case UnmatchedRole: return isUnmatched(entry);
    default: return {};
    }
}

QVariant JournalModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time: return tr("Time");
    case Method: return tr("Method");
    case Path: return tr("Path");
    case Status: return tr("Status");
    case Duration: return tr("Took");
    case Mock: return tr("Mock");
    case Answer: return tr("Answered by");
    default: return {};
    }
}

void JournalFilter::setShow(Show show)
{
    m_show = show;
    invalidateFilter();
}

void JournalFilter::setText(const QString &text)
{
    m_text = text.trimmed();
    invalidateFilter();
}

bool JournalFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    const auto cell = [&](int column, int role) { return sourceModel()->index(row, column, parent).data(role); };
    if (m_show == Show::ByHand && cell(0, JournalModel::BurstRole).toBool())
        return false;
    if (m_show == Show::Unmatched && !cell(0, JournalModel::UnmatchedRole).toBool())
        return false;
    if (m_text.isEmpty())
        return true;
    for (const int column : {JournalModel::Path, JournalModel::Method, JournalModel::Status, JournalModel::Mock, JournalModel::Answer}) {
        if (cell(column, Qt::DisplayRole).toString().contains(m_text, Qt::CaseInsensitive))
            return true;
    }
    return false;
}

} // namespace wardbench
