#pragma once

#include "cli/mboptions.h"
#include "mock/mockservice.h"
#include "model/workspacestore.h"

#include <string>
#include <utility>
#include <vector>

namespace wardbench::cli {

/// `--protofile`: protocols that programs speak (mountebank.md 2.8.9). A missing file is none; a broken one is told.
class MbProtocols
{
public:
    explicit MbProtocols(const std::string &path);

    /// By name: the command that is started for each imposter.
    const std::map<std::string, std::string> &commands() const { return m_commands; }
    std::set<std::string> names() const;
    /// What the log is to tell of them.
    const std::vector<std::pair<admin::LogLevel, std::string>> &remarks() const { return m_remarks; }
    /// The workspace's, for which imposters of these protocols are as good as ours.
    WorkspaceStore::Decoder decoder() const;

private:
    std::map<std::string, std::string> m_commands;
    std::vector<std::pair<admin::LogLevel, std::string>> m_remarks;
};

} // namespace wardbench::cli
