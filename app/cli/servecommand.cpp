#include "cli/servecommand.h"

#include "cli/explain.h"
#include "cli/filewatch.h"
#include "cli/requestlog.h"
#include "cli/serving.h"
#include "cli/stopsignals.h"
#include "cli/usage.h"
#include "io/limits.h"

#include <QCommandLineParser>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QFile>
#include <QHostAddress>
#include <QTimer>

#include <csignal>
#include <optional>
#include <ostream>

namespace wardbench::cli {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto graceForAnswers = 5s;
constexpr int mostIoThreads = 256;

struct Request
{
    ServeOptions options;
    bool watch = false;
    std::optional<QString> explain;
    std::optional<RequestLog::Format> log;
};

/// The command line's meaning, or what is wrong with it.
class Reader
{
public:
    Reader()
    {
        m_parser.addOptions({m_only, m_host, m_threads, m_admin, m_apiKey, m_whitelist, m_origin, m_injection,
                             m_explain, m_watch, m_log});
        m_parser.addPositionalArgument(u"FILE"_s, QString(), u"FILE..."_s);
    }

    QCommandLineParser &parser() { return m_parser; }

    std::optional<Request> request(QString &problem) const
    {
        Request request;
        problem = readMock(request.options.mock);
        if (problem.isEmpty())
            problem = readAdmin(request.options);
        if (problem.isEmpty())
            problem = readLog(request);
        if (problem.isEmpty())
            problem = readFiles(request.options);
        if (!problem.isEmpty())
            return std::nullopt;
        for (const QString &name : m_parser.values(m_only))
            request.options.only.push_back(name.toStdString());
        request.watch = m_parser.isSet(m_watch);
        if (m_parser.isSet(m_explain))
            request.explain = m_parser.value(m_explain);
        return request;
    }

private:
    QString readAdmin(ServeOptions &options) const
    {
        if (m_parser.isSet(m_whitelist)) {
            std::vector<std::string> allowed;
            for (const QString &address : m_parser.value(m_whitelist).split(u'|', Qt::SkipEmptyParts))
                allowed.push_back(address.trimmed().toStdString());
            options.mock.access = std::make_shared<server::AccessRule>(false, allowed);
        }
        options.mock.allowInjection = m_parser.isSet(m_injection);
        if (!m_parser.isSet(m_admin)) {
            const bool stray = m_parser.isSet(m_apiKey) || m_parser.isSet(m_origin);
            return stray ? u"--api-key and --origin belong to the REST API: give --admin-port, too"_s : QString();
        }
        bool isNumber = false;
        const int port = m_parser.value(m_admin).toInt(&isNumber);
        if (!isNumber || port < 0 || port > 65535)
            return u"--admin-port needs a port from 1 to 65535, or 0 for any free one, not \"%1\""_s.arg(
                m_parser.value(m_admin));
        admin::AdminOptions &admin = options.admin.emplace();
        admin.port = static_cast<std::uint16_t>(port);
        admin.host = options.mock.host;
        admin.access = options.mock.access;
        admin.imposters.allowInjection = options.mock.allowInjection;
        admin.gate.apiKey = m_parser.value(m_apiKey).toStdString();
        for (const QString &origin : m_parser.values(m_origin))
            admin.gate.origins.push_back(origin.toStdString());
        if (!admin.host.empty())
            admin.gate.hostNames.push_back(admin.host);
        const bool loopback = admin.host.empty() || admin.host == "localhost" ||
                              QHostAddress(QString::fromStdString(admin.host)).isLoopback();
        if (!loopback && admin.gate.apiKey.empty())
            return u"--admin-port with a --host that other machines reach needs an --api-key"_s;
        admin.facts.version = QCoreApplication::applicationVersion().toStdString();
        admin.facts.options = json::Members{{"port", port}, {"allowInjection", options.mock.allowInjection}};
        options.mock.journalBodyLimit = MockOptions().journalBodyLimit; // recorded requests have bodies
        return {};
    }

    QString readMock(MockOptions &mock) const
    {
        const QString host = m_parser.value(m_host);
        if (m_parser.isSet(m_host) && host != "localhost"_L1 && QHostAddress(host).isNull())
            return u"--host needs an IP address such as 127.0.0.1, ::1 or 0.0.0.0, not \"%1\""_s.arg(host);
        mock.host = host.toStdString();
        mock.journalBodyLimit = 0; // the log tells sizes only
        if (!m_parser.isSet(m_threads))
            return {};
        bool isNumber = false;
        mock.ioThreads = m_parser.value(m_threads).toInt(&isNumber);
        if (!isNumber || mock.ioThreads < 1 || mock.ioThreads > mostIoThreads)
            return u"--io-threads needs a number from 1 to %1, not \"%2\""_s.arg(mostIoThreads)
                .arg(m_parser.value(m_threads));
        return {};
    }

    QString readLog(Request &request) const
    {
        const QString log = m_parser.isSet(m_log) ? m_parser.value(m_log) : u"none"_s;
        if (log == "text"_L1)
            request.log = RequestLog::Format::Text;
        else if (log == "json"_L1)
            request.log = RequestLog::Format::Json;
        else if (log != "none"_L1)
            return u"--log is none, text or json, not \"%1\""_s.arg(log);
        request.options.journal = request.log.has_value();
        return {};
    }

