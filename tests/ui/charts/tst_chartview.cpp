#include "charts/chartcolours.h"
#include "charts/chartview.h"
#include "support/samplerun.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <set>

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

    // Whatever is looked at, the heading is drawn, and something in the plot.
    void everyLookIsDrawn_data()
    {
        QTest::addColumn<Kind>("kind");
        for (const Kind kind : {Kind::Percentiles, Kind::Latency, Kind::Throughput})
            QTest::addRow("%s", qPrintable(name(kind))) << kind;
    }

    void everyLookIsDrawn()
    {
        QFETCH(Kind, kind);
        ChartView view(kind);
        view.setData(report::chartData(test::sampleRun(), kind));
        view.resize(516, 200);
        const auto inked = [&view](const QRect &where) {
            const QImage picture = view.grab(where).toImage();
            const QColor background = coloursOf(Colours::Light).background;
            int count = 0;
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < picture.width(); ++x)
                    count += picture.pixelColor(x, y) != background;
            return count;
        };
        const QRect heading(8, 4, 300, 24), body(40, 50, 420, 110);
        for (const int key : {0, int(Qt::Key_Right), int(Qt::Key_Plus), int(Qt::Key_Plus), int(Qt::Key_1), int(Qt::Key_Plus), int(Qt::Key_1), int(Qt::Key_2)}) {
            if (key)
                QTest::keyClick(&view, static_cast<Qt::Key>(key));
            QVERIFY2(inked(heading) > 100, qPrintable(QString::number(key)));
            QVERIFY2(inked(body) > 200, qPrintable(QString::number(key)));
        }
    }

    void keysZoom()
    {
        ChartView view(Kind::Latency);
        view.setData(report::chartData(test::sampleRun(), Kind::Latency));
        view.resize(500, 230);
        view.grab();
        QSignalSpy changed(&view, &ChartView::lookChanged);
        const double whole = view.data().xMax;
        QTest::keyClick(&view, Qt::Key_Minus); // there is no more than all
        QVERIFY(!view.look().range);
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.look().range);
        const ChartLook::Range first = *view.look().range;
        QVERIFY(first.from > 0 && first.to < whole && first.to - first.from < whole);
        QCOMPARE(changed.count(), 1);
        for (int i = 0; i < 60; ++i)
            QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.look().range->to > view.look().range->from); // it has an end
        view.grab();
        for (int i = 0; i < 60; ++i)
            QTest::keyClick(&view, Qt::Key_Minus);
        QVERIFY(!view.look().range);
        QTest::keyClick(&view, Qt::Key_Plus);
        QTest::keyClick(&view, Qt::Key_Home);
        QVERIFY(!view.look().range);
    }

    void hairLineTakesTheViewAlong()
    {
        ChartView view(Kind::Latency);
        view.setData(report::chartData(test::sampleRun(), Kind::Latency));
        view.resize(500, 230);
        view.grab();
        view.zoom(0.2, 0);
        const ChartLook::Range first = *view.look().range;
        QCOMPARE(first.from, 0.0);
        for (int i = 0; i < 12; ++i)
            QTest::keyClick(&view, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(view.look().range->from > 0);
        QVERIFY(std::abs((view.look().range->to - view.look().range->from) - (first.to - first.from)) < 1e-9);
        QTest::keyClick(&view, Qt::Key_Escape); // the hair line
        QVERIFY(view.look().range);
        QTest::keyClick(&view, Qt::Key_Escape); // the zoom
        QVERIFY(!view.look().range);
    }

    void draggingMarksARange()
    {
        ChartView view(Kind::Throughput);
        view.setData(report::chartData(test::sampleRun(), Kind::Throughput));
        view.resize(600, 300);
        view.grab();
        const ChartScene scene(view.data(), view.size(), Colours::Light);
        const QRectF area = scene.plotArea();
        const QPoint from(static_cast<int>(area.left() + area.width() / 4), static_cast<int>(area.center().y()));
        const QPoint to(static_cast<int>(area.center().x()), from.y());
        QTest::mousePress(&view, Qt::LeftButton, {}, from);
        QTest::mouseMove(&view, to);
        QTest::mouseRelease(&view, Qt::LeftButton, {}, to);
        QVERIFY(view.look().range);
        QVERIFY(std::abs(view.look().range->from - scene.xAt(from.x())) < view.data().xMax / 100);
        QVERIFY(std::abs(view.look().range->to - scene.xAt(to.x())) < view.data().xMax / 100);
    }

    void namesHideLines()
    {
        ChartView view(Kind::Percentiles);
        view.setData(report::chartData(test::sampleRun(), Kind::Percentiles));
        view.resize(600, 300);
        view.grab();
        QTest::keyClick(&view, Qt::Key_Right);
        const QString both = view.readOut();
        QVERIFY2(both.contains(QStringLiteral("(Warden)")) && both.contains(QStringLiteral("(Bare client)")), qPrintable(both));
        QTest::keyClick(&view, Qt::Key_1);
        QCOMPARE(view.look().hidden, std::set<std::size_t>{0});
        QVERIFY2(!view.readOut().contains(QStringLiteral("(Bare client)")), qPrintable(view.readOut()));
        view.grab(); // now with a legend, which has the name
        const ChartScene scene(view.data(), view.size(), Colours::Light, view.look());
        QPoint name;
        for (int y = 0; y < view.height() && name.isNull(); y += 3) {
            for (int x = 0; x < view.width() && name.isNull(); x += 3) {
                if (scene.nameAt(QPointF(x, y)) == std::size_t(0))
                    name = {x + 2, y + 2};
            }
        }
        QVERIFY(!name.isNull());
        QTest::mouseClick(&view, Qt::LeftButton, {}, name);
        QVERIFY(view.look().hidden.empty());
        QTest::keyClick(&view, Qt::Key_2, Qt::AltModifier);
        QCOMPARE(view.look().hidden, std::set<std::size_t>{0});
        QTest::keyClick(&view, Qt::Key_2); // somebody must stay
        QCOMPARE(view.look().hidden, std::set<std::size_t>{0});
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
