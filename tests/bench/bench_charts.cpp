// What drawing costs: a chart of the run page built and painted, as on every pull of a running scenario.
#include "charts/chartscene.h"
#include "support/samplerun.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QPainter>

#include <cstdio>

using namespace wardbench;

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    constexpr int rounds = 50;
    const QSize size(500, 200);
    const RunResult run = test::sampleRun();
    QImage image(size, QImage::Format_RGB32);
    for (const charts::Kind kind :
         {charts::Kind::Percentiles, charts::Kind::Throughput, charts::Kind::Latency, charts::Kind::Upstream}) {
        QElapsedTimer timer;
        double content = 0, layout = 0, paint = 0;
        for (int i = 0; i < rounds; ++i) {
            timer.start();
            const report::ChartData data = report::chartData(run, kind, report::WithTable::No);
            content += static_cast<double>(timer.nsecsElapsed()) / 1e6;
            timer.start();
            const charts::ChartScene scene(data, size, charts::Colours::Light);
            layout += static_cast<double>(timer.nsecsElapsed()) / 1e6;
            timer.start();
            QPainter painter(&image);
            scene.render(painter, QRectF(QPointF(), size));
            paint += static_cast<double>(timer.nsecsElapsed()) / 1e6;
        }
        std::printf("%-12s content %6.2f ms, layout %6.2f ms, painting %6.2f ms\n", charts::name(kind).toUtf8().constData(),
                    content / rounds, layout / rounds, paint / rounds);
    }
    return 0;
}
