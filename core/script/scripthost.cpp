#include "script/scripthost.h"

#include <QThread>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace wardbench {
namespace {

/// Deep structures and generators use the machine's stack.
constexpr unsigned stackBytes = 64u << 20;
/// How long a thread that is told to end may take; then it is left to itself.
constexpr unsigned long endLimit_ms = 2000;

constexpr const char *stuckWords = "the script thread is busy with a script that cannot be stopped";

class Task;
/// Takes a task from those that are given up on together; false when its result is not wanted any more.
using Settled = std::function<bool(const Task *)>;

/// One thing asked of the host. It is settled once: by its result, or by giving up.
class Task
{
public:
    virtual ~Task() = default;
    virtual void run(ScriptEngine &engine, const std::shared_ptr<Task> &self) = 0;
    virtual void giveUp() = 0;

protected:
    bool settle() { return !m_settled.exchange(true); }

private:
    std::atomic<bool> m_settled{false};
};

/// A task whose result goes home.
template <typename T>
class Question final : public Task
{
public:
    using Ask = std::function<void(ScriptEngine &, ScriptEngine::Callback<T>)>;
    Question(ScriptReply<T> reply, Ask ask, const char *message, std::string source, Settled settled)
        : m_reply(std::move(reply)), m_ask(std::move(ask)), m_failure{message, std::move(source), stuckWords},
          m_settled(std::move(settled))
    {
    }

    void run(ScriptEngine &engine, const std::shared_ptr<Task> &self) override
    {
        m_ask(engine, [this, self](ScriptOutcome<T> outcome) {
            if (m_settled(this))
                give(std::move(outcome));
        });
    }
    void giveUp() override { give(m_failure); }

private:
    void give(ScriptOutcome<T> outcome)
    {
        if (!settle())
            return;
        if (!m_reply.home)
            return m_reply.done(std::move(outcome));
        m_reply.home([done = std::move(m_reply.done), outcome = std::move(outcome)] { done(outcome); });
    }

    ScriptReply<T> m_reply;
    Ask m_ask;
    ScriptFailure m_failure;
    Settled m_settled;
};

class Work final : public Task
{
public:
    Work(std::function<void(ScriptEngine &)> work, std::function<void()> giveUp, Settled settled)
        : m_work(std::move(work)), m_giveUp(std::move(giveUp)), m_settled(std::move(settled))
    {
    }

    void run(ScriptEngine &engine, const std::shared_ptr<Task> &) override
    {
        m_work(engine);
        m_settled(this);
        settle();
    }
    void giveUp() override
    {
        if (settle() && m_giveUp)
            m_giveUp();
    }

private:
    std::function<void(ScriptEngine &)> m_work;
    std::function<void()> m_giveUp;
    Settled m_settled;
};

/// Threads whose host went away on the thread itself, with the last of its work. Nobody can wait for them there: they
/// are deleted, once they have ended, when a later host starts. Any thread.
class LeftThreads
{
public:
    static LeftThreads &instance()
    {
        static auto *const all = new LeftThreads; // some may still run when the program ends
        return *all;
    }
    void add(QThread *thread)
    {
        const std::lock_guard lock(m_mutex);
        m_threads.push_back(thread);
    }
    void deleteEnded()
    {
        const std::lock_guard lock(m_mutex);
        std::erase_if(m_threads, [](QThread *thread) {
            const bool ended = thread->isFinished() && thread->wait();
            if (ended)
                delete thread;
            return ended;
        });
    }

private:
    std::mutex m_mutex;
    std::vector<QThread *> m_threads;
};

} // namespace

/// Shared by the host and its thread, which may outlive it.
class ScriptHost::Private : public std::enable_shared_from_this<ScriptHost::Private>
{
public:
    explicit Private(Options options) : m_options(std::move(options)) {}

    void start()
    {
        LeftThreads::instance().deleteEnded();
        m_thread = QThread::create([self = shared_from_this()] { self->run(); });
        m_thread->setObjectName(QStringLiteral("script"));
        m_thread->setStackSize(stackBytes);
        m_thread->start();
    }

    void stop()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_stopping = true;
            m_queue.clear();
            if (m_engine)
                m_engine->interrupt();
        }
        m_changed.notify_all();
        if (m_thread == QThread::currentThread())
            LeftThreads::instance().add(m_thread);
        else if (m_thread->wait(endLimit_ms))
            delete m_thread; // else both are lost: there is no way to stop it
    }

    template <typename T>
    void ask(ScriptReply<T> reply, typename Question<T>::Ask ask, const char *message, const std::string &source)
    {
        add(std::make_shared<Question<T>>(std::move(reply), std::move(ask), message, source, settled()));
    }

    void add(std::shared_ptr<Task> task)
    {
        {
            const std::lock_guard lock(m_mutex);
            if (m_stopping)
                return;
            if (!m_stuck) {
                m_open.emplace(task.get(), task);
                m_queue.push_back(std::move(task));
            }
        }
        if (task)
            task->giveUp();
        else
            m_changed.notify_one();
    }

    Settled settled()
    {
        return [this](const Task *task) { // tasks live no longer than this: the queue, the open ones, the engine
            const std::lock_guard lock(m_mutex);
            m_open.erase(task);
            return !m_stopping;
        };
    }

