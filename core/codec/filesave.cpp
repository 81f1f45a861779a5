#include "codec/filecontent.h"

#include "json/parser.h"
#include "json/writer.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace wardbench::codec {
namespace {

constexpr std::string_view untouched = "; the old file is as it was";

/// A write beyond RLIMIT_FSIZE raises SIGXFSZ, whose default is to kill the program. Held back on this thread while
/// we write, and swallowed, the write simply fails with EFBIG.
class FileSizeSignalBlock
{
public:
    FileSizeSignalBlock()
    {
        sigemptyset(&m_signal);
        sigaddset(&m_signal, SIGXFSZ);
        pthread_sigmask(SIG_BLOCK, &m_signal, &m_before);
    }
    ~FileSizeSignalBlock()
    {
        if (!sigismember(&m_before, SIGXFSZ)) {
            const timespec now = {};
            while (sigtimedwait(&m_signal, nullptr, &now) > 0) {
            }
        }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
    FileSizeSignalBlock(const FileSizeSignalBlock &) = delete;
    FileSizeSignalBlock &operator=(const FileSizeSignalBlock &) = delete;

private:
    sigset_t m_signal = {};
    sigset_t m_before = {};
};

/// Zero, or the errno of the failure.
int writeAll(int descriptor, std::string_view bytes)
{
    const FileSizeSignalBlock block;
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR)
            return errno;
        if (count > 0)
            bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

/// The new content on its way: a file in the folder of the one it will replace. While it is written it has no name
/// where the file system allows that, so that even a kill leaves nothing behind.
class PendingFile
{
public:
    explicit PendingFile(std::string target) : m_target(std::move(target)) {}
    ~PendingFile()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
        if (!m_name.empty())
            ::unlink(m_name.c_str());
    }
    PendingFile(const PendingFile &) = delete;
    PendingFile &operator=(const PendingFile &) = delete;

    // Each step gives zero, or the errno of its failure.
    int create()
    {
        m_descriptor = ::open(folder().c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, S_IRUSR | S_IWUSR);
        if (m_descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL))
            return m_descriptor >= 0 ? 0 : errno;
        std::string name = pattern();
        m_descriptor = ::mkostemp(name.data(), O_CLOEXEC);
        if (m_descriptor < 0)
            return errno;
        m_name = std::move(name);
        return 0;
    }

    /// Takes over owner and mode of the file that will be replaced, as far as we may.
    void imitate(const struct stat &old) const
    {
        [[maybe_unused]] const int owned = ::fchown(m_descriptor, old.st_uid, old.st_gid);
        ::fchmod(m_descriptor, old.st_mode & 0777);
    }

    int write(std::string_view bytes) const
    {
        if (const int failure = writeAll(m_descriptor, bytes))
            return failure;
        return ::fsync(m_descriptor) == 0 ? 0 : errno;
    }

    int replaceTarget()
    {
        if (m_name.empty()) {
            if (const int failure = giveName())
                return failure;
        }
        if (::rename(m_name.c_str(), m_target.c_str()) != 0)
            return errno;
        m_name.clear();
        // The rename itself has to reach the disk, too. A file system that cannot sync folders is no failure.
        const int descriptor = ::open(folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor >= 0) {
            ::fsync(descriptor);
            ::close(descriptor);
        }
        return 0;
    }

private:
    std::string folder() const
    {
        const std::string parent = std::filesystem::path(m_target).parent_path().string();
        return parent.empty() ? "." : parent;
    }

    std::string pattern() const
    {
        return folder() + "/." + std::filesystem::path(m_target).filename().string() + ".XXXXXX";
    }

    int giveName()
    {
        const std::string source = "/proc/self/fd/" + std::to_string(m_descriptor);
        for (unsigned attempt = 0; attempt < 100; ++attempt) {
            std::string name = pattern();
            const std::string suffix =
                std::to_string((static_cast<unsigned>(::getpid()) * 131u + attempt) % 1'000'000u);
            name.replace(name.size() - 6, 6, suffix);
            if (::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
                m_name = std::move(name);
                return 0;
            }
            if (errno != EEXIST)
                return errno;
        }
        return EEXIST;
    }

    std::string m_target;
    std::string m_name;
    int m_descriptor = -1;
};

/// The file that `path` leads to through symbolic links, which may not exist yet.
std::string followLinks(std::string path)
{
    for (int links = 0; links < 40; ++links) {
        std::error_code failure;
        const std::filesystem::path next = std::filesystem::read_symlink(path, failure);
        if (failure)
            break;
        path = next.is_absolute() ? next.string() : (std::filesystem::path(path).parent_path() / next).string();
    }
    return path;
}

Error saveError(const std::string &path, int number, bool existed)
{
    Error error = fileError("save", path, number);
    if (existed)
        error.message += untouched;
    return error;
}

/// Levels of arrays and objects: what was put together by edits may be deeper than any file that was read.
int depthOf(const json::Value &value)
{
    int below = 0;
    for (const json::Value &item : value.items())
        below = std::max(below, depthOf(item));
    for (const json::Member &member : value.members())
        below = std::max(below, depthOf(member.second));
    return value.isArray() || value.isObject() ? below + 1 : 0;
}

/// Devices and pipes cannot be replaced: they are written to.
Result<void> writeInto(const std::string &path, std::string_view bytes)
{
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return fileError("write to", path, errno);
    const int failure = writeAll(descriptor, bytes);
    ::close(descriptor);
    if (failure)
        return fileError("write to", path, failure);
    return {};
}

} // namespace

Result<void> writeFileAtomically(const std::string &path, std::string_view bytes)
{
    const std::string target = followLinks(path);
    struct stat old = {};
    const bool existed = ::stat(target.c_str(), &old) == 0;
    if (existed && S_ISDIR(old.st_mode))
        return fail("cannot save " + path + ": it is a folder", Error::Code::BadInput);
    if (existed && !S_ISREG(old.st_mode))
        return writeInto(target, bytes);
    // A rename would get around the protection of a file that may not be written.
    if (existed && ::access(target.c_str(), W_OK) != 0)
        return saveError(path, errno, existed);

    PendingFile pending(target);
    if (const int failure = pending.create())
        return saveError(path, failure, existed);
    if (existed)
        pending.imitate(old);
    if (const int failure = pending.write(bytes))
        return saveError(path, failure, existed);
    if (const int failure = pending.replaceTarget())
        return saveError(path, failure, existed);
    return {};
}

Result<FileStamp> saveFile(const std::string &path, const json::Value &root, const FileStamp *expected)
{
    if (expected) {
        // The content decides: a file that was only touched is still the one we know.
        const FileStamp current = stampOf(path);
        if (current.exists != expected->exists || current.size != expected->size || current.hash != expected->hash) {
            const std::string what = !current.exists    ? " was removed"
                                     : expected->exists ? " was changed"
                                                        : " was created";
            return fail("cannot save " + path + ": it" + what +
                            " by another program since it was read; nothing was written",
                        Error::Code::ChangedOnDisk);
        }
    }
    if (depthOf(root) > json::Limits().maxDepth)
        return fail("cannot save " + path + ": it is nested deeper than " + std::to_string(json::Limits().maxDepth) +
                        " levels, which could not be read again",
                    Error::Code::BadInput);
    const Result<void> written = writeFileAtomically(path, json::writeDocument(root));
    if (!written)
        return written.error();
    return stampOf(path);
}

} // namespace wardbench::codec
