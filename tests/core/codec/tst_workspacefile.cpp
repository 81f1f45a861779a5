#include "codec/workspacefile.h"

#include "support/readfile.h"
#include "json/parser.h"
#include "json/writer.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace wardbench;
using json::Value;
using test::readFile;

namespace {

void write(const std::string &path, const std::string &bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

Value bigTree(char letter, std::size_t size)
{
    return Value(json::Members{{"format", Value("wardbench/1")}, {"description", Value(std::string(size, letter))}});
}

mode_t modeOf(const std::string &path)
{
    struct stat status = {};
    ::stat(path.c_str(), &status);
    return status.st_mode & 07777;
}

/// Runs `work` in a child process; what it returns is the exit code.
template <typename Work>
int inChild(const Work &work)
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(work());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

} // namespace

class WorkspaceFileTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::string path(const char *name) const { return m_folder->filePath(QString::fromLatin1(name)).toStdString(); }
    QStringList names() const
    {
        return QDir(m_folder->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void exampleOfTheContract()
    {
        const auto loaded = codec::loadFile(WARDBENCH_TEST_DATA "/workspaces/example.wardbench");
        QVERIFY(loaded);
        for (const Issue &issue : loaded->issues)
            qWarning("%s", issue.format("example").c_str());
        QVERIFY(loaded->issues.empty());
        QCOMPARE(loaded->workspace->imposters.size(), std::size_t(2));
        QCOMPARE(loaded->workspace->scenarios.size(), std::size_t(2));
        // Written by us once, it stays as it is, byte by byte.
        QVERIFY(codec::saveFile(path("a"), loaded->workspace->root, nullptr));
        const std::string ours = readFile(path("a"));
        QVERIFY(std::get<Value>(json::parse(ours)) == loaded->workspace->root);
        const auto again = codec::loadFile(path("a"));
        QVERIFY(codec::saveFile(path("a"), again->workspace->root, &again->stamp));
        QCOMPARE(readFile(path("a")), ours);
    }

    void loadErrors()
    {
        const auto missing = codec::loadFile(path("none"));
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, Error::Code::NotFound);
        QVERIFY(missing.error().message.find("none") != std::string::npos);
        QVERIFY(!codec::loadFile(m_folder->path().toStdString()));
        QVERIFY(!codec::stampOf(path("none")).exists);
    }

    void tooLarge()
    {
        write(path("big"), "[" + std::string(3000, ' ') + "]");
        const auto refused = codec::loadFile(path("big"), 3001);
        QVERIFY(refused && !refused->workspace);
        QCOMPARE(refused->issues.size(), std::size_t(1));
        QVERIFY(refused->issues[0].message.find("3001 bytes") != std::string::npos);
        const auto fits = codec::loadFile(path("big"), 3002);
        QVERIFY(fits && fits->workspace);
    }

    void stampsTellContent()
    {
        write(path("a"), "one");
        const FileStamp one = codec::stampOf(path("a"));
        QVERIFY(one.exists);
        QCOMPARE(one.size, std::uint64_t(3));
        write(path("a"), "two");
        QVERIFY(codec::stampOf(path("a")).hash != one.hash);
    }

    void newFilesArePrivateAndOldOnesKeepTheirMode()
    {
        QVERIFY(codec::saveFile(path("new"), bigTree('a', 10), nullptr));
        QCOMPARE(modeOf(path("new")), mode_t(0600));
        ::chmod(path("new").c_str(), 0664);
        QVERIFY(codec::saveFile(path("new"), bigTree('b', 10), nullptr));
        QCOMPARE(modeOf(path("new")), mode_t(0664));
        QCOMPARE(names(), QStringList{QStringLiteral("new")});
    }

    void linksStayLinks()
    {
        QDir().mkpath(QString::fromStdString(path("sub")));
        write(path("sub/real"), "{}");
        QCOMPARE(::symlink("sub/real", path("link").c_str()), 0);
        QVERIFY(codec::saveFile(path("link"), bigTree('a', 10), nullptr));
        QVERIFY(QFileInfo(QString::fromStdString(path("link"))).isSymLink());
        QVERIFY(readFile(path("sub/real")).find("aaaa") != std::string::npos);
        QCOMPARE(::symlink("sub/later", path("dangling").c_str()), 0);
        QVERIFY(codec::saveFile(path("dangling"), bigTree('b', 10), nullptr));
        QVERIFY(readFile(path("sub/later")).find("bbbb") != std::string::npos);
    }

    void neverOverwritesWhatChangedOnDisk()
    {
        const auto saved = codec::saveFile(path("a"), bigTree('a', 10), nullptr);
        QVERIFY(saved && *saved == codec::stampOf(path("a")));
        write(path("a"), "by hand");
        const auto refused = codec::saveFile(path("a"), bigTree('b', 10), &*saved);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, Error::Code::ChangedOnDisk);
        QVERIFY(refused.error().message.find("changed") != std::string::npos);
        QCOMPARE(readFile(path("a")), std::string("by hand"));
        ::unlink(path("a").c_str());
        QCOMPARE(codec::saveFile(path("a"), bigTree('b', 10), &*saved).error().code, Error::Code::ChangedOnDisk);
        QVERIFY(names().isEmpty());
        // Somebody made a file where there was none.
        const FileStamp none = codec::stampOf(path("b"));
        write(path("b"), "theirs");
        QCOMPARE(codec::saveFile(path("b"), bigTree('b', 10), &none).error().code, Error::Code::ChangedOnDisk);
        // Told to, it overwrites; and a file that was only touched is the one we know.
        const auto told = codec::saveFile(path("b"), bigTree('c', 10), nullptr);
        QVERIFY(told);
        const timespec times[2] = {{1, 0}, {1, 0}};
        QCOMPARE(::utimensat(AT_FDCWD, path("b").c_str(), times, 0), 0);
        QVERIFY(codec::saveFile(path("b"), bigTree('d', 10), &*told));
    }

