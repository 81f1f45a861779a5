#include "run/loadloop.h"

#include "run/environment.h"
#include "transport/asioscheduler.h"
#include "transport/qtscheduler.h"
#include "transport/qttransport.h"
#include "transport/sockettransport.h"

#include <QEventLoop>

#include <asio/executor_work_guard.hpp>

namespace wardbench {
namespace {

class QtLoadLoop final : public LoadLoop
{
public:
    QtLoadLoop(const Scenario &scenario, int connections, bool verify)
        : m_network({.connections = connections,
                     .verify = verify,
                     .ca = scenario.connection.ca,
                     .http2 = scenario.connection.http2})
    {
    }

    Scheduler &scheduler() override { return m_scheduler; }
    Transport &network() override { return m_network; }
    void run() override { m_loop.exec(); }
    void quit() override { m_loop.quit(); }
    Nanoseconds cpuTime() const override { return clientCpuTime(); }

private:
    QtScheduler m_scheduler;
    QtTransport m_network;
    QEventLoop m_loop;
};

class SocketLoadLoop final : public LoadLoop
{
public:
    SocketLoadLoop(const Scenario &scenario, int connections, bool verify)
        : m_scheduler(m_loop), m_network(m_loop, settingsOf(scenario, connections, verify))
    {
    }

    Scheduler &scheduler() override { return m_scheduler; }
    Transport &network() override { return m_network; }
    void run() override
    {
        const auto guard = asio::make_work_guard(m_loop);
        m_loop.run();
    }
    void quit() override { m_loop.stop(); }
    Nanoseconds cpuTime() const override { return threadCpuTime(); }

private:
    static SocketTransportSettings settingsOf(const Scenario &scenario, int connections, bool verify)
    {
        SocketTransportSettings settings;
        settings.connections = connections;
        settings.verify = verify;
        settings.ca = scenario.connection.ca;
        return settings;
    }

    asio::io_context m_loop{1};
    AsioScheduler m_scheduler;
    SocketTransport m_network;
};

} // namespace

std::unique_ptr<LoadLoop> LoadLoop::make(const Scenario &scenario, int connections, bool verify)
{
    const bool checked = scenario.connection.verify.value_or(verify);
    if (scenario.transport == "socket")
        return std::make_unique<SocketLoadLoop>(scenario, connections, checked);
    return std::make_unique<QtLoadLoop>(scenario, connections, checked);
}

} // namespace wardbench
