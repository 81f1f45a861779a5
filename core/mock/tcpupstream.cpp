#include "mock/tcpupstream.h"

#include "http/authority.h"
#include "transport/nameresolver.h"

#include <asio/connect.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>

#include <algorithm>
#include <array>

namespace wardbench::mock {

/// Resolves, connects, writes, reads. Kept alive by what it waits for.
class TcpUpstream::Running final : public TcpUpstream::Call, public std::enable_shared_from_this<Running>
{
public:
    Running(const TcpUpstream &upstream, std::string bytes, asio::io_context &loop, WholeRule rule,
            std::function<void(Reply &&)> done)
        : m_upstream(upstream), m_bytes(std::move(bytes)), m_rule(std::move(rule)), m_done(std::move(done)),
          m_loop(loop), m_resolver(loop), m_socket(loop), m_timer(loop)
    {
    }

    void start()
    {
        limit(m_upstream.m_rules.timeouts.connect, "no connection in time");
        m_resolver.async_resolve(m_upstream.m_host, std::to_string(m_upstream.m_port),
                                 [self = shared_from_this()](std::error_code problem, const auto &found) {
                                     if (!self->m_finished)
                                         self->resolved(problem, found);
                                 });
    }

    void cancel() override
    {
        m_done = nullptr;
        m_finished = true;
        m_resolver.cancel();
        close();
    }

private:
    void resolved(std::error_code problem, const asio::ip::tcp::resolver::results_type &found)
    {
        if (problem || found.empty())
            return fail({"invalid proxy", "Cannot resolve \"" + m_upstream.m_to + '"'});
        std::vector<asio::ip::tcp::endpoint> endpoints;
        for (const auto &entry : found) {
            if (mayReach(entry.endpoint().address(), m_upstream.m_rules.linkLocal,
                         m_upstream.m_rules.mayLoopBack(m_upstream.m_port)))
                endpoints.push_back(entry.endpoint());
        }
        if (endpoints.empty())
            return broken("the address " + found.begin()->endpoint().address().to_string() + " must not be reached");
        asio::async_connect(m_socket, endpoints, [self = shared_from_this()](std::error_code problem, const auto &) {
            if (self->m_finished)
                return;
            if (problem)
                return self->unable();
            self->write();
        });
    }

    void write()
    {
        limit(m_upstream.m_rules.timeouts.answer, "no reply in time");
        asio::async_write(m_socket, asio::buffer(m_bytes), [self = shared_from_this()](std::error_code problem, auto) {
            if (!self->m_finished && problem)
                self->unable();
        });
        read();
    }

    void read()
    {
        m_socket.async_read_some(
            asio::buffer(m_buffer),
            [self = shared_from_this()](std::error_code problem, std::size_t size) { self->received(problem, size); });
    }

    void received(std::error_code problem, std::size_t size)
    {
        if (m_finished) { // kept alive: what still comes is of no interest
            if (!problem && m_socket.is_open())
                read();
            return;
        }
        if (problem == asio::error::eof)
            return finish();
        if (problem)
            return unable();
        m_reply.data.append(m_buffer.data(), size);
        if (m_reply.data.size() > mostHeld)
            return broken("the reply is larger than 64 MiB");
        if (!m_rule)
            return finish();
        m_rule(m_reply.data, [self = shared_from_this()](bool whole) {
            if (self->m_finished)
                return;
            if (whole)
                self->finish();
            else
                self->read();
        });
    }

    void finish()
    {
        m_finished = true;
        m_timer.cancel();
        if (m_upstream.m_keepAlive && m_socket.is_open()) {
            limit(m_upstream.m_rules.timeouts.answer, {});
            read(); // to its end
        } else {
            close();
        }
        deliver();
    }

    void unable() { fail({"invalid proxy", "Unable to connect to \"" + m_upstream.m_to + '"'}); }
    void broken(const std::string &text) { fail({"invalid proxy", "Proxy to \"" + m_upstream.m_to + "\": " + text}); }
    void fail(ProxyFailure failure)
    {
        m_finished = true;
        m_reply.failure = std::move(failure);
        m_reply.data.clear();
        close();
        deliver();
    }

    /// On a turn of its own: addresses are found at once, and a rule may answer at once.
    void deliver()
    {
        const auto took = std::chrono::steady_clock::now() - m_started;
        m_reply.time = std::chrono::round<std::chrono::milliseconds>(took);
        asio::post(m_loop, [self = shared_from_this()] {
            if (const auto done = std::exchange(self->m_done, nullptr))
                done(std::move(self->m_reply));
        });
    }

    void close()
    {
        std::error_code ignored;
        m_socket.close(ignored);
        m_timer.cancel();
    }

    void limit(Nanoseconds time, std::string text)
    {
        m_timer.cancel();
        if (time <= Nanoseconds(0))
            return;
        m_timer.expires_after(time);
        m_timer.async_wait([weak = weak_from_this(), text = std::move(text)](std::error_code problem) {
            const auto self = weak.lock();
            if (!self || problem)
                return;
            if (self->m_finished)
                self->close();
            else
                self->fail({"ETIMEDOUT", "Proxy to \"" + self->m_upstream.m_to + "\": " + text});
        });
    }

    const TcpUpstream m_upstream;
    const std::string m_bytes;
    const WholeRule m_rule;
    std::function<void(Reply &&)> m_done;
    asio::io_context &m_loop;
    asio::ip::tcp::resolver m_resolver;
    asio::ip::tcp::socket m_socket;
    asio::steady_timer m_timer;
    std::array<char, 64 * 1024> m_buffer;
    Reply m_reply;
    const TimePoint m_started = std::chrono::steady_clock::now();
    bool m_finished = false;
};

Result<TcpUpstream::Ptr> TcpUpstream::make(const Proxy &proxy, const ProxyRules &rules)
{
    const auto bad = [](const std::string &text) {
        return wardbench::fail(text, Error::Code::BadInput);
    };
    if (!proxy.to.starts_with("tcp://"))
        return bad("Unable to proxy to any protocol other than tcp");
    std::string_view rest = std::string_view(proxy.to).substr(6);
    rest = rest.substr(0, rest.find_first_of("/?#"));
    http::Authority authority;
    if (!http::splitAuthority(rest, authority) || authority.host.empty() || authority.hasUserInfo ||
        authority.port <= 0)
        return bad("to: \"" + proxy.to + "\" is no address; expected one like tcp://localhost:8080");
    const std::shared_ptr<TcpUpstream> made(new TcpUpstream);
    made->m_to = proxy.to;
    made->m_host = std::string(authority.host);
    made->m_port = static_cast<std::uint16_t>(authority.port);
    made->m_keepAlive = proxy.keepAlive;
    made->m_rules = rules;
    return Ptr(made);
}

std::shared_ptr<TcpUpstream::Call> TcpUpstream::ask(std::string bytes, asio::io_context &loop, WholeRule rule,
                                                    std::function<void(Reply &&)> done) const
{
    const auto running = std::make_shared<Running>(*this, std::move(bytes), loop, std::move(rule), std::move(done));
    running->start();
    return running;
}

} // namespace wardbench::mock
