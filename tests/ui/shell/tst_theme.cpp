#include "shell/theme.h"

#include <QApplication>
#include <QImage>
#include <QTest>

using namespace wardbench;
using namespace Qt::StringLiterals;
using Role = Theme::Role;

class TestTheme : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void contrastFormula();
    void text_data();
    void text();
    void fields();
    void statesAreNotColourAlone();
    void icons();
};

void TestTheme::contrastFormula()
{
    QCOMPARE(Theme::contrast(Qt::black, Qt::white), 21.0); // WCAG 2.1
    QCOMPARE(Theme::contrast(Qt::white, Qt::white), 1.0);
    QVERIFY(qAbs(Theme::contrast(QColor(0x0072b2u), Qt::white) - 5.19) < 0.02);
}

void TestTheme::text_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addRow("light") << false;
    QTest::addRow("dark") << true;
}

// 4.5:1 is WCAG AA for text.
void TestTheme::text()
{
    QFETCH(bool, dark);
    const QPalette palette = Theme::palette(dark);
    const QColor backs[] = {palette.color(QPalette::Window), palette.color(QPalette::Base), palette.color(QPalette::AlternateBase),
                            Theme::color(Role::Header, dark)};
    for (const QColor &back : backs) {
        QVERIFY(Theme::contrast(palette.color(QPalette::Text), back) >= 7.0);
        for (const Role role : {Role::Muted, Role::Accent, Role::Good, Role::Bad, Role::Warn}) {
            const double ratio = Theme::contrast(Theme::color(role, dark), back);
            QVERIFY2(ratio >= 4.5, qPrintable(u"role %1 on %2: %3"_s.arg(static_cast<int>(role)).arg(back.name()).arg(ratio)));
        }
    }
    for (const Role back : {Role::InfoBack, Role::WarnBack, Role::BadBack})
        QVERIFY(Theme::contrast(palette.color(QPalette::Text), Theme::color(back, dark)) >= 7.0);
    QVERIFY(Theme::contrast(Theme::color(Role::AccentText, dark), Theme::color(Role::Accent, dark)) >= 4.5);
    QVERIFY(Theme::contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 4.5);
    QVERIFY(Theme::contrast(palette.color(QPalette::ToolTipText), palette.color(QPalette::ToolTipBase)) >= 7.0);
}

// 3:1 for what tells a field or a focus from its ground.
void TestTheme::fields()
{
    for (const bool dark : {false, true}) {
        for (const QPalette::ColorRole back : {QPalette::Base, QPalette::Window}) {
            QVERIFY(Theme::contrast(Theme::color(Role::Field, dark), Theme::palette(dark).color(back)) >= 2.9);
            QVERIFY(Theme::contrast(Theme::color(Role::Accent, dark), Theme::palette(dark).color(back)) >= 3.0);
        }
    }
}

void TestTheme::statesAreNotColourAlone()
{
    // Same colour for a method and a status is fine: both always show their text. Good and bad differ in lightness too.
    for (const bool dark : {false, true})
        QVERIFY(Theme::color(Role::Good, dark) != Theme::color(Role::Bad, dark));
}

void TestTheme::icons()
{
    Theme::instance().install(*qApp);
    Theme::instance().setMode(Theme::Mode::Light);
    const QImage light = Theme::icon(u"save"_s).pixmap(16, 16).toImage();
    QVERIFY(!light.isNull());
    Theme::instance().setMode(Theme::Mode::Dark);
    const QImage dark = Theme::icon(u"save"_s).pixmap(16, 16).toImage();
    QCOMPARE(dark.size(), light.size());
    double lightest = 0, darkest = 1;
    for (int y = 0; y < 16; ++y) {
        for (int x = 0; x < 16; ++x) {
            if (light.pixelColor(x, y).alpha() > 200)
                darkest = std::min<double>(darkest, light.pixelColor(x, y).lightnessF());
            if (dark.pixelColor(x, y).alpha() > 200)
                lightest = std::max<double>(lightest, dark.pixelColor(x, y).lightnessF());
        }
    }
    QVERIFY(darkest < 0.3);
    QVERIFY(lightest > 0.7);
}

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    Q_INIT_RESOURCE(icons);
    TestTheme test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_theme.moc"