private:
    using OpenTasks = std::unordered_map<const Task *, std::shared_ptr<Task>>;

    void run()
    {
        ScriptEngine engine({m_options.timeLimit, m_options.answerLimit, m_options.log, [this] {
                                 giveUp();
                             }});
        std::unique_lock lock(m_mutex);
        m_engine = &engine;
        while (!m_stopping) {
            m_stuck = false;
            const TimePoint due = engine.nextDue();
            if (m_queue.empty() && due == TimePoint::max())
                m_changed.wait(lock);
            else if (m_queue.empty() && due > std::chrono::steady_clock::now())
                m_changed.wait_until(lock, due);
            if (m_stopping)
                break;
            std::shared_ptr<Task> task;
            if (!m_queue.empty()) {
                task = std::move(m_queue.front());
                m_queue.pop_front();
            }
            lock.unlock();
            if (task)
                task->run(engine, task);
            engine.runDue();
            task.reset();
            lock.lock();
        }
        m_engine = nullptr;
        const auto open = std::move(m_open);
        lock.unlock();
    }

    /// On the watchdog's thread, while a script runs that does not stop.
    void giveUp()
    {
        OpenTasks open;
        {
            const std::lock_guard lock(m_mutex);
            m_stuck = true;
            open.swap(m_open);
            m_queue.clear();
        }
        for (const auto &[address, task] : open)
            task->giveUp();
    }

    const Options m_options;
    QThread *m_thread = nullptr;
    std::mutex m_mutex; ///< what follows
    std::condition_variable m_changed;
    std::deque<std::shared_ptr<Task>> m_queue;
    OpenTasks m_open; ///< not settled yet, queued or not
    ScriptEngine *m_engine = nullptr;
    bool m_stuck = false;
    bool m_stopping = false;
};

ScriptHost::ScriptHost(Options options) : d(std::make_shared<Private>(std::move(options)))
{
    d->start();
}

ScriptHost::~ScriptHost()
{
    d->stop();
}

void ScriptHost::predicate(std::string script, json::Value request, ScriptReply<bool> reply)
{
    d->ask<bool>(
        std::move(reply),
        [script, request = std::move(request)](ScriptEngine &engine, const ScriptEngine::Callback<bool> &done) {
            done(engine.predicate(script, request));
        },
        "invalid predicate injection", script);
}

void ScriptHost::respond(std::string script, json::Value request, ScriptReply<json::Value> reply)
{
    d->ask<json::Value>(
        std::move(reply),
        [script, request = std::move(request)](ScriptEngine &engine, ScriptEngine::Callback<json::Value> done) {
            engine.respond(script, request, std::move(done));
        },
        "invalid response injection", script);
}

void ScriptHost::decorate(std::string script, json::Value request, json::Value response, ScriptReply<json::Value> reply)
{
    d->ask<json::Value>(
        std::move(reply),
        [script, request = std::move(request),
         response = std::move(response)](ScriptEngine &engine, ScriptEngine::Callback<json::Value> done) {
            engine.decorate(script, request, response, std::move(done));
        },
        "invalid decorator injection", script);
}

void ScriptHost::wait(std::string script, ScriptReply<Nanoseconds> reply)
{
    d->ask<Nanoseconds>(
        std::move(reply),
        [script](ScriptEngine &engine, const ScriptEngine::Callback<Nanoseconds> &done) { done(engine.wait(script)); },
        "invalid wait injection", script);
}

void ScriptHost::generatePredicates(std::string script, json::Value request, ScriptReply<json::Value> reply)
{
    d->ask<json::Value>(
        std::move(reply),
        [script, request = std::move(request)](ScriptEngine &engine, const ScriptEngine::Callback<json::Value> &done) {
            done(engine.generatePredicates(script, request));
        },
        "invalid predicateGenerator injection", script);
}

void ScriptHost::isEndOfRequest(std::string script, std::string data, bool binary, ScriptReply<bool> reply)
{
    d->ask<bool>(
        std::move(reply),
        [script, data = std::move(data), binary](ScriptEngine &engine, const ScriptEngine::Callback<bool> &done) {
            done(engine.isEndOfRequest(script, data, binary));
        },
        "invalid endOfRequestResolver injection", script);
}

void ScriptHost::post(std::function<void(ScriptEngine &)> work, std::function<void()> giveUp)
{
    d->add(std::make_shared<Work>(std::move(work), std::move(giveUp), d->settled()));
}

} // namespace wardbench
