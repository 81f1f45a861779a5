#pragma once

#include "shell/theme.h"

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace wardbench {

/// What the window remembers between starts, and nothing a person made. One place for keys and defaults.
class Settings
{
public:
    Settings();

    QByteArray geometry() const;
    void setGeometry(const QByteArray &geometry);
    /// A splitter's or header's state by its name.
    QByteArray layout(const QString &name) const;
    void setLayout(const QString &name, const QByteArray &state);
    void forgetLayout();

    Theme::Mode theme() const;
    void setTheme(Theme::Mode mode);
    bool shows(const QString &part) const; ///< "toolbar", "tree", "journal", "status"; default true
    void setShows(const QString &part, bool shown);

    QStringList recentFiles() const; ///< latest first, at most 10
    void addRecentFile(const QString &path);
    void clearRecentFiles();
    QString lastFolder() const;
    void setLastFolder(const QString &folder);

    /// Whether a workspace file may run its scripts without being asked.
    bool allowsScripts(const QString &path) const;
    void allowScripts(const QString &path);

private:
    mutable QSettings m_store;
};

} // namespace wardbench
