#include "cli/mboptions.h"

#include "codec/filecontent.h"
#include "json/parser.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace wardbench::cli {
namespace {

enum class Kind { Text, Flag, List };

struct Option
{
    const char *name;
    char alias;
    Kind kind;
    const char *otherwise; ///< default; null: none
};

constexpr std::array options{
    Option{"port", 'p', Kind::Text, "2525"},
    Option{"host", 'h', Kind::Text, nullptr},
    Option{"configfile", 0, Kind::Text, nullptr},
    Option{"noParse", 0, Kind::Flag, nullptr},
    Option{"formatter", 0, Kind::Text, "mountebank-formatters"},
    Option{"datadir", 0, Kind::Text, nullptr},
    Option{"impostersRepository", 0, Kind::Text, nullptr},
    Option{"pidfile", 0, Kind::Text, "mb.pid"},
    Option{"logfile", 0, Kind::Text, "mb.log"},
    Option{"nologfile", 0, Kind::Flag, nullptr},
    Option{"loglevel", 0, Kind::Text, "info"},
    Option{"log", 0, Kind::Text, nullptr},
    Option{"allowInjection", 'i', Kind::Flag, nullptr},
    Option{"localOnly", 'l', Kind::Flag, nullptr},
    Option{"ipWhitelist", 'w', Kind::Text, "*"},
    Option{"mock", 'm', Kind::Flag, nullptr},
    Option{"debug", 'd', Kind::Flag, nullptr},
    Option{"protofile", 0, Kind::Text, "protocols.json"},
    Option{"origin", 'o', Kind::List, nullptr},
    Option{"apikey", 0, Kind::Text, nullptr},
    Option{"rcfile", 0, Kind::Text, nullptr},
    Option{"savefile", 0, Kind::Text, "mb.json"},
    Option{"removeProxies", 'r', Kind::Flag, nullptr},
    Option{"help", 0, Kind::Flag, nullptr},
    Option{"version", 'v', Kind::Flag, nullptr},
};

std::string withoutDashes(std::string_view name)
{
    std::string folded;
    for (const char c : name) {
        if (c != '-')
            folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return folded;
}

/// By its name, its alias, or its name in kebab-case.
const Option *find(std::string_view name)
{
    for (const Option &option : options) {
        if (name == option.name || (name.size() == 1 && name[0] == option.alias) ||
            withoutDashes(name) == withoutDashes(option.name))
            return &option;
    }
    return nullptr;
}

json::Value flagValue(const std::string &text)
{
    return text != "false" && text != "0";
}

bool isWord(const QString &text)
{
    return text == QLatin1String("true") || text == QLatin1String("false");
}

} // namespace

MbOptions::MbOptions(const QStringList &arguments, QStringList &remarks)
{
    parse(arguments);
    readRcFile(remarks);
}

void MbOptions::set(const std::string &name, json::Value value)
{
    const Option *option = find(name);
    if (option && option->kind == Kind::List && m_given.find(option->name)) {
        json::Array list = m_given[option->name].items();
        list.push_back(std::move(value));
        m_given = m_given.withMember(option->name, std::move(list));
        return;
    }
    if (option && option->kind == Kind::List && !value.isArray())
        value = json::Array{std::move(value)};
    m_given = m_given.withMember(option ? option->name : name, std::move(value));
}

void MbOptions::parse(const QStringList &arguments)
{
    bool commandSeen = false;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString &argument = arguments[i];
        if (argument.size() < 2 || !argument.startsWith(u'-')) {
            if (!commandSeen)
                m_command = argument.toStdString();
            commandSeen = true;
            continue;
        }
        const bool isLong = argument.startsWith(QLatin1String("--"));
        const qsizetype equals = argument.indexOf(u'=');
        const std::string name =
            argument.mid(isLong ? 2 : 1, equals < 0 ? -1 : equals - (isLong ? 2 : 1)).toStdString();
        const Option *option = find(name);
        if (equals >= 0) {
            const std::string value = argument.mid(equals + 1).toStdString();
            set(name, option && option->kind == Kind::Flag ? flagValue(value) : json::Value(value));
        } else if (!option && isLong && name.starts_with("no-")) {
            set(name.substr(3), false);
        } else if (option && option->kind == Kind::Flag) {
            const bool explicitly = i + 1 < arguments.size() && isWord(arguments[i + 1]);
            set(name, explicitly ? flagValue(arguments[++i].toStdString()) : json::Value(true));
        } else if (i + 1 < arguments.size() && !arguments[i + 1].startsWith(u'-')) {
            set(name, arguments[++i].toStdString());
        } else {
            set(name, true);
        }
    }
}

