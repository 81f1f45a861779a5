#pragma once

#include "mock/mockservice.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QSortFilterProxyModel>
#include <QVector>

#include <deque>
#include <functional>

namespace wardbench {

/// The requests the mocks received, oldest first. Bounded: the oldest rows leave. Rows come in batches.
class JournalModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Time, Method, Path, Status, Duration, Mock, Answer, ColumnCount };
    enum Role { MockRole = Qt::UserRole, StubRole, BurstRole, UnmatchedRole };
    static constexpr int defaultCapacity = 10'000;
    /// A mock that receives more than this in one second is under load: not by hand.
    static constexpr int burstPerSecond = 40;

    struct Row
    {
        quint64 mock = 0;
        QString mockName;
        JournalEntryPtr entry;
        int responses = 0; ///< the stub had, then
        bool burst = false;
    };

    explicit JournalModel(QObject *parent = nullptr, int capacity = defaultCapacity);

    void append(quint64 mock, const QString &mockName, const QVector<JournalEntryPtr> &entries,
                const std::function<int(StubId)> &responsesOf);
    void clear();
    const Row &row(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    /// Row of an entry, newest first; -1 when it is gone.
    int find(const JournalEntryPtr &entry) const;
    void themeChanged();

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static bool isUnmatched(const JournalEntry &entry) { return entry.stub == 0; }
    static QString answerText(const JournalEntry &entry, int responses);
    static QString durationText(Nanoseconds duration);

private:
    bool countsAsBurst(quint64 mock, const JournalEntry &entry);

    int m_capacity;
    std::deque<Row> m_rows;
    QHash<quint64, std::pair<qint64, int>> m_second; ///< per mock: second, requests in it
};

/// The journal's default view leaves out what came in bursts; also filters by text.
class JournalFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    enum class Show { ByHand, All, Unmatched };

    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setShow(Show show);
    void setText(const QString &text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    Show m_show = Show::ByHand;
    QString m_text;
};

} // namespace wardbench
