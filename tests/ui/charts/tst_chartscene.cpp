#include "charts/chartcolours.h"
#include "charts/chartscene.h"
#include "support/samplerun.h"

#include <QChart>
#include <QGraphicsSimpleTextItem>
#include <QImage>
#include <QLineSeries>
#include <QPainter>
#include <QTest>

#include <cmath>

using namespace wardbench;
using namespace wardbench::charts;

namespace {

/// 900 x 20 ms, 90 x 50 ms, 10 x 80 ms: 20 ms up to p90, 50 ms up to p99, 80 ms to the end.
RunResult steppedRun()
{
    std::vector<double> values(900, 20.0);
    values.insert(values.end(), 90, 50.0);
    values.insert(values.end(), 10, 80.0);
    return test::runWithLatencies(values);
}

QImage picture(const ChartScene &scene, QSize size, int scale)
{
    QImage image(size * scale, QImage::Format_RGB32);
    QPainter painter(&image);
    painter.scale(scale, scale);
    scene.render(painter, QRectF(QPointF(), size));
    return image;
}

int distance(const QColor &a, const QColor &b)
{
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
}

/// Middle of the run of pixels of `colour` in column x (or row y), in scene pixels; -1 when there is none.
double middleInColumn(const QImage &image, double x, double from, double to, const QColor &colour, int scale)
{
    double sum = 0;
    int count = 0;
    for (int y = static_cast<int>(from * scale); y < static_cast<int>(to * scale); ++y) {
        if (distance(image.pixelColor(static_cast<int>(std::lround(x * scale)), y), colour) < 90) {
            sum += (y + 0.5) / scale;
            ++count;
        }
    }
    return count ? sum / count : -1;
}

double middleInRow(const QImage &image, double y, double from, double to, const QColor &colour, int scale)
{
    double sum = 0;
    int count = 0;
    for (int x = static_cast<int>(from * scale); x < static_cast<int>(to * scale); ++x) {
        if (distance(image.pixelColor(x, static_cast<int>(std::lround(y * scale))), colour) < 90) {
            sum += (x + 0.5) / scale;
            ++count;
        }
    }
    return count ? sum / count : -1;
}

} // namespace

