#include "charts/chart.h"
#include "report/runfile.h"
#include "support/samplerun.h"

#include <QApplication>
#include <QDate>
#include <QImage>
#include <QLocale>
#include <QTest>
#include <QXmlStreamReader>
#include <QtEndian>

using namespace wardbench;
using namespace wardbench::charts;

namespace {

QByteArray exported(const RunResult &run, Kind kind, Format format)
{
    const auto bytes = exportChart(run, kind, format);
    return bytes ? *bytes : QByteArray();
}

} // namespace

class TestChartExport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void suffixes()
    {
        Format format = Format::Json;
        QVERIFY(formatFromSuffix(QStringLiteral("a/b.c.PNG"), format) && format == Format::Png);
        QVERIFY(formatFromSuffix(QStringLiteral("x.svg"), format) && format == Format::Svg);
        QVERIFY(!formatFromSuffix(QStringLiteral("x.gif"), format));
        QVERIFY(!formatFromSuffix(QStringLiteral("png"), format));
    }

    void sameBytesWhateverTheSurroundings()
    {
        const RunResult run = test::sampleRun();
        const auto all = [&run] {
            QList<QByteArray> files;
            for (const Kind kind : report::chartKinds())
                for (const Format format : {Format::Png, Format::Svg, Format::Pdf, Format::Csv, Format::Json})
                    files << exported(run, kind, format);
            return files;
        };
        const QList<QByteArray> first = all();
        const QFont font = QApplication::font();
        const QPalette palette = QApplication::palette();
        QLocale::setDefault(QLocale(QLocale::German));
        QApplication::setFont(QFont(QStringLiteral("DejaVu Serif"), 19));
        QApplication::setPalette(QPalette(Qt::darkGray));
        QTest::qWait(1100); // the clock's next second: a file that carries its time of writing differs now
        const QList<QByteArray> second = all();
        QLocale::setDefault(QLocale::c());
        QApplication::setFont(font);
        QApplication::setPalette(palette);
        QCOMPARE(second.size(), first.size());
        for (qsizetype i = 0; i < first.size(); ++i) {
            QVERIFY(!first[i].isEmpty());
            QVERIFY2(first[i] == second[i], qPrintable(QStringLiteral("chart %1, format %2").arg(i / 5).arg(i % 5)));
        }
    }

    void pngIsTwiceTheScene()
    {
        const QByteArray png = exported(test::sampleRun(), Kind::Percentiles, Format::Png);
        const QImage image = QImage::fromData(png, "png");
        QCOMPARE(image.size(), QSize(1600, 1000));
        const qsizetype at = png.indexOf("pHYs");
        QVERIFY(at > 0);
        QCOMPARE(qFromBigEndian<quint32>(png.constData() + at + 4), 7559u); // 192 dots per inch in metres
        QCOMPARE(qFromBigEndian<quint32>(png.constData() + at + 8), 7559u);
        QCOMPARE(int(png.at(at + 12)), 1);
        QCOMPARE(image.pixelColor(0, 0), QColor(Qt::white));
    }

    void svgHasTextAsText()
    {
        const QByteArray svg = exported(test::sampleRun(), Kind::Percentiles, Format::Svg);
        QXmlStreamReader reader(svg);
        QStringList texts;
        QString title, description, viewBox, width;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement)
                continue;
            for (const QXmlStreamAttribute &attribute : reader.attributes())
                QVERIFY2(!attribute.value().contains(QLatin1String("http")) || attribute.name().startsWith(QLatin1String("xmlns")),
                         qPrintable(attribute.value().toString()));
            QVERIFY(reader.name() != QLatin1String("image"));
            if (reader.name() == QLatin1String("svg")) {
                viewBox = reader.attributes().value(QLatin1String("viewBox")).toString();
                width = reader.attributes().value(QLatin1String("width")).toString();
            } else if (reader.name() == QLatin1String("title")) {
                title = reader.readElementText();
            } else if (reader.name() == QLatin1String("desc")) {
                description = reader.readElementText();
            } else if (reader.name() == QLatin1String("text")) {
                texts << reader.readElementText();
            }
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(viewBox, QStringLiteral("0 0 800 500"));
        QCOMPARE(width, QStringLiteral("800"));
        QCOMPARE(title, QStringLiteral("Latency by percentile: Holder, described"));
        QVERIFY2(description.contains(QLatin1String("60,000 samples")), qPrintable(description));
        for (const char *words : {"Latency by percentile: Holder, described", "Latency, ms", "99.9 %", "Warden", "Bare client"})
            QVERIFY2(texts.contains(QLatin1String(words)), words);
        QVERIFY(!svg.contains("@font-face"));
    }

    void svgEscapesNames()
    {
        RunResult run = test::sampleRun();
        run.scenario = "a <b> & \"c\"";
        QXmlStreamReader reader(exported(run, Kind::Rate, Format::Svg));
        QString title;
        while (!reader.atEnd())
            if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("title"))
                title = reader.readElementText();
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        QCOMPARE(title, QStringLiteral("Request rate: a <b> & \"c\""));
    }

    void pdfIsOneVectorPage()
    {
        const QByteArray pdf = exported(test::sampleRun(), Kind::Latency, Format::Pdf);
        QVERIFY(pdf.startsWith("%PDF-1."));
        QVERIFY(pdf.contains("/Count 1"));
        QVERIFY2(pdf.contains("/MediaBox [0 0 600"), "800 px at 96 dpi are 600 points");
        QVERIFY(pdf.contains("/FontFile2"));
        QVERIFY(!pdf.contains("/Subtype /Image"));
        QVERIFY(pdf.contains("/CreationDate (D:20000101000000"));
        QVERIFY(!pdf.contains(QDate::currentDate().toString(QStringLiteral("yyyyMMdd")).toLatin1()));
        // The offset table must still be right after dates and ids were replaced.
        const qsizetype start = pdf.lastIndexOf("startxref");
        const qsizetype table = pdf.mid(start + 9).trimmed().split('\n').first().trimmed().toLongLong();
        QVERIFY(pdf.mid(table, 4) == "xref");
    }

    void csvIsPlain()
    {
        const QByteArray csv = exported(test::sampleRun(), Kind::Duration, Format::Csv);
        QVERIFY(csv.startsWith("contestant,repetition,duration_s\nBare client,1,16.23\n"));
    }

    void jsonIsTheRun()
    {
        const RunResult run = test::sampleRun();
        QCOMPARE(exported(run, Kind::Rate, Format::Json), QByteArray::fromStdString(report::encodeRun(run)));
    }

    void emptyRunsStillMakeAPicture()
    {
        const QByteArray svg = exported(test::failedRun(), Kind::Percentiles, Format::Svg);
        QVERIFY(svg.contains("All 50 requests failed"));
        QVERIFY(!exported(RunResult(), Kind::Upstream, Format::Png).isEmpty());
    }
};

QTEST_MAIN(TestChartExport)
#include "tst_chartexport.moc"
