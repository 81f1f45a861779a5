#pragma once

#include "mock/mockservice.h"

#include <iosfwd>
#include <map>
#include <string>

namespace wardbench::cli {

/// `serve --log`: one line per finished request, read from the mocks' journals in batches, so that the connection
/// threads never wait for a slow terminal. What the journals had to drop in between is told.
class RequestLog
{
public:
    enum class Format { Text, Json };

    RequestLog(Format format, const MockService &service, std::ostream &out);

    /// Writes what finished since the last call.
    void flush();

    static std::string line(Format format, const std::string &imposter, const JournalEntry &entry);

private:
    const Format m_format;
    const MockService &m_service;
    std::ostream &m_out;
    std::map<ImposterId, std::uint64_t> m_positions;
};

} // namespace wardbench::cli
