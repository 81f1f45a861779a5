#include "shell/settings.h"

#include <QDir>
#include <QStandardPaths>

namespace wardbench {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostRecent = 10;
constexpr int mostScripted = 100;
const QString layoutGroup = u"layout-1/"_s; // counted up when the window's parts change

} // namespace

Settings::Settings() : m_store(QSettings::IniFormat, QSettings::UserScope, u"wardbench"_s, u"wardbench"_s) {}

QByteArray Settings::geometry() const
{
    return m_store.value(layoutGroup + u"geometry"_s).toByteArray();
}

void Settings::setGeometry(const QByteArray &geometry)
{
    m_store.setValue(layoutGroup + u"geometry"_s, geometry);
}

QByteArray Settings::layout(const QString &name) const
{
    return m_store.value(layoutGroup + name).toByteArray();
}

void Settings::setLayout(const QString &name, const QByteArray &state)
{
    m_store.setValue(layoutGroup + name, state);
}

void Settings::forgetLayout()
{
    m_store.remove(layoutGroup.chopped(1));
}

Theme::Mode Settings::theme() const
{
    const QString name = m_store.value(u"view/colors"_s).toString();
    return name == u"light"_s ? Theme::Mode::Light : name == u"dark"_s ? Theme::Mode::Dark : Theme::Mode::System;
}

void Settings::setTheme(Theme::Mode mode)
{
    m_store.setValue(u"view/colors"_s, mode == Theme::Mode::Light ? u"light"_s : mode == Theme::Mode::Dark ? u"dark"_s : u"system"_s);
}

bool Settings::shows(const QString &part) const
{
    return m_store.value(u"view/"_s + part, true).toBool();
}

void Settings::setShows(const QString &part, bool shown)
{
    m_store.setValue(u"view/"_s + part, shown);
}

QStringList Settings::recentFiles() const
{
    return m_store.value(u"files/recent"_s).toStringList();
}

void Settings::addRecentFile(const QString &path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    m_store.setValue(u"files/recent"_s, files.mid(0, mostRecent));
}

void Settings::clearRecentFiles()
{
    m_store.remove(u"files/recent"_s);
}

QString Settings::lastFolder() const
{
    const QString folder = m_store.value(u"files/folder"_s).toString();
    return !folder.isEmpty() && QDir(folder).exists() ? folder : QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
}

void Settings::setLastFolder(const QString &folder)
{
    m_store.setValue(u"files/folder"_s, folder);
}

bool Settings::allowsScripts(const QString &path) const
{
    return !path.isEmpty() && m_store.value(u"files/scripts"_s).toStringList().contains(path);
}

void Settings::allowScripts(const QString &path)
{
    QStringList files = m_store.value(u"files/scripts"_s).toStringList();
    files.removeAll(path);
    files.prepend(path);
    m_store.setValue(u"files/scripts"_s, files.mid(0, mostScripted));
}

} // namespace wardbench
