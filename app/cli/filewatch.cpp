#include "cli/filewatch.h"

#include <QFileInfo>

namespace wardbench::cli {

using namespace std::chrono_literals;

FileWatch::FileWatch(const QStringList &files, QObject *parent) : QObject(parent), m_files(files)
{
    // Editors write in several steps; a file half written is not worth a look.
    m_pause.setSingleShot(true);
    m_pause.setInterval(100ms);
    connect(&m_pause, &QTimer::timeout, this, &FileWatch::changed);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &FileWatch::noticed);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &FileWatch::noticed);
    for (const QString &file : m_files) {
        m_watcher.addPath(QFileInfo(file).absolutePath());
        const QFileInfo target(QFileInfo(file).canonicalFilePath()); // a link is replaced where it points
        if (target.exists())
            m_watcher.addPath(target.absolutePath());
    }
    m_watcher.addPaths(m_files);
}

void FileWatch::noticed()
{
    const QStringList watched = m_watcher.files();
    for (const QString &file : m_files) {
        if (!watched.contains(file) && QFileInfo::exists(file))
            m_watcher.addPath(file);
    }
    m_pause.start();
}

} // namespace wardbench::cli
