#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace wardbench::cli {

/// Tells, once per burst, that one of some files may have changed: written in place, replaced by a rename, removed or
/// made again. Watches the folders as well, because a watch on a file ends with the file.
class FileWatch final : public QObject
{
    Q_OBJECT

public:
    explicit FileWatch(const QStringList &files, QObject *parent = nullptr);

Q_SIGNALS:
    void changed();

private:
    void noticed();

    QStringList m_files;
    QFileSystemWatcher m_watcher;
    QTimer m_pause;
};

} // namespace wardbench::cli
