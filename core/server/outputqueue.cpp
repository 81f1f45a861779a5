#include "server/outputqueue.h"

#include <array>

namespace wardbench::server {

namespace {

constexpr std::size_t copiedBody = 16 * 1024; ///< up to here copying is cheaper than another segment
constexpr std::size_t fullText = 64 * 1024;
constexpr std::size_t keptText = 4 * 1024; ///< a larger buffer is given back when empty: thousands of connections idle

} // namespace

void OutputQueue::append(std::string_view text)
{
    if (text.empty())
        return;
    if (m_segments.empty() || m_segments.back().body || m_segments.back().text.size() >= fullText)
        m_segments.emplace_back();
    m_segments.back().text.append(text);
    m_end += text.size();
}

void OutputQueue::append(const std::shared_ptr<const std::string> &body)
{
    if (!body || body->empty())
        return;
    if (body->size() <= copiedBody)
        return append(std::string_view(*body));
    m_segments.push_back({std::string(), body});
    m_end += body->size();
}

void OutputQueue::clear()
{
    if (m_segments.size() > 1)
        m_segments.resize(1);
    if (!m_segments.empty()) {
        m_segments.front().body.reset();
        if (m_segments.front().text.capacity() > keptText)
            std::string().swap(m_segments.front().text);
        else
            m_segments.front().text.clear();
    }
    m_first = 0;
    m_firstSent = 0;
    m_sent = m_end;
}

std::size_t OutputQueue::gather(iovec *vectors, std::size_t most) const
{
    std::size_t count = 0;
    std::size_t skip = m_firstSent;
    for (std::size_t i = m_first; i < m_segments.size() && count < most; ++i) {
        const std::string_view bytes = m_segments[i].bytes().substr(skip);
        skip = 0;
        if (!bytes.empty())
            vectors[count++] = {const_cast<char *>(bytes.data()), bytes.size()};
    }
    return count;
}

void OutputQueue::consume(std::size_t bytes)
{
    m_sent += bytes;
    if (empty())
        return clear();
    bytes += m_firstSent;
    while (bytes >= m_segments[m_first].bytes().size()) {
        bytes -= m_segments[m_first].bytes().size();
        m_segments[m_first] = {}; // a large body is freed as soon as it is gone
        ++m_first;
    }
    m_firstSent = bytes;
}

io::Transfer OutputQueue::send(io::Stream &stream)
{
    while (!empty()) {
        std::array<iovec, 16> vectors;
        const std::size_t count = gather(vectors.data(), vectors.size());
        std::size_t sent = 0;
        if (const io::Transfer how = stream.write(vectors.data(), count, sent); how != io::Transfer::Done)
            return how;
        consume(sent);
    }
    return io::Transfer::Done;
}

} // namespace wardbench::server
