#pragma once

#include "stats/runresult.h"

#include <QAbstractTableModel>

namespace wardbench {

/// The figures of a run, one row per contestant, each column in one unit.
class FiguresModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Runs, Errors, Rate, P50, P95, P99, Max, Upstream, SpeedUp, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// `finished`: the speed-up is known. Rows that stay keep their selection.
    void show(const RunResult &result, bool finished);
    void setDark(bool dark); ///< the colour marks are the charts'

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        QString cells[ColumnCount];
        bool failed = false; ///< some requests did
    };

    QVariant mark(int row) const;

    std::vector<Row> m_rows;
    bool m_dark = false;
};

} // namespace wardbench
