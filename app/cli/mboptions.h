#pragma once

#include "admin/serverlog.h"
#include "json/value.h"

#include <QStringList>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wardbench::cli {

/// mountebank's command line as it was meant (mountebank.md 3.1, 3.2): `--x y`, `--x=y`, `-x y`, `--no-x` and
/// kebab-case spellings; unknown options are taken without a word, an `--rcfile` fills in what was not given.
class MbOptions
{
public:
    /// `arguments` are those behind `mb`. Remarks about the rcfile or `--log`, which stop nothing, go to `remarks`.
    MbOptions(const QStringList &arguments, QStringList &remarks);

    const std::string &command() const { return m_command; } ///< "start" when none was named
    bool wantsHelp() const { return isOn("help"); }
    bool wantsVersion() const { return isOn("version"); }
    bool isGiven(std::string_view name) const { return m_given.find(name) != nullptr; }

    bool isOn(std::string_view name) const;
    std::string text(std::string_view name) const; ///< with its default
    std::vector<std::string> texts(std::string_view name) const;
    std::optional<std::uint16_t> port() const; ///< nothing: it is no port

    struct Logging
    {
        admin::LogLevel level = admin::LogLevel::Info;
        std::optional<admin::ServerLog::Output> console;
        std::string file; ///< empty: none
        std::string fileFormat;
    };
    Logging logging(QStringList &remarks) const;

    /// What `GET /config` shows: given options and defaults in camelCase, the key masked, logging folded into `log`.
    json::Value shown() const;

private:
    void parse(const QStringList &arguments);
    void set(const std::string &name, json::Value value);
    void readRcFile(QStringList &remarks);
    json::Value logValue(QStringList *remarks) const;

    std::string m_command = "start";
    json::Value m_given = json::Value::object();
};

} // namespace wardbench::cli
