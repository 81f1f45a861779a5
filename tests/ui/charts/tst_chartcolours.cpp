#include "charts/chartaxis.h"
#include "charts/chartcolours.h"

#include <QSet>
#include <QTest>

using namespace wardbench::charts;

class TestChartColours : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void contrastFormula()
    {
        QVERIFY(qAbs(contrast(Qt::black, Qt::white) - 21.0) < 1e-9);
        // ux.md C-25 gives these two to one decimal.
        QVERIFY(qAbs(contrast(QColor(0x0072B2), Qt::white) - 5.2) < 0.05);
        QVERIFY(qAbs(contrast(QColor(0x56B4E9), QColor(0x232629)) - 6.6) < 0.05);
    }

    void linesReachThreeToOne_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void linesReachThreeToOne()
    {
        QFETCH(bool, dark);
        const ChartColours &colours = coloursOf(dark ? Colours::Dark : Colours::Light);
        for (const QColor &line : colours.lines)
            QVERIFY2(contrast(line, colours.background) >= 3.0, qPrintable(line.name()));
        for (const QColor &text : {colours.ink, colours.muted, colours.passed, colours.failed})
            QVERIFY2(contrast(text, colours.background) >= 4.5, qPrintable(text.name()));
    }

    void orderOfTheContract()
    {
        const QList<QColor> light{QColor(0x0072B2), QColor(0xD55E00), QColor(0x009E73), QColor(0xCC79A7), QColor(Qt::black)};
        const QList<QColor> dark{QColor(0x56B4E9), QColor(0xE69F00), QColor(0x009E73), QColor(0xCC79A7),
                                 QColor(0xD55E00), QColor(0xF0E442), QColor(0xFFFFFF)};
        QCOMPARE(coloursOf(Colours::Light).lines, light);
        QCOMPARE(coloursOf(Colours::Dark).lines, dark);
    }

    void dashesDiffer()
    {
        QSet<QString> seen;
        for (std::size_t i = 0; i < 8; ++i) {
            const QPen pen = linePen(Qt::black, i, 2);
            QVERIFY(pen.widthF() >= 1.5);
            QString key;
            for (const qreal length : pen.style() == Qt::SolidLine ? QList<qreal>() : pen.dashPattern())
                key += QString::number(length) + u' ';
            seen.insert(key);
        }
        QCOMPARE(seen.size(), 8);
    }

    void stepsAreOneTwoFive_data()
    {
        QTest::addColumn<double>("largest");
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("step");
        QTest::addColumn<double>("end");
        QTest::newRow("hundred") << 100.0 << 5 << 20.0 << 100.0;
        QTest::newRow("just above") << 101.0 << 5 << 50.0 << 150.0;
        QTest::newRow("small") << 0.0037 << 4 << 0.001 << 0.004;
        QTest::newRow("two") << 7.0 << 2 << 5.0 << 10.0;
        QTest::newRow("large") << 1.2e9 << 6 << 2e8 << 1.2e9;
        QTest::newRow("nothing") << 0.0 << 5 << 0.2 << 1.0;
    }
    void stepsAreOneTwoFive()
    {
        QFETCH(double, largest);
        QFETCH(int, steps);
        QFETCH(double, step);
        QFETCH(double, end);
        const LinearAxis axis = linearAxis(largest, steps);
        QVERIFY2(qFuzzyCompare(axis.step, step), qPrintable(QString::number(axis.step)));
        QVERIFY2(qFuzzyCompare(axis.end, end), qPrintable(QString::number(axis.end)));
        QCOMPARE(axis.ticks.first().value, 0.0);
        QVERIFY(axis.ticks.size() <= steps + 1);
    }

    void percentileAxisHasItsTicks()
    {
        QStringList labels;
        for (const Tick &tick : percentileTicks(4.3))
            if (!tick.label.isEmpty())
                labels << tick.label;
        QCOMPARE(labels, QStringList({QStringLiteral("0 %"), QStringLiteral("50 %"), QStringLiteral("90 %"), QStringLiteral("99 %"),
                                      QStringLiteral("99.9 %"), QStringLiteral("99.99 %")}));
    }
};

QTEST_APPLESS_MAIN(TestChartColours)
#include "tst_chartcolours.moc"
