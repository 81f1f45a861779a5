#include "charts/pdffile.h"

#include "charts/chart.h"
#include "charts/chartfont.h"

#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>

namespace wardbench::charts {

namespace {

constexpr int dotsPerInch = 96;

/// Puts fixed values in the place of the time of writing and of random ids. Each has the length of what it replaces,
/// so every offset of the file's table stays right.
void rewrite(QByteArray &bytes, const char *pattern)
{
    const QRegularExpression expression(QString::fromLatin1(pattern));
    // Latin-1 maps bytes to characters one to one, so positions in the text are positions in the file.
    auto matches = expression.globalMatch(QString::fromLatin1(bytes));
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        for (qsizetype i = match.capturedStart(1); i < match.capturedEnd(1); ++i) {
            char &byte = bytes[i];
            if ((byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f') || (byte >= 'A' && byte <= 'F'))
                byte = '0';
        }
    }
}

/// A valid day, the same in every file.
void rewriteDates(QByteArray &bytes)
{
    const QRegularExpression info(QStringLiteral("\\(D:(\\d{14})"));
    auto matches = info.globalMatch(QString::fromLatin1(bytes));
    while (matches.hasNext())
        bytes.replace(matches.next().capturedStart(1), 14, "20000101000000");
    const QRegularExpression xmp(QStringLiteral(">(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)"));
    matches = xmp.globalMatch(QString::fromLatin1(bytes));
    while (matches.hasNext())
        bytes.replace(matches.next().capturedStart(1), 19, "2000-01-01T00:00:00");
}

} // namespace

QByteArray pdfFile(const ChartScene &scene, const report::ChartData &data)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(dotsPerInch);
    writer.setPageSize(QPageSize(QSizeF(sceneSize) * 72.0 / dotsPerInch, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins({});
    writer.setCreator(QStringLiteral("Wardbench " WARDBENCH_VERSION));
    writer.setTitle(title(data.kind) + QStringLiteral(": ") + QString::fromStdString(data.scenario));
    QPainter painter(&writer);
    painter.setFont(chartFont(12));
    scene.render(painter, QRectF(QPointF(), sceneSize));
    painter.end();
    buffer.close();
    rewriteDates(bytes);
    rewrite(bytes, "uuid:([0-9a-fA-F-]{36})");
    rewrite(bytes, "/ID\\s*\\[\\s*<([0-9a-fA-F]+)>");
    rewrite(bytes, "/ID\\s*\\[\\s*<[0-9a-fA-F]+>\\s*<([0-9a-fA-F]+)>");
    return bytes;
}

} // namespace wardbench::charts
