#include <QProcess>
#include <QtTest>

// The headless program must run where no screen, and no library for one, is installed.
class TestHeadless : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void needsNoGuiLibrary();
    void answersWithoutADisplay();
};

void TestHeadless::needsNoGuiLibrary()
{
    QProcess ldd;
    ldd.start(QStringLiteral("ldd"), {QStringLiteral(WARDBENCH_HEADLESS_BINARY)});
    QVERIFY(ldd.waitForFinished());
    const QByteArray libraries = ldd.readAllStandardOutput();
    QVERIFY2(libraries.contains("libQt6Core"), "ldd lists the libraries");
    for (const char *forbidden : {"Qt6Gui", "Qt6Widgets", "Qt6Charts", "Qt6Svg", "qscintilla", "libX11", "libGL"})
        QVERIFY2(!libraries.contains(forbidden), forbidden);
}

void TestHeadless::answersWithoutADisplay()
{
    QProcess program;
    auto environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(QString::fromLatin1(name));
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(WARDBENCH_HEADLESS_BINARY), {QStringLiteral("--version")});
    QVERIFY(program.waitForFinished());
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(program.readAllStandardOutput().contains(WARDBENCH_VERSION));
}

QTEST_APPLESS_MAIN(TestHeadless)
#include "tst_headless.moc"