    QString readFiles(ServeOptions &options) const
    {
        const QStringList files = m_parser.positionalArguments();
        if (files.isEmpty() && !options.admin)
            return u"no file given"_s;
        if (files.count(u"-"_s) > 1)
            return u"standard input can be read once only"_s;
        for (const QString &file : files)
            options.files.push_back(fileName(file));
        return {};
    }

    QCommandLineParser m_parser;
    const QCommandLineOption m_only{u"only"_s, QString(), u"NAME"_s};
    const QCommandLineOption m_host{u"host"_s, QString(), u"ADDRESS"_s};
    const QCommandLineOption m_threads{u"io-threads"_s, QString(), u"N"_s};
    const QCommandLineOption m_admin{u"admin-port"_s, QString(), u"N"_s};
    const QCommandLineOption m_apiKey{u"api-key"_s, QString(), u"KEY"_s};
    const QCommandLineOption m_whitelist{u"ip-whitelist"_s, QString(), u"LIST"_s};
    const QCommandLineOption m_origin{u"origin"_s, QString(), u"ORIGIN"_s};
    const QCommandLineOption m_injection{u"allow-injection"_s};
    const QCommandLineOption m_explain{u"explain"_s, QString(), u"REQUEST"_s};
    const QCommandLineOption m_watch{u"watch"_s};
    const QCommandLineOption m_log{u"log"_s, QString(), u"FORMAT"_s};
};

QStringList watchedFiles(const ServeOptions &options)
{
    QStringList files;
    for (const std::string &file : options.files) {
        if (file != "-")
            files << QFile::decodeName(file.c_str());
    }
    return files;
}

bool anythingRunning(const MockService &service)
{
    for (const ImposterStatus &status : service.status()) {
        if (status.counters.inFlight > 0 || status.counters.queued > 0)
            return true;
    }
    return false;
}

/// From the first signal on: no new connections, and time for the answers that are on their way.
void stopGently(MockService &service, QEventLoop &loop)
{
    service.drain();
    auto *timer = new QTimer(&loop);
    const QDeadlineTimer deadline(graceForAnswers);
    QObject::connect(timer, &QTimer::timeout, &loop, [&service, &loop, deadline] {
        if (deadline.hasExpired() || !anythingRunning(service))
            loop.quit();
    });
    timer->start(5ms);
}

int serve(const Request &request, const Streams &streams)
{
    io::raiseDescriptorLimit();
    std::signal(SIGPIPE, SIG_IGN); // a reader of our output that goes away does not end the mocks
    StopSignals signals(Done);
    Serving serving(request.options, streams.out, streams.err);
    if (!serving.start())
        return Failed;

    QEventLoop loop;
    QObject::connect(&signals, &StopSignals::stopRequested, &loop, [&] { stopGently(serving.service(), loop); });
    std::optional<FileWatch> watch;
    if (request.watch) {
        watch.emplace(watchedFiles(request.options));
        QObject::connect(&*watch, &FileWatch::changed, &loop, [&serving] { serving.reloadChanged(); });
        serving.reloadChanged(); // what changed between reading and watching
    }
    std::optional<RequestLog> log;
    QTimer logTimer;
    if (request.log) {
        log.emplace(*request.log, serving.service(), streams.err);
        QObject::connect(&logTimer, &QTimer::timeout, &loop, [&log] { log->flush(); });
        logTimer.start(50ms);
    }
    loop.exec();
    if (log)
        log->flush();
    serving.stop();
    return Done;
}

} // namespace

QString ServeCommand::name() const
{
    return u"serve"_s;
}

QString ServeCommand::help() const
{
    return uR"(Usage: wardbench serve [options] FILE...
Start the mocks of workspaces or mountebank files and serve until Ctrl+C.

  FILE                  .wardbench workspace or mountebank imposters file; - reads standard input
  --only NAME           this imposter only (repeatable, * matches any text)
  --host ADDRESS        listen here (default: loopback, IPv4 and IPv6; 0.0.0.0 lets other machines in)
  --io-threads N        connection threads (default: one per core)
  --admin-port N        port of mountebank's REST API, for this machine only; FILE may be left out
  --api-key KEY         the REST API wants it in the header x-api-key
  --origin ORIGIN       pages at this origin may use the REST API (repeatable)
  --ip-whitelist LIST   besides this machine only these addresses may connect (A|B|...)
  --allow-injection     run JavaScript found in the files
  --explain REQUEST     do not serve: say which stub would answer, and why the others would not; "GET /path", or a
                        file with a request as mountebank writes it
  --watch               reload a file when it changes; keep the old mocks if the new file has errors
  --log none|text|json  one line per request on standard error (default none)

When every port is open, prints one line per mock:  ready http://127.0.0.1:4600 shop
and one for the REST API:                           admin http://127.0.0.1:2525
Exit code: 0 stopped by Ctrl+C or SIGTERM; 1 file has issues or a port cannot be opened; 2 wrong usage
)"_s;
}

int ServeCommand::execute(const QStringList &arguments, const Streams &streams)
{
    Reader reader;
    if (const auto answered = answerUsage(reader.parser(), *this, arguments, streams))
        return *answered;
    QString problem;
    const auto request = reader.request(problem);
    if (!request)
        return wrongUsage(streams, name(), problem);
    if (request->explain)
        return explain(*request->explain, request->options.files, request->options.only, streams);
    return serve(*request, streams);
}

} // namespace wardbench::cli
