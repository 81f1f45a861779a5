// The five-press flow in a real window: a virtual display, a window manager, the program itself, and keys as a person
// presses them. Enter opens the demo, F6 sends a test request, F5 runs the scenario, Ctrl+E asks where the chart goes,
// Enter saves it.
#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <utility>

using namespace Qt::StringLiterals;

namespace {

QString firstFile(const QString &folder, const QString &pattern)
{
    QDirIterator files(folder, {pattern}, QDir::Files, QDirIterator::Subdirectories);
    return files.hasNext() ? files.next() : QString();
}

} // namespace

class TestFivePresses : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void fivePresses();

private:
    QString tool(const QString &name, const QStringList &arguments) const;
    void press(const QString &key) const { tool(u"xdotool"_s, {u"key"_s, u"--clearmodifiers"_s, key}); }
    QString activeTitle() const { return tool(u"xdotool"_s, {u"getactivewindow"_s, u"getwindowname"_s}); }
    QImage picture(const QString &name) const;

    QTemporaryDir m_home;
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
    QProcess m_display, m_manager, m_program;
};

QString TestFivePresses::tool(const QString &name, const QStringList &arguments) const
{
    QProcess process;
    process.setProcessEnvironment(m_environment);
    process.start(name, arguments);
    process.waitForFinished(20'000);
    return QString::fromLocal8Bit(process.readAllStandardOutput()).trimmed();
}

QImage TestFivePresses::picture(const QString &name) const
{
    const QString path = m_home.filePath(name);
    tool(u"import"_s, {u"-window"_s, u"root"_s, u"png:"_s + path});
    return QImage(path);
}

void TestFivePresses::initTestCase()
{
    for (const QString &name : {u"Xvfb"_s, u"openbox"_s, u"xdotool"_s, u"import"_s})
        QVERIFY2(!QStandardPaths::findExecutable(name).isEmpty(), qPrintable(name + u" is needed (tests/run installs it)"_s));
    QVERIFY(m_home.isValid());
    // The display picks its own free number and says which.
    m_display.start(u"Xvfb"_s, {u"-displayfd"_s, u"1"_s, u"-screen"_s, u"0"_s, u"1366x768x24"_s, u"-nolisten"_s, u"tcp"_s});
    QVERIFY(m_display.waitForStarted());
    QByteArray number;
    QTRY_VERIFY_WITH_TIMEOUT((m_display.waitForReadyRead(100), number += m_display.readAllStandardOutput(), number.endsWith('\n')), 20'000);
    m_environment.insert(u"DISPLAY"_s, u":"_s + QString::fromLatin1(number.trimmed()));
    m_environment.insert(u"QT_QPA_PLATFORM"_s, u"xcb"_s);
    m_environment.insert(u"HOME"_s, m_home.path());
    for (const char *name : {"CONFIG", "DATA", "CACHE"})
        m_environment.insert(u"XDG_%1_HOME"_s.arg(QString::fromLatin1(name)), m_home.filePath(QString::fromLatin1(name).toLower()));
    QVERIFY(QDir(m_home.path()).mkdir(u"run"_s));
    QFile::setPermissions(m_home.filePath(u"run"_s), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    m_environment.insert(u"XDG_RUNTIME_DIR"_s, m_home.filePath(u"run"_s));
    m_manager.setProcessEnvironment(m_environment);
    m_manager.start(u"openbox"_s, QStringList());
    QVERIFY(m_manager.waitForStarted());
    m_program.setProcessEnvironment(m_environment);
    m_program.setProcessChannelMode(QProcess::MergedChannels);
}

void TestFivePresses::cleanupTestCase()
{
    for (QProcess *process : {&m_program, &m_manager, &m_display}) {
        process->terminate();
        if (process->state() != QProcess::NotRunning && !process->waitForFinished(10'000))
            process->kill();
    }
}

void TestFivePresses::fivePresses()
{
    m_program.start(QStringLiteral(WARDBENCH_BINARY), QStringList());
    QVERIFY(m_program.waitForStarted());
    QTRY_COMPARE_WITH_TIMEOUT(activeTitle(), u"Wardbench"_s, 30'000);

    press(u"Return"_s);
    QTRY_VERIFY_WITH_TIMEOUT(activeTitle().startsWith(u"demo"_s), 20'000);

    QTest::qWait(500); // the window has drawn the workspace
    const QImage before = picture(u"before.png"_s);
    press(u"F6"_s);
    QTRY_VERIFY_WITH_TIMEOUT(picture(u"after.png"_s) != before, 20'000); // the journal has its row

    press(u"F5"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!firstFile(m_home.path(), u"*.wbrun"_s).isEmpty(), 120'000);

    // The page shows the result once nothing on it moves any more.
    QImage last;
    const auto still = [&] {
        QTest::qWait(400); // longer than the page's own beat
        return std::exchange(last, picture(u"result.png"_s)) == last;
    };
    QTRY_VERIFY_WITH_TIMEOUT(still(), 20'000);

    press(u"ctrl+e"_s);
    QTRY_VERIFY_WITH_TIMEOUT(!activeTitle().isEmpty() && !activeTitle().startsWith(u"demo"_s), 20'000); // the save dialog
    press(u"Return"_s);
    QTRY_VERIFY_WITH_TIMEOUT((picture(u"last.png"_s), !firstFile(m_home.path(), u"*percentiles*.png"_s).isEmpty()), 20'000);

    QImage chart;
    QTRY_VERIFY(chart.load(firstFile(m_home.path(), u"*percentiles*.png"_s)));
    QCOMPARE(chart.size(), QSize(1600, 1000));
    QSet<QRgb> colours;
    for (int y = 0; y < chart.height(); y += 2) {
        for (int x = 0; x < chart.width(); x += 2)
            colours.insert(chart.pixel(x, y));
    }
    QVERIFY2(colours.size() > 20, "the exported chart is blank");
    QCOMPARE(m_program.state(), QProcess::Running);
    const QByteArray output = m_program.readAll();
    QVERIFY2(!output.contains("QObject") && !output.contains("ERROR"), output.constData());
}

QTEST_GUILESS_MAIN(TestFivePresses)
#include "tst_fivepresses.moc"
