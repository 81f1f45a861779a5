#include "codec/filecontent.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

namespace wardbench::codec {
namespace {

constexpr std::uint64_t hashStart = 0xcbf29ce484222325ULL;

/// FNV-1a: this notices changes; it is no protection against somebody who wants to hide one.
std::uint64_t hashOf(std::string_view bytes)
{
    std::uint64_t hash = hashStart;
    for (const char c : bytes)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

/// Reads up to `maxBytes`; false with errno on failure.
bool readAll(int descriptor, std::size_t maxBytes, FileContent &content)
{
    constexpr std::size_t block = 1u << 16;
    while (true) {
        const std::size_t size = content.bytes.size();
        content.bytes.resize(size + block);
        const ssize_t count = ::read(descriptor, content.bytes.data() + size, block);
        const int failure = errno;
        content.bytes.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
        if (count < 0 && failure != EINTR) {
            errno = failure;
            return false;
        }
        if (count == 0)
            return true;
        if (content.bytes.size() > maxBytes) {
            content.cut = true;
            return true;
        }
    }
}

} // namespace

Error fileError(std::string_view verb, const std::string &path, int number)
{
    Error::Code code = Error::Code::Failed;
    if (number == ENOENT || number == ENOTDIR)
        code = Error::Code::NotFound;
    else if (number == EACCES || number == EPERM || number == EROFS)
        code = Error::Code::Denied;
    else if (number == EFBIG || number == ENOSPC || number == EDQUOT)
        code = Error::Code::TooLarge;
    return fail("cannot " + std::string(verb) + " " + path + ": " + std::strerror(number), code);
}

Result<FileContent> readContent(const std::string &path, std::size_t maxBytes)
{
    const bool standardInput = path == "-";
    const int descriptor = standardInput ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return fileError("open", path, errno);
    FileContent content;
    const bool read = readAll(descriptor, maxBytes, content);
    const int failure = errno;
    struct stat status = {};
    ::fstat(descriptor, &status);
    if (!standardInput)
        ::close(descriptor);
    if (!read)
        return fileError("read", standardInput ? "standard input" : path, failure);
    content.stamp.exists = true;
    content.stamp.size = content.bytes.size();
    content.stamp.modifiedNs = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec;
    content.stamp.hash = hashOf(content.bytes);
    return content;
}

std::string folderOf(const std::string &path)
{
    if (path.empty() || path == "-")
        return {};
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos)
        return {};
    return slash == 0 ? "/" : path.substr(0, slash);
}

FileStamp stampOf(const std::string &path)
{
    const Result<FileContent> content = readContent(path, std::numeric_limits<std::size_t>::max());
    return content ? content->stamp : FileStamp{};
}

} // namespace wardbench::codec
