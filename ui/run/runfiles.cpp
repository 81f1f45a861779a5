#include "run/runfiles.h"

#include "codec/workspacefile.h"
#include "report/runfile.h"
#include "shell/settings.h"
#include "widgets/text.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QStandardPaths>

#include <memory>

namespace wardbench {

namespace {

struct Kind
{
    const char *suffix;
    const char *words;
};

constexpr Kind chartFiles[] = {
    {"png", QT_TRANSLATE_NOOP("RunFiles", "PNG picture, 1600 x 1000 (*.png)")},
    {"svg", QT_TRANSLATE_NOOP("RunFiles", "SVG drawing (*.svg)")},
    {"pdf", QT_TRANSLATE_NOOP("RunFiles", "PDF page (*.pdf)")},
    {"csv", QT_TRANSLATE_NOOP("RunFiles", "CSV, the plotted data (*.csv)")},
    {"json", QT_TRANSLATE_NOOP("RunFiles", "JSON, the whole run (*.json)")},
};

QString translated(const char *words)
{
    return QCoreApplication::translate("RunFiles", words);
}

/// The start of the run to the minute, without signs that a file name cannot have everywhere.
QString stampOf(const RunResult &result)
{
    QString started = qtext(result.environment.started).left(16);
    if (started.size() < 16)
        started = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-ddTHH:mm"));
    return started.remove(u':');
}

QString folder()
{
    const QString last = Settings().lastFolder();
    if (!last.isEmpty() && QDir(last).exists())
        return last;
    const QString pictures = QStandardPaths::writableLocation(QStandardPaths::PicturesLocation);
    return QDir(pictures).exists() ? pictures : QDir::homePath();
}

QFileDialog *makeDialog(QWidget *parent, const QString &title, const QString &name)
{
    auto *dialog = new QFileDialog(parent, title, folder());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDefaultSuffix(QFileInfo(name).suffix());
    return dialog;
}

/// The bytes go to the file named; `error` says what went wrong.
void write(const QString &path, const Result<QByteArray> &bytes, const SaveDone &done)
{
    if (!bytes) {
        done(path, qtext(bytes.error().message));
        return;
    }
    const std::string_view view(bytes->constData(), static_cast<std::size_t>(bytes->size()));
    const auto written = codec::writeFileAtomically(QFile::encodeName(path).toStdString(), view);
    if (written)
        Settings().setLastFolder(QFileInfo(path).absolutePath());
    done(path, written ? QString() : qtext(written.error().message));
}

} // namespace

QString proposedChartName(const RunResult &result, charts::Kind kind, const QString &suffix)
{
    return QStringLiteral("%1_%2_%3.%4").arg(qtext(report::slug(result.scenario)), charts::name(kind), stampOf(result), suffix);
}

QString proposedRunName(const RunResult &result)
{
    return QStringLiteral("%1_%2.wbrun").arg(qtext(report::slug(result.scenario)), stampOf(result));
}

QFileDialog *openChartDialog(QWidget *parent, const RunResult &result, charts::Kind kind, SaveDone done)
{
    const QString name = proposedChartName(result, kind, QStringLiteral("png"));
    QFileDialog *dialog = makeDialog(parent, translated(QT_TRANSLATE_NOOP("RunFiles", "Export chart: ")) + charts::title(kind), name);
    QStringList filters;
    for (const Kind &file : chartFiles)
        filters << translated(file.words);
    dialog->setNameFilters(filters);
    dialog->selectFile(name);
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, filters](const QString &filter) {
        const QString suffix = QLatin1String(chartFiles[std::max<qsizetype>(0, filters.indexOf(filter))].suffix);
        dialog->setDefaultSuffix(suffix);
        const QFileInfo chosen(dialog->selectedFiles().value(0));
        dialog->selectFile(chosen.completeBaseName() + u'.' + suffix);
    });
    const auto shown = std::make_shared<const RunResult>(result);
    QObject::connect(dialog, &QFileDialog::fileSelected, dialog, [shown, kind, done](const QString &path) {
        charts::Format format = charts::Format::Png;
        if (charts::formatFromSuffix(path, format))
            write(path, charts::exportChart(*shown, kind, format), done);
        else
            done(path, translated(QT_TRANSLATE_NOOP("RunFiles", "the name must end in .png, .svg, .pdf, .csv or .json")));
    });
    dialog->open();
    return dialog;
}

QFileDialog *openRunDialog(QWidget *parent, const RunResult &result, SaveDone done)
{
    const QString name = proposedRunName(result);
    QFileDialog *dialog = makeDialog(parent, translated(QT_TRANSLATE_NOOP("RunFiles", "Save run as")), name);
    dialog->setNameFilters({translated(QT_TRANSLATE_NOOP("RunFiles", "Wardbench run (*.wbrun)"))});
    dialog->selectFile(name);
    const auto shown = std::make_shared<const RunResult>(result);
    QObject::connect(dialog, &QFileDialog::fileSelected, dialog, [shown, done](const QString &path) {
        write(path, QByteArray::fromStdString(report::encodeRun(*shown)), done);
    });
    dialog->open();
    return dialog;
}

} // namespace wardbench
