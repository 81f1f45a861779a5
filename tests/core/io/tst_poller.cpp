// A descriptor whose copy lives on in another process must not be told about any more.
#include "io/poller.h"

#include <QtTest>

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace wardbench;

namespace {

class CountingClient final : public io::Poller::Client
{
public:
    void ready(std::uint32_t) override { ++events; }
    int events = 0;
};

} // namespace

class TestPoller final : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void removedDescriptorIsSilent();
};

void TestPoller::removedDescriptorIsSilent()
{
    asio::io_context loop;
    io::Poller poller(
        loop, [] {}, [] {});
    CountingClient client;
    int pair[2];
    QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair), 0);
    QVERIFY(poller.add(pair[0], &client));
    QCOMPARE(::write(pair[1], "a", 1), ssize_t(1));
    loop.poll();
    QVERIFY(client.events > 0); // it would hear

    const int copy = ::dup(pair[0]); // as a process that is just being forked has one
    poller.remove(pair[0]);
    ::close(pair[0]);
    client.events = 0;
    QCOMPARE(::write(pair[1], "b", 1), ssize_t(1));
    ::close(pair[1]);
    loop.poll();
    QCOMPARE(client.events, 0);
    ::close(copy);
}

QTEST_GUILESS_MAIN(TestPoller)
#include "tst_poller.moc"
