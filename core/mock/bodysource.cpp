#include "mock/bodysource.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace wardbench::mock {
namespace {

/// Opens `path` below the folder; the kernel refuses every way out of it. -1 with errno when it fails.
int openBelow(const std::string &folder, const std::string &path)
{
    if (path.empty() || path.find('\0') != std::string::npos) {
        errno = EINVAL;
        return -1;
    }
    const int base = ::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (base < 0)
        return -1;
    open_how how{};
    how.flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC; // O_NONBLOCK: a FIFO must not hold the thread
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    const auto opened = static_cast<int>(::syscall(SYS_openat2, base, path.c_str(), &how, sizeof how));
    const int problem = errno;
    ::close(base);
    errno = problem;
    return opened;
}

std::string reasonFor(int problem)
{
    return problem == EXDEV ? "it lies outside of the workspace's folder" : std::strerror(problem);
}

} // namespace

BodySource BodySource::memory(std::shared_ptr<const std::string> storage, std::size_t offset, std::size_t size)
{
    BodySource source;
    source.m_storage = std::move(storage);
    source.m_storageOffset = offset;
    source.m_size = size;
    return source;
}

Result<BodySource> BodySource::file(const std::string &folder, const std::string &path)
{
    const int opened = openBelow(folder, path);
    if (opened < 0)
        return fail("body file \"" + path + "\" cannot be read: " + reasonFor(errno), Error::Code::NotFound);
    BodySource source;
    source.m_descriptor = std::shared_ptr<const int>(new int(opened), [](const int *descriptor) {
        ::close(*descriptor);
        delete descriptor;
    });
    struct stat info
    {
    };
    if (::fstat(opened, &info) != 0 || !S_ISREG(info.st_mode))
        return fail("body file \"" + path + "\" is not a regular file", Error::Code::BadInput);
    source.m_size = static_cast<std::uint64_t>(info.st_size);
    return source;
}

bool BodySource::read(std::uint64_t offset, std::size_t count, std::string &out) const
{
    if (!m_descriptor) {
        if (m_storage)
            out.append(*m_storage, m_storageOffset + static_cast<std::size_t>(offset), count);
        return true;
    }
    const std::size_t before = out.size();
    out.resize(before + count);
    std::size_t done = 0;
    while (done < count) {
        const ssize_t got =
            ::pread(*m_descriptor, out.data() + before + done, count - done, static_cast<off_t>(offset + done));
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return false;
        done += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
    return true;
}

} // namespace wardbench::mock
