#include "run/remarks.h"

#include "report/chartdata.h"
#include "shell/theme.h"
#include "widgets/text.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace wardbench {

Remarks::Remarks(QWidget *parent) : QWidget(parent), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(2);
    setVisible(false);
}

void Remarks::show(const RunResult &result)
{
    m_remarks.clear();
    for (const std::string &warning : result.warnings)
        m_remarks.push_back({Tone::Warn, tr("Warning:"), qtext(warning)});
    // What fails stands alone; what passes shares a line, so that the charts keep their room.
    QStringList passed;
    for (const ThresholdResult &threshold : result.thresholds) {
        const QString rule = qtext(threshold.contestant) + u' ' + qtext(threshold.metric) + u' ' + qtext(threshold.expression);
        const QString measured = rule + tr(", measured ") + qtext(report::decimalText(threshold.value, threshold.value < 10 ? 3 : 1));
        if (!threshold.evaluated)
            m_remarks.push_back({Tone::Plain, tr("Not evaluated:"), rule + tr(", no samples")});
        else if (threshold.passed)
            passed << measured;
        else
            m_remarks.push_back({Tone::Bad, tr("Fails:"), measured});
    }
    if (!passed.isEmpty())
        m_remarks.push_back({Tone::Good, tr("Passes:"), passed.join(QStringLiteral("; "))});
    for (const std::string &note : result.notes)
        m_remarks.push_back({Tone::Plain, tr("Note:"), qtext(note)});
    build();
}

void Remarks::clear()
{
    m_remarks.clear();
    build();
}

void Remarks::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        build(); // the tones follow the theme
    QWidget::changeEvent(event);
}

void Remarks::build()
{
    while (QLayoutItem *item = m_layout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const Remark &remark : m_remarks) {
        QString head = remark.head.toHtmlEscaped();
        if (remark.tone != Tone::Plain) {
            const auto role = remark.tone == Tone::Good ? Theme::Role::Good : remark.tone == Tone::Bad ? Theme::Role::Bad : Theme::Role::Warn;
            head = QStringLiteral("<b style=\"color:%1\">%2</b>").arg(Theme::instance().color(role).name(), head);
        }
        auto *label = new QLabel(head + u' ' + remark.text.toHtmlEscaped());
        label->setTextFormat(Qt::RichText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setAccessibleName(remark.head + u' ' + remark.text);
        m_layout->addWidget(label);
    }
    setVisible(!m_remarks.empty());
}

} // namespace wardbench