class TestChartScene : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void curvePassesThroughKnownPoints_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<int>("scale");
        QTest::newRow("light 1x") << false << 1;
        QTest::newRow("light 2x") << false << 2;
        QTest::newRow("dark 1x") << true << 1;
        QTest::newRow("dark 2x") << true << 2;
    }
    void curvePassesThroughKnownPoints()
    {
        QFETCH(bool, dark);
        QFETCH(int, scale);
        const Colours colours = dark ? Colours::Dark : Colours::Light;
        const ChartScene scene(report::chartData(steppedRun(), Kind::Percentiles), sceneSize, colours);
        const QImage image = picture(scene, sceneSize, scale);
        const QColor line = coloursOf(colours).line(0);
        const QRectF area = scene.plotArea();
        // The places from the definition, not from the scene: three decades from the left edge, the axis from 0 to 80.
        const double decade = (area.width() - 7) / 3, bottom = area.bottom(), unit = area.height() / 80;
        for (const auto &[x, y] : {std::pair(0.5, 20.0), std::pair(0.9, 20.0), std::pair(1.5, 50.0), std::pair(1.9, 50.0)}) {
            const double column = area.left() + x * decade, expected = bottom - y * unit;
            const double found = middleInColumn(image, column, expected - 12, expected + 12, line, scale);
            QVERIFY2(std::abs(found - expected) <= 1, qPrintable(QStringLiteral("at %1 %2: %3 not %4").arg(x).arg(y).arg(found).arg(expected)));
        }
        for (const auto &[x, y] : {std::pair(1.0, 35.0), std::pair(2.0, 65.0)}) {
            const double row = bottom - y * unit, expected = area.left() + x * decade;
            const double found = middleInRow(image, row, expected - 12, expected + 12, line, scale);
            QVERIFY2(std::abs(found - expected) <= 1.5, qPrintable(QStringLiteral("step at %1: %2 not %3").arg(x).arg(found).arg(expected)));
        }
    }

    void placesAndValuesAgree()
    {
        const ChartScene scene(report::chartData(test::sampleRun(), Kind::Latency), sceneSize, Colours::Light);
        QVERIFY(std::abs(scene.xAt(scene.toScene(7.25, 0).x()) - 7.25) < 1e-9);
        QCOMPARE(scene.toScene(0, 0), scene.plotArea().bottomLeft());
    }

    void nothingOverlapsOrLeaves_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QSize>("size");
        for (const Kind kind : report::chartKinds())
            for (const QSize size : {QSize(800, 500), QSize(600, 400), QSize(500, 230), QSize(360, 180), QSize(1200, 700)})
                QTest::addRow("%s %dx%d", report::chartName(kind).data(), size.width(), size.height()) << static_cast<int>(kind) << size;
    }
    void nothingOverlapsOrLeaves()
    {
        QFETCH(int, kind);
        QFETCH(QSize, size);
        const ChartScene scene(report::chartData(test::sampleRun(), static_cast<Kind>(kind)), size, Colours::Light);
        QList<QPair<QString, QRectF>> texts;
        for (const QGraphicsItem *item : scene.scene().items())
            if (const auto *text = qgraphicsitem_cast<const QGraphicsSimpleTextItem *>(item); text && !text->text().isEmpty())
                texts.append({text->text(), text->sceneBoundingRect().adjusted(0, 2, 0, -2)});
        QVERIFY(texts.size() > 5);
        for (qsizetype i = 0; i < texts.size(); ++i) {
            QVERIFY2(QRectF(QPointF(-1, -1), QSizeF(size) + QSizeF(2, 2)).contains(texts[i].second), qPrintable(texts[i].first));
            for (qsizetype j = 0; j < i; ++j)
                QVERIFY2(!texts[i].second.intersects(texts[j].second), qPrintable(texts[i].first + QStringLiteral(" over ") + texts[j].first));
        }
    }

    void lowViewsLeavePartsOutAndSaySo()
    {
        RunResult run = test::sampleRun();
        run.contestants[1].total.modules = {{"holder", "joined", 5}, {"cache", "hits", 7}, {"retry", "retries", 3}, {"retry", "recovered", 2},
                                            {"retry", "exhausted", 1}};
        const report::ChartData data = report::chartData(run, Kind::Upstream);
        const auto textsIn = [&data](QSize size) {
            const ChartScene scene(data, size, Colours::Light);
            QStringList texts;
            for (const QGraphicsItem *item : scene.scene().items())
                if (const auto *text = qgraphicsitem_cast<const QGraphicsSimpleTextItem *>(item))
                    texts << text->text();
            return texts;
        };
        const QStringList high = textsIn({500, 300}), low = textsIn({500, 120});
        QVERIFY(high.contains(QStringLiteral("retry exhausted")));
        QVERIFY(high.filter(QStringLiteral("more")).isEmpty());
        QVERIFY2(low.contains(QStringLiteral("Warden: upstream")) && !low.contains(QStringLiteral("retry exhausted")),
                 qPrintable(low.join(QStringLiteral(" | "))));
        QCOMPARE(low.filter(QStringLiteral("more: enlarge")).size(), 1);
    }

    void manyContestantsGetALegend()
    {
        RunResult run = test::sampleRun();
        for (int i = 0; i < 4; ++i) {
            ContestantResult more = run.contestants[1];
            more.name = "Variant " + std::to_string(i);
            run.contestants.push_back(more);
        }
        const ChartScene scene(report::chartData(run, Kind::Throughput), sceneSize, Colours::Light);
        QStringList found;
        for (const QGraphicsItem *item : scene.scene().items())
            if (const auto *text = qgraphicsitem_cast<const QGraphicsSimpleTextItem *>(item))
                found << text->text();
        for (const ContestantResult &contestant : run.contestants)
            QCOMPARE(found.count(QString::fromStdString(contestant.name)), 1);
    }

    void wordsWhenThereIsNothing()
    {
        const ChartScene scene(report::chartData(test::failedRun(), Kind::Percentiles), sceneSize, Colours::Dark);
        QString all;
        for (const QGraphicsItem *item : scene.scene().items(Qt::AscendingOrder))
            if (const auto *text = qgraphicsitem_cast<const QGraphicsSimpleTextItem *>(item))
                all += text->text() + u' ';
        QVERIFY2(all.contains(QStringLiteral("All 50 requests failed")), qPrintable(all));
        QCOMPARE(picture(scene, sceneSize, 1).pixelColor(2, 2), coloursOf(Colours::Dark).background);
    }

    void noMorePointsThanColumns()
    {
        std::vector<double> values;
        for (int i = 0; i < 50000; ++i)
            values.push_back(1 + i * 0.02);
        const report::ChartData data = report::chartData(test::runWithLatencies(values), Kind::Percentiles);
        const ChartScene scene(data, QSize(500, 230), Colours::Light);
        qsizetype given = 0, drawn = 0;
        for (const report::ChartSeries &series : data.series)
            given += static_cast<qsizetype>(series.points.size());
        for (const QGraphicsItem *item : scene.scene().items())
            if (const auto *chart = dynamic_cast<const QChart *>(item))
                for (const QAbstractSeries *series : chart->series())
                    if (const auto *line = qobject_cast<const QLineSeries *>(series))
                        drawn += line->count();
        QVERIFY(given > 3000);
        QVERIFY2(drawn > 200 && drawn <= 4 * scene.plotArea().width() + 4, qPrintable(QString::number(drawn)));
    }

    void gridIsDrawn()
    {
        const ChartScene scene(report::chartData(steppedRun(), Kind::Percentiles), sceneSize, Colours::Light);
        const QImage image = picture(scene, sceneSize, 2);
        const QRectF area = scene.plotArea();
        const double row = area.bottom() - 0.75 * area.height(); // 60 of 80 ms, a whole step
        const double found = middleInColumn(image, area.left() + 40, row - 4, row + 4, coloursOf(Colours::Light).grid, 2);
        QVERIFY2(std::abs(found - row) <= 1, qPrintable(QString::number(found)));
    }
};

QTEST_MAIN(TestChartScene)
#include "tst_chartscene.moc"
