#pragma once

#include "document/mockcontroller.h"

#include <QNetworkAccessManager>
#include <QObject>

#include <chrono>
#include <vector>

namespace wardbench {

/// Sends single requests by hand to the window's own mocks and finds the journal entry each one made. GUI thread.
class TestRequest : public QObject
{
    Q_OBJECT

public:
    explicit TestRequest(MockController *mocks, QObject *parent = nullptr);

    /// Starts the mock when it is stopped. False when it cannot be; state() of the mock says why.
    bool send(quint64 mock, const ExampleRequest &request);

Q_SIGNALS:
    /// The answer came and the journal has it.
    void answered(quint64 mock, const wardbench::JournalEntryPtr &entry);
    void failed(const QString &reason);

private:
    struct Pending
    {
        quint64 mock = 0;
        std::chrono::system_clock::time_point since;
        std::string method, target;
        bool replied = false;
        int polls = 0; ///< since the reply
    };
    void replied(quint64 ticket, const QString &error);
    void look(quint64 mock, const QVector<JournalEntryPtr> &entries);
    void retry();

    MockController *m_mocks;
    QNetworkAccessManager m_network;
    std::vector<std::pair<quint64, Pending>> m_pending;
    quint64 m_nextTicket = 1;
    QTimer m_retry;
};

} // namespace wardbench
