#include "cli/mbserver.h"

#include "admin/adminserver.h"
#include "admin/datafolder.h"
#include "admin/proxyrecorder.h"
#include "cli/mbprotocols.h"
#include "cli/pidfile.h"
#include "cli/stopsignals.h"
#include "codec/filecontent.h"
#include "codec/workspacefile.h"
#include "script/ejs.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QEventLoop>
#include <QHostInfo>
#include <QTimer>

#include <csignal>
#include <filesystem>
#include <map>
#include <ostream>
#include <poll.h>
#include <unistd.h>

namespace wardbench::cli {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t largestConfig = 64u << 20;
constexpr std::size_t largestBody = 64u << 20; ///< that is recorded, as mountebank records all
constexpr std::size_t recordedRequests = 100'000;
constexpr auto logInterval = 50ms;
constexpr auto keepInterval = 500ms; ///< of what `--datadir` writes by the way

/// Writes to standard output what fits there: the reader of a spawned server often never reads.
void writeConsole(std::string_view text)
{
    while (!text.empty()) {
        pollfd descriptor{STDOUT_FILENO, POLLOUT, 0};
        if (poll(&descriptor, 1, 0) <= 0 || !(descriptor.revents & POLLOUT))
            return;
        const std::string_view piece = text.substr(0, 4096); // what a pipe takes whole once it takes anything
        const ssize_t written = ::write(STDOUT_FILENO, piece.data(), piece.size());
        if (written <= 0)
            return;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::string scope(const Imposter &imposter, std::uint16_t port)
{
    const std::string name = imposter.name.empty() ? std::string() : ' ' + imposter.name;
    return '[' + imposter.protocol + ':' + std::to_string(port) + name + "] ";
}

admin::LogLevel logLevel(ScriptLogLevel level)
{
    switch (level) {
    case ScriptLogLevel::Debug:
        return admin::LogLevel::Debug;
    case ScriptLogLevel::Warning:
        return admin::LogLevel::Warn;
    case ScriptLogLevel::Error:
        return admin::LogLevel::Error;
    default:
        return admin::LogLevel::Info;
    }
}

/// The address of a host's name; what is none is left for the listener to complain about.
std::string addressOf(const std::string &host)
{
    if (host.empty())
        return "::";
    if (host == "localhost" || !QHostAddress(QString::fromStdString(host)).isNull())
        return host;
    const QHostInfo info = QHostInfo::fromName(QString::fromStdString(host));
    return info.addresses().isEmpty() ? host : info.addresses().constFirst().toString().toStdString();
}

class MbServer
{
public:
    MbServer(const MbOptions &options, const Streams &streams)
        : m_options(options), m_streams(streams), m_pid(options.text("pidfile")),
          m_protocols(options.text("protofile")), m_rules(rules(options)), m_service(mockOptions(options)),
          m_store(m_protocols.decoder(), codec::decodeWorkspace(codec::newWorkspace({}), nullptr)),
          m_live(m_store, m_service,
                 admin::LiveOptions{.start = [this](const Imposter &imposter) { return startOptions(imposter); },
                                    .told =
                                        [this](const Imposter &imposter, std::uint16_t port, bool open) {
                                            m_log->write(admin::LogLevel::Info,
                                                         scope(imposter, port) +
                                                             (open ? "Open for business..." : "Ciao for now"));
                                        }})
    {
        m_recorder.use(&m_live);
    }
    ~MbServer() { m_recorder.use(nullptr); }
    MbServer(const MbServer &) = delete;
    MbServer &operator=(const MbServer &) = delete;

    int run()
    {
        std::signal(SIGPIPE, SIG_IGN);
        openLog();
        openData();
        if (!openAdmin())
            return Failed;
        StopSignals signals(Done);
        const bool ready = loadData() && loadConfig() && writePid();
        if (ready)
            serve(signals);
        m_admin->stop();
        flushRequests();
        keepData();
        m_service.stopAll();
        m_log->write(admin::LogLevel::Info, m_scope + "Adios - see you soon?");
        m_pid.remove(); // last: who waits for its end may use our ports
        return ready ? Done : Failed;
    }

private:
    admin::ImposterRules rules(const MbOptions &options) const
    {
        return {options.isOn("allowInjection"), options.isOn("mock"), options.isOn("debug"), nullptr,
                m_protocols.names()};
    }

    MockOptions mockOptions(const MbOptions &options)
    {
        m_access = std::make_shared<server::AccessRule>(options.isOn("localOnly"), options.texts("ipWhitelist"));
        m_access->onRefusal = [this](const std::string &address) {
            m_log->write(admin::LogLevel::Warn, m_scope + "Blocking incoming connection from " + address +
                                                    ". Turn off --localOnly or add to --ipWhitelist to allow");
        };
        MockOptions mock;
        mock.host = addressOf(options.text("host"));
        mock.access = m_access;
        mock.allowInjection = m_rules.allowInjection;
        mock.recorder = m_recorder.recorder();
        mock.journalBodyLimit = largestBody;
        mock.journalCapacity = recordedRequests;
        mock.via = false; // nothing is added to what passes
        mock.scriptLog = [this](ScriptLogLevel level, const std::string &text) {
            m_log->write(logLevel(level), text);
        };
        QStringList toldLater;
        const std::string level(admin::levelName(options.logging(toldLater).level));
        mock.foreign = {m_protocols.commands(), baseUrl(options.port().value_or(0)) + "/imposters/:port/_requests",
                        level, options.text("host")};
        return mock;
    }

    StartOptions startOptions(const Imposter &imposter) const
    {
        StartOptions start;
        start.seed = imposter.seed.value_or(
            static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()));
        start.journal = true; // for requests, log and metrics
        if (m_data)
            start.cursors = m_data->cursors(imposter);
        return start;
    }

    void openLog()
    {
        QStringList remarks;
        const MbOptions::Logging logging = m_options.logging(remarks);
        for (const QString &remark : remarks)
            m_streams.err << remark.toStdString() << std::endl;
        m_log = std::make_unique<admin::ServerLog>(logging.level);
        if (logging.console)
            m_log->useConsole(writeConsole, *logging.console);
        if (!logging.file.empty() && !m_log->useFile(logging.file, logging.fileFormat))
            m_streams.err << "cannot write the log file " << logging.file << std::endl;
    }

    std::string baseUrl(std::uint16_t port) const
    {
        const std::string host = m_options.text("host").empty() ? "localhost" : m_options.text("host");
        return "http://" + (host.find(':') == std::string::npos ? host : '[' + host + ']') + ':' + std::to_string(port);
    }

    void openData()
    {
        if (!m_options.isGiven("datadir"))
            return;
        m_data = std::make_unique<admin::DataFolder>(m_options.text("datadir"), m_live, *m_log,
                                                     admin::DataFolder::Rules{m_rules.recordAll, m_rules.matches});
    }

    bool openAdmin()
    {
        const auto port = m_options.port();
        if (!port) {
            m_streams.err << "--port needs a port from 1 to 65535, not \"" << m_options.text("port") << '"'
                          << std::endl;
            return false;
        }
        admin::AdminOptions admin;
        admin.host = addressOf(m_options.text("host"));
        admin.port = *port;
        admin.access = m_access;
        admin.gate.guardAgainstPages = false;
        admin.gate.apiKey = m_options.text("apikey");
        if (m_options.isGiven("origin"))
            admin.gate.origins = m_options.texts("origin");
        admin.imposters = m_rules;
        admin.imposters.archive = m_data.get();
        admin.facts = {admin::mountebankVersion, m_options.shown()};
        admin.log = m_log.get();
        m_scope = "[mb:" + std::to_string(*port) + "] ";
        m_admin = std::make_unique<admin::AdminServer>(m_live, admin);
        const auto opened = m_admin->start();
        if (!opened) {
            m_streams.err << opened.error().message << std::endl;
            return false;
        }
        m_scope = "[mb:" + std::to_string(*opened) + "] ";
        m_log->write(admin::LogLevel::Info, m_scope + "mountebank v" + admin::mountebankVersion +
                                                " now taking orders - point your browser to " + baseUrl(*opened) +
                                                "/ for help");
        for (const auto &[level, remark] : m_protocols.remarks())
            m_log->write(level, m_scope + remark);
        return true;
    }

    bool loadData()
    {
        const Result<void> loaded = m_data ? m_data->load() : Result<void>();
        if (!loaded)
            m_streams.err << loaded.error().message << std::endl;
        return bool(loaded);
    }

    void keepData()
    {
        if (m_data)
            m_data->keep();
    }

    /// The imposters of `--configfile`, put as a client would put them.
    bool loadConfig()
    {
        if (!m_options.isGiven("configfile"))
            return true;
        const std::string path = m_options.text("configfile");
        const auto text = renderConfig(path);
        if (!text) {
            m_streams.err << text.error().message << std::endl;
            return false;
        }
        const json::ParseResult parsed = json::parse(*text);
        if (const auto *error = std::get_if<json::ParseError>(&parsed)) {
            m_streams.err << path << ':' << error->position.line << ':' << error->position.column << ": "
                          << error->message << "\n"
                          << *text << std::endl;
            return false;
        }
        const json::Value &config = std::get<json::Value>(parsed);
        const json::Value body = config.find("imposters") ? config : json::Members{{"imposters", json::Array{config}}};
        const admin::Reply reply = m_admin->ask("PUT", "/imposters", body);
        if (reply.status == 200)
            return true;
        m_streams.err << reply.status << '\n' << json::writePretty(reply.json, 2) << std::endl;
        return false;
    }

    Result<std::string> renderConfig(const std::string &path) const
    {
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored))
            return fail("No such file: " + path);
        if (!m_options.isOn("noParse"))
            return renderEjs(path);
        const auto content = codec::readContent(path, largestConfig);
        return content ? Result<std::string>(content->bytes) : Result<std::string>(content.error());
    }

