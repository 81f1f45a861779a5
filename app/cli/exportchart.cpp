#include "cli/exportchart.h"

#include "charts/chart.h"

#include <QApplication>

namespace wardbench::cli {

Result<QByteArray> drawChart(const RunResult &result, report::ChartKind kind, const QString &path)
{
    if (!qobject_cast<QApplication *>(QCoreApplication::instance()))
        return fail("this process cannot draw: it was started without its drawing library");
    charts::Format format = charts::Format::Png;
    if (!charts::formatFromSuffix(path, format))
        return fail("the name of the picture must end in .png, .svg or .pdf", Error::Code::BadInput);
    return charts::exportChart(result, kind, format);
}

} // namespace wardbench::cli
