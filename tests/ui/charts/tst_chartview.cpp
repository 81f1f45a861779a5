#include "charts/chartcolours.h"
#include "charts/chartview.h"
#include "support/samplerun.h"

#include <QSignalSpy>
#include <QTest>

using namespace wardbench;
using namespace wardbench::charts;

class TestChartView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsScreenReaders()
    {
        ChartView view(Kind::Percentiles);
        QCOMPARE(view.accessibleName(), QStringLiteral("Latency by percentile"));
        QVERIFY(view.accessibleDescription().startsWith(QStringLiteral("Nothing measured yet")));
        view.setData(report::chartData(test::sampleRun(), Kind::Percentiles));
        QVERIFY(view.accessibleDescription().contains(QStringLiteral("Warden: p50")));
    }

    void keysReadValues()
    {
        ChartView view(Kind::Percentiles);
        view.setData(report::chartData(test::sampleRun(), Kind::Percentiles));
        view.resize(500, 230);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.grab();
        QVERIFY(view.readOut().isEmpty());
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY2(view.readOut().startsWith(u'p'), qPrintable(view.readOut()));
        const QString first = view.readOut();
        QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(view.readOut() != first);
        QVERIFY(view.readOut().contains(QStringLiteral("(Warden)")));
        QCOMPARE(view.accessibleDescription(), view.readOut());
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(view.readOut().isEmpty());
    }

    void enterAndDoubleClickActivate()
    {
        ChartView view(Kind::Throughput);
        QSignalSpy activated(&view, &ChartView::activated);
        QTest::keyClick(&view, Qt::Key_Return);
        QTest::mouseDClick(&view, Qt::LeftButton);
        QCOMPARE(activated.count(), 2);
    }

    void followsThePalette()
    {
        ChartView view(Kind::Latency);
        view.setData(report::chartData(test::sampleRun(), Kind::Latency));
        view.resize(500, 230);
        QPalette palette(QColor(0xF0F0F0));
        palette.setColor(QPalette::Window, QColor(0xF7F8F9));
        view.setPalette(palette);
        QCOMPARE(view.grab().toImage().pixelColor(250, 4), coloursOf(Colours::Light).background);
        palette.setColor(QPalette::Window, QColor(0x1E2124));
        view.setPalette(palette);
        QCOMPARE(view.grab().toImage().pixelColor(250, 4), coloursOf(Colours::Dark).background);
    }
};

QTEST_MAIN(TestChartView)
#include "tst_chartview.moc"
