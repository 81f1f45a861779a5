#include "charts/chart.h"

#include "charts/chartscene.h"
#include "charts/pdffile.h"
#include "charts/svgfile.h"
#include "report/runfile.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QImageWriter>
#include <QPainter>

namespace wardbench::charts {

namespace {

constexpr int pngScale = 2;
constexpr double dotsPerMetreAt1x = 96 / 0.0254;

Result<QByteArray> pngOf(const ChartScene &scene)
{
    QImage image(sceneSize * pngScale, QImage::Format_RGB32);
    image.setDotsPerMeterX(qRound(dotsPerMetreAt1x * pngScale));
    image.setDotsPerMeterY(qRound(dotsPerMetreAt1x * pngScale));
    QPainter painter(&image);
    painter.scale(pngScale, pngScale);
    scene.render(painter, QRectF(QPointF(), sceneSize));
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, "png");
    if (!writer.write(image))
        return fail("cannot encode the PNG: " + writer.errorString().toStdString());
    return bytes;
}

} // namespace

QString name(Kind kind)
{
    return QString::fromUtf8(report::chartName(kind).data(), static_cast<qsizetype>(report::chartName(kind).size()));
}

QString title(Kind kind)
{
    return QString::fromUtf8(report::chartTitle(kind).data(), static_cast<qsizetype>(report::chartTitle(kind).size()));
}

bool kindFromName(const QString &name, Kind &kind)
{
    const auto found = report::chartKindFromName(name.toStdString());
    if (found)
        kind = *found;
    return found.has_value();
}

bool formatFromSuffix(const QString &path, Format &format)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    for (const auto &[known, meant] : {std::pair("png", Format::Png), std::pair("svg", Format::Svg), std::pair("pdf", Format::Pdf),
                                       std::pair("csv", Format::Csv), std::pair("json", Format::Json)}) {
        if (suffix == QLatin1String(known)) {
            format = meant;
            return true;
        }
    }
    return false;
}

Result<QByteArray> exportChart(const RunResult &result, Kind kind, Format format)
{
    if (format == Format::Json)
        return QByteArray::fromStdString(report::encodeRun(result));
    const report::ChartData data = report::chartData(result, kind);
    if (format == Format::Csv)
        return QByteArray::fromStdString(report::chartCsv(data));
    const ChartScene scene(data, sceneSize, Colours::Light);
    switch (format) {
    case Format::Svg: return svgFile(scene, data);
    case Format::Pdf: return pdfFile(scene, data);
    default: return pngOf(scene);
    }
}

} // namespace wardbench::charts