    void fileSizeLimit()
    {
        QVERIFY(codec::saveFile(path("a"), bigTree('a', 1000), nullptr));
        const std::string before = readFile(path("a"));
        // SIGXFSZ keeps its default, which would kill the child.
        const int code = inChild([this] {
            const rlimit limit{100'000, 100'000};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            const auto saved = codec::saveFile(path("a"), bigTree('b', 1'000'000), nullptr);
            const bool told = !saved && saved.error().message.find("File too large") != std::string::npos &&
                              saved.error().message.find("old file is as it was") != std::string::npos &&
                              saved.error().code == Error::Code::TooLarge;
            // Twice: the swallowed signal must not come back.
            return told && !codec::saveFile(path("a"), bigTree('b', 1'000'000), nullptr) ? 0 : 1;
        });
        QCOMPARE(code, 0);
        QCOMPARE(readFile(path("a")), before);
        QCOMPARE(names(), QStringList{QStringLiteral("a")});
    }

    void readOnlyPlaces_data()
    {
        QTest::addColumn<int>("folderMode");
        QTest::addColumn<int>("fileMode");
        QTest::newRow("read-only folder") << 0555 << 0644;
        QTest::newRow("read-only file") << 0755 << 0444;
    }
    void readOnlyPlaces()
    {
        QFETCH(int, folderMode);
        QFETCH(int, fileMode);
        QVERIFY(codec::saveFile(path("a"), bigTree('a', 10), nullptr));
        const std::string before = readFile(path("a"));
        ::chmod(path("a").c_str(), mode_t(fileMode));
        ::chmod(m_folder->path().toLocal8Bit().constData(), mode_t(folderMode));
        const bool root = ::geteuid() == 0;
        if (root)
            QCOMPARE(::chown(m_folder->path().toLocal8Bit().constData(), 65534, 65534), 0);
        if (root)
            QCOMPARE(::chown(path("a").c_str(), 65534, 65534), 0);
        // Root may write anywhere, so an unprivileged user has to try.
        const int code = inChild([this, root] {
            if (root && (::setgid(65534) != 0 || ::setuid(65534) != 0))
                return 2;
            const auto saved = codec::saveFile(path("a"), bigTree('b', 10), nullptr);
            const bool told = !saved && saved.error().code == Error::Code::Denied &&
                              saved.error().message.find("Permission denied") != std::string::npos &&
                              saved.error().message.find(path("a")) != std::string::npos;
            return told ? 0 : 1;
        });
        ::chmod(m_folder->path().toLocal8Bit().constData(), 0755);
        QCOMPARE(code, 0);
        QCOMPARE(readFile(path("a")), before);
        QCOMPARE(names(), QStringList{QStringLiteral("a")});
    }

