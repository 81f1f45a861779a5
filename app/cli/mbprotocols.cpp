#include "cli/mbprotocols.h"

#include "codec/filecontent.h"
#include "json/parser.h"

#include <filesystem>

namespace wardbench::cli {
namespace {

constexpr std::size_t largest = 1u << 20;

bool isBuiltIn(const std::string &name)
{
    return name == "http" || name == "https" || name == "tcp" || name == "smtp";
}

} // namespace

MbProtocols::MbProtocols(const std::string &path)
{
    using admin::LogLevel;
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return;
    const auto content = codec::readContent(path, largest);
    const json::ParseResult parsed = json::parse(content ? content->bytes : std::string());
    const auto *value = std::get_if<json::Value>(&parsed);
    if (!value || !value->isObject()) {
        const auto *error = std::get_if<json::ParseError>(&parsed);
        m_remarks.emplace_back(
            LogLevel::Error,
            path + " contains invalid JSON -- no custom protocols loaded" +
                (error ? ": line " + std::to_string(error->position.line) + ": " + error->message : std::string()));
        return;
    }
    for (const auto &[name, protocol] : value->members()) {
        const json::Value &command = protocol["createCommand"];
        if (!command.isString() || command.text().empty()) {
            m_remarks.emplace_back(LogLevel::Error, path + ": the protocol " + name + " needs a createCommand, a text");
            continue;
        }
        m_commands.emplace(name, command.text());
        if (isBuiltIn(name))
            m_remarks.emplace_back(LogLevel::Warn,
                                   "Using custom " + name + " implementation instead of the built-in one");
        else
            m_remarks.emplace_back(LogLevel::Info, "Loaded custom protocol " + name);
    }
}

std::set<std::string> MbProtocols::names() const
{
    std::set<std::string> names;
    for (const auto &[name, command] : m_commands)
        names.insert(name);
    return names;
}

WorkspaceStore::Decoder MbProtocols::decoder() const
{
    if (m_commands.empty())
        return &codec::decodeWorkspace;
    return [names = names()](const json::Value &root, const WorkspacePtr &previous) -> WorkspacePtr {
        const WorkspacePtr decoded = codec::decodeWorkspace(root, previous);
        auto workspace = std::make_shared<Workspace>(*decoded);
        for (ImposterPtr &imposter : workspace->imposters) {
            if (imposter->inactive.empty() || !names.contains(imposter->protocol))
                continue;
            auto active = std::make_shared<Imposter>(*imposter);
            active->inactive.clear();
            imposter = std::move(active);
        }
        return workspace;
    };
}

} // namespace wardbench::cli
