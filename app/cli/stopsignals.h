#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <memory>

namespace wardbench::cli {

/// Turns SIGINT and SIGTERM into a Qt signal, as long as it lives: one at a time in a program. The second signal ends
/// the process at once, with `secondExit`.
class StopSignals final : public QObject
{
    Q_OBJECT

public:
    explicit StopSignals(int secondExit, QObject *parent = nullptr);
    ~StopSignals() override;

Q_SIGNALS:
    void stopRequested();

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
};

} // namespace wardbench::cli
