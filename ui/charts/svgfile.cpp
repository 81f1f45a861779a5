#include "charts/svgfile.h"

#include "charts/chart.h"
#include "charts/chartfont.h"

#include <QBuffer>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgGenerator>

namespace wardbench::charts {

namespace {

/// Qt's generator opens a group for every change of the painter's state, also when nothing is drawn in it, and
/// writes the size in millimetres. Neither helps a reader.
QByteArray tidied(QString text, const QString &title, const QString &description)
{
    static const QRegularExpression emptyGroup(QStringLiteral("<g [^>]*>\\s*</g>\\s*"));
    for (qsizetype before = -1; before != text.size();) {
        before = text.size();
        text.remove(emptyGroup);
    }
    static const QRegularExpression size(QStringLiteral("<svg width=\"[^\"]*\" height=\"[^\"]*\""));
    text.replace(size, QStringLiteral("<svg width=\"%1\" height=\"%2\"").arg(sceneSize.width()).arg(sceneSize.height()));
    static const QRegularExpression family(QStringLiteral("font-family=\"[^\"]*\""));
    text.replace(family, QStringLiteral("font-family=\"'Liberation Sans', Arial, Helvetica, sans-serif\""));
    static const QRegularExpression blanks(QStringLiteral("[ \\t]+\\n"));
    text.replace(blanks, QStringLiteral("\n"));
    // Qt 6.4 writes title and description without escaping them.
    static const QRegularExpression generated(QStringLiteral("<desc>[^<]*</desc>"));
    text.replace(generated, QStringLiteral("<title>%1</title>\n<desc>%2</desc>").arg(title.toHtmlEscaped(), description.toHtmlEscaped()));
    static const QRegularExpression emptyLines(QStringLiteral("\\n{2,}"));
    text.replace(emptyLines, QStringLiteral("\n"));
    return text.toUtf8();
}

} // namespace

QByteArray svgFile(const ChartScene &scene, const report::ChartData &data)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(sceneSize);
    generator.setViewBox(QRect(QPoint(), sceneSize));
    QPainter painter(&generator);
    painter.setFont(chartFont(12)); // else the application's font would show in the file
    scene.render(painter, QRectF(QPointF(), sceneSize));
    painter.end();
    return tidied(QString::fromUtf8(bytes), title(data.kind) + QStringLiteral(": ") + QString::fromStdString(data.scenario),
                  QString::fromStdString(data.description));
}

} // namespace wardbench::charts
