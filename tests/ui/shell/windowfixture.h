#pragma once

#include "shell/theme.h"

#include <QApplication>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

namespace wardbench::test {

/// Settings and data of somebody who starts the program for the first time.
class NewUser
{
public:
    NewUser()
    {
        qputenv("XDG_DATA_HOME", m_home.filePath(QStringLiteral("data")).toLocal8Bit());
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, m_home.filePath(QStringLiteral("config")));
    }
    QString file(const QString &name) const { return m_home.filePath(name); }

private:
    QTemporaryDir m_home;
};

/// A test of whole windows, in light colours. `initResources` loads the icons, which needs the global namespace.
template <typename Test>
int runWindowTest(int argc, char **argv, void (*initResources)())
{
    QApplication application(argc, argv);
    initResources();
    Theme::instance().install(application);
    Theme::instance().setMode(Theme::Mode::Light);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace wardbench::test
