#pragma once

#include "base/result.h"

#include <string>

namespace wardbench::cli {

/// Says to others that the server is up, and whom to stop: exists from the end of start-up until everything is closed.
class PidFile
{
public:
    explicit PidFile(std::string path) : m_path(std::move(path)) {}

    Result<void> write() const; ///< this process
    void remove() const;
    /// Ends the process that wrote it and waits up to a second until the file is gone; then removes it. No file:
    /// nothing.
    void stopProcess() const;

private:
    const std::string m_path;
};

} // namespace wardbench::cli