void MbOptions::readRcFile(QStringList &remarks)
{
    if (!isGiven("rcfile"))
        return;
    constexpr std::size_t largest = 1u << 20;
    const std::string path = text("rcfile");
    const auto content = codec::readContent(path, largest);
    if (!content) {
        remarks << QString::fromStdString("--rcfile: " + content.error().message);
        return;
    }
    const json::ParseResult parsed = json::parse(content->bytes);
    const auto *value = std::get_if<json::Value>(&parsed);
    if (!value || !value->isObject()) {
        remarks << QString::fromStdString("--rcfile: " + path + " is not a JSON object of options");
        return;
    }
    const json::Value typed = m_given;
    for (const json::Member &member : value->members()) {
        const Option *option = find(member.first);
        const bool wasTyped = typed.find(option ? std::string_view(option->name) : std::string_view(member.first));
        if (!wasTyped)
            set(member.first, member.second);
    }
}

bool MbOptions::isOn(std::string_view name) const
{
    const json::Value &value = m_given[name];
    return value.isString() ? flagValue(value.text()).toBool() : value.isTruthy();
}

std::string MbOptions::text(std::string_view name) const
{
    if (const json::Value *value = m_given.find(name); value && (value->isString() || value->isNumber()))
        return value->text();
    const Option *option = find(name);
    return option && option->otherwise ? option->otherwise : "";
}

std::vector<std::string> MbOptions::texts(std::string_view name) const
{
    std::vector<std::string> list;
    const json::Value &value = m_given[name];
    if (value.isArray()) {
        for (const json::Value &item : value.items())
            list.push_back(item.isBool() ? "true" : item.text());
        return list;
    }
    const std::string all = text(name);
    for (std::size_t from = 0; from <= all.size() && !all.empty();) {
        const std::size_t end = std::min(all.find('|', from), all.size());
        list.push_back(all.substr(from, end - from));
        from = end + 1;
    }
    return list;
}

std::optional<std::uint16_t> MbOptions::port() const
{
    const std::string port = text("port");
    unsigned value = 0;
    const auto [end, failure] = std::from_chars(port.data(), port.data() + port.size(), value);
    if (failure != std::errc() || end != port.data() + port.size() || value > 65535)
        return std::nullopt;
    return static_cast<std::uint16_t>(value);
}

/// The log's configuration as mountebank writes it; what the three older options say unless `--log` is there.
json::Value MbOptions::logValue(QStringList *remarks) const
{
    json::Value given = m_given["log"];
    if (given.isString()) {
        const json::ParseResult parsed = json::parse(given.text());
        const auto *value = std::get_if<json::Value>(&parsed);
        if (!value && remarks)
            *remarks << QStringLiteral("--log: not JSON; the log stays as it is without");
        given = value ? *value : json::Value();
    }
    if (given.isObject())
        return given;
    json::Members transports{{"console", json::Members{{"colorize", true}, {"format", "%level: %message"}}}};
    if (!isOn("nologfile"))
        transports.emplace_back("file", json::Members{{"path", text("logfile")}, {"format", "json"}});
    return json::Members{{"level", text("loglevel")}, {"transports", std::move(transports)}};
}

MbOptions::Logging MbOptions::logging(QStringList &remarks) const
{
    const json::Value log = logValue(&remarks);
    Logging logging;
    if (log.find("level") && !admin::levelNamed(log["level"].text(), logging.level))
        remarks << QStringLiteral("the log level is debug, info, warn or error, not \"%1\"")
                       .arg(QString::fromStdString(log["level"].text()));
    const json::Value &transports = log["transports"];
    if (const json::Value &console = transports["console"]; console.isObject()) {
        const json::Value *format = console.find("format");
        logging.console =
            admin::ServerLog::Output{format ? format->text() : "%level: %message", console["colorize"].isTruthy()};
    }
    if (const json::Value &file = transports["file"]; file.isObject()) {
        logging.file = file.find("path") ? file["path"].text() : text("logfile");
        logging.fileFormat = file.find("format") ? file["format"].text() : "json";
    }
    return logging;
}

json::Value MbOptions::shown() const
{
    static const std::vector<std::string> folded{"version",   "help", "loglevel", "logfile",
                                                 "nologfile", "log",  "savefile"};
    json::Value shown = json::Members{{"port", static_cast<int>(port().value_or(0))},
                                      {"noParse", isOn("noParse")},
                                      {"formatter", text("formatter")},
                                      {"pidfile", text("pidfile")},
                                      {"allowInjection", isOn("allowInjection")},
                                      {"localOnly", isOn("localOnly")},
                                      {"ipWhitelist", json::Value()},
                                      {"debug", isOn("debug")},
                                      {"protofile", text("protofile")},
                                      {"origin", isGiven("origin") ? m_given["origin"] : json::Value(false)}};
    json::Array whitelist;
    for (const std::string &address : texts("ipWhitelist"))
        whitelist.push_back(address);
    shown = shown.withMember("ipWhitelist", std::move(whitelist));
    if (isOn("mock"))
        shown = shown.withMember("mock", true);
    if (isGiven("apikey"))
        shown = shown.withMember("apikey", "********");
    for (const json::Member &member : m_given.members()) {
        const bool known = shown.find(member.first) || member.first == "mock" ||
                           std::find(folded.begin(), folded.end(), member.first) != folded.end();
        if (!known)
            shown = shown.withMember(member.first, member.second);
    }
    return shown.withMember("log", logValue(nullptr));
}

} // namespace wardbench::cli
