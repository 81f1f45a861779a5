#pragma once

#include "model/policy.h"
#include "transport/transport.h"

#include <QObject>

#include <memory>

namespace wardbench {

/// Sends one request twice, one after the other, through a policy's modules, and says what each of them did. GUI thread.
class PolicyTrial : public QObject
{
    Q_OBJECT

public:
    PolicyTrial();
    ~PolicyTrial() override;

    void start(const Policy &policy, const ClientRequest &request);

Q_SIGNALS:
    /// "1st: miss, 41 ms   2nd: cache, 0.0 ms", growing.
    void progressed(const QString &text);

private:
    class Private;
    void sendNext();
    std::unique_ptr<Private> d;
};

} // namespace wardbench