    // A child saves two contents in turn as fast as it can and is killed at some moment: what is there is whole.
    void killedDuringASave()
    {
        const std::size_t size = 1'000'000;
        const std::string a = json::writeDocument(bigTree('a', size)), b = json::writeDocument(bigTree('b', size));
        QVERIFY(codec::writeFileAtomically(path("a"), a));
        int seen[2] = {0, 0};
        for (int round = 0; round < 15; ++round) {
            int ready[2];
            QCOMPARE(::pipe(ready), 0);
            const pid_t child = ::fork();
            if (child == 0) {
                const Value trees[2] = {bigTree('a', size), bigTree('b', size)};
                char byte = 'x';
                if (::write(ready[1], &byte, 1) != 1)
                    ::_exit(1);
                for (unsigned i = 0;; ++i) {
                    if (!codec::saveFile(path("a"), trees[i % 2], nullptr))
                        ::_exit(1);
                }
            }
            char byte = 0;
            QCOMPARE(::read(ready[0], &byte, 1), ssize_t(1));
            ::usleep(useconds_t(500 * round)); // another moment of the save each time
            ::kill(child, SIGKILL);
            int status = 0;
            ::waitpid(child, &status, 0);
            ::close(ready[0]);
            ::close(ready[1]);
            QVERIFY(WIFSIGNALED(status));
            const std::string now = readFile(path("a"));
            QVERIFY(now == a || now == b);
            ++seen[now == b];
        }
        QVERIFY(seen[0] + seen[1] == 15);
    }

    void tooDeepToBeReadAgain()
    {
        Value tree = bigTree('a', 1);
        for (int i = 0; i < 255; ++i)
            tree = Value(json::Array{tree});
        QVERIFY(codec::saveFile(path("a"), tree, nullptr));
        QVERIFY(std::holds_alternative<Value>(json::parse(readFile(path("a")))));
        const auto refused = codec::saveFile(path("b"), Value(json::Array{tree}), nullptr);
        QVERIFY(!refused && refused.error().message.find("256 levels") != std::string::npos);
        QVERIFY(!codec::stampOf(path("b")).exists);
    }

    void intoAPipe()
    {
        QCOMPARE(::mkfifo(path("pipe").c_str(), 0600), 0);
        const int reader = ::open(path("pipe").c_str(), O_RDWR | O_NONBLOCK);
        QVERIFY(codec::writeFileAtomically(path("pipe"), "hello"));
        char buffer[10] = {};
        QCOMPARE(::read(reader, buffer, sizeof buffer), ssize_t(5));
        ::close(reader);
        struct stat status = {};
        ::stat(path("pipe").c_str(), &status);
        QVERIFY(S_ISFIFO(status.st_mode));
    }

    void intoAFolder()
    {
        const auto refused = codec::writeFileAtomically(m_folder->path().toStdString(), "x");
        QVERIFY(!refused && refused.error().message.find("folder") != std::string::npos);
        const auto missing = codec::writeFileAtomically(path("none/a"), "x");
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, Error::Code::NotFound);
    }
};

QTEST_APPLESS_MAIN(WorkspaceFileTest)
#include "tst_workspacefile.moc"