    bool writePid()
    {
        const auto written = m_pid.write();
        if (!written)
            m_streams.err << written.error().message << std::endl;
        return bool(written);
    }

    void serve(StopSignals &signals)
    {
        QEventLoop loop;
        QObject::connect(&signals, &StopSignals::stopRequested, &loop, &QEventLoop::quit);
        QTimer timer;
        QObject::connect(&timer, &QTimer::timeout, &loop, [this] { flushRequests(); });
        if (m_log->takes(admin::LogLevel::Info))
            timer.start(logInterval);
        QTimer keepTimer;
        QObject::connect(&keepTimer, &QTimer::timeout, &loop, [this] { keepData(); });
        if (m_data)
            keepTimer.start(keepInterval);
        loop.exec();
    }

    /// Lines of the requests that came since the last call; read in batches, so that no connection waits for the log.
    void flushRequests()
    {
        constexpr std::size_t batch = 2'000;
        if (!m_log->takes(admin::LogLevel::Info))
            return;
        for (const admin::LiveImposters::Live &live : m_live.list()) {
            const JournalPage page = m_service.journal(live.id, m_logged[live.id], batch);
            m_logged[live.id] = page.next;
            for (const JournalEntryPtr &entry : page.entries) {
                const std::string where = scope(*live.imposter, live.port);
                m_log->write(admin::LogLevel::Info,
                             where + entry->client + " => " + entry->request.method + ' ' + entry->request.target);
                if (!entry->note.empty())
                    m_log->write(admin::LogLevel::Warn, where + entry->note);
                if (!entry->stub)
                    m_log->write(admin::LogLevel::Info, where + "no predicate match, using default response");
            }
        }
    }

    const MbOptions &m_options;
    const Streams &m_streams;
    const PidFile m_pid;
    const MbProtocols m_protocols;
    const admin::ImposterRules m_rules;
    std::string m_scope;
    std::unique_ptr<admin::ServerLog> m_log;
    std::shared_ptr<server::AccessRule> m_access;
    admin::ProxyRecorder m_recorder;
    MockService m_service;
    WorkspaceStore m_store;
    admin::LiveImposters m_live;
    std::unique_ptr<admin::DataFolder> m_data; ///< null: nothing is kept
    std::unique_ptr<admin::AdminServer> m_admin;
    std::map<ImposterId, std::uint64_t> m_logged;
};

} // namespace

int runMbServer(const MbOptions &options, const Streams &streams)
{
    return MbServer(options, streams).run();
}

} // namespace wardbench::cli
