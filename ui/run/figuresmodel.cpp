#include "run/figuresmodel.h"

#include "charts/chartcolours.h"
#include "report/chartdata.h"
#include "report/format.h"
#include "report/text.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QFont>
#include <QPainter>
#include <QPixmap>

namespace wardbench {

namespace {

QString speedUpOf(const ContestantResult &contestant)
{
    if (!contestant.durationRatio)
        return QStringLiteral("-");
    return qtext(report::ratioText(contestant.speedupMedian)) + u'x';
}

} // namespace

void FiguresModel::show(const RunResult &result, bool finished)
{
    std::vector<Row> rows;
    for (const ContestantResult &contestant : result.contestants) {
        const Measurement &total = contestant.total;
        Row row;
        row.failed = total.errors > 0;
        row.cells[Name] = qtext(contestant.name);
        row.cells[Runs] = qtext(report::grouped(total.runs));
        row.cells[Errors] = qtext(report::grouped(total.errors));
        row.cells[Rate] = total.duration_ms > 0 ? qtext(report::decimalText(total.requestsPerSecond(), 0)) : QStringLiteral("-");
        row.cells[P50] = qtext(report::percentileText(total.latency, 50));
        row.cells[P95] = qtext(report::percentileText(total.latency, 95));
        row.cells[P99] = qtext(report::percentileText(total.latency, 99));
        row.cells[Max] = total.latency.count() > 0 ? qtext(report::milliseconds(total.latency.max())) : QStringLiteral("-");
        row.cells[Upstream] = qtext(report::grouped(total.upstream_hits));
        row.cells[SpeedUp] = finished ? speedUpOf(contestant) : QStringLiteral("-");
        rows.push_back(std::move(row));
    }
    if (rows.size() != m_rows.size()) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void FiguresModel::setDark(bool dark)
{
    m_dark = dark;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int FiguresModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FiguresModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant FiguresModel::mark(int row) const
{
    QPixmap pixmap(28, 12);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto contestant = static_cast<std::size_t>(row);
    const auto colours = m_dark ? charts::Colours::Dark : charts::Colours::Light;
    painter.setPen(charts::linePen(charts::coloursOf(colours).line(contestant), contestant, 3));
    painter.drawLine(1, 6, 27, 6);
    return pixmap;
}

QVariant FiguresModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return row.cells[index.column()];
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((index.column() == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    case Qt::DecorationRole: return index.column() == Name ? mark(index.row()) : QVariant();
    case Qt::ForegroundRole:
        return index.column() == Errors && row.failed ? Theme::instance().color(Theme::Role::Bad) : QVariant();
    case Qt::FontRole:
        if (index.column() == Errors && row.failed) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2: %3").arg(row.cells[Name], headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(),
                                                row.cells[index.column()]);
    default: return {};
    }
}

QVariant FiguresModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    if (role == Qt::DisplayRole) {
        const QString names[ColumnCount]{tr("Contestant"), tr("Runs"), tr("Errors"), tr("req/s"), tr("p50 ms"), tr("p95 ms"),
                                         tr("p99 ms"), tr("Max ms"), tr("Upstream"), tr("Speed-up")};
        return names[section];
    }
    if (role == Qt::ToolTipRole && section >= P50 && section <= P99)
        return tr("All answered requests. A dash: fewer than 10 samples lie beyond this percentile.");
    if (role == Qt::ToolTipRole && section == Upstream)
        return tr("Requests that reached the mock in the measured phases.");
    if (role == Qt::ToolTipRole && section == SpeedUp)
        return tr("Median over the repetitions of the first contestant's duration by this one's.");
    return {};
}

} // namespace wardbench
